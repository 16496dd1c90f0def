// Histogram of an image with shared atomics, in `replication` copies per block, so that fewer
// threads meet on one word.
//   replicated  whole histograms one behind the other, each with `padding` words behind it (Gomez-
//               Luna, Gonzalez-Linares, Benavides and Guil, An optimized approach to histogram
//               computation on GPU, Machine Vision and Applications 24, 2013; Shams and Kennedy
//               2007 have one per warp)
//   stretched   the copies of a bin one behind the other, and `padding` words behind them (van den
//               Braak, Nugteren, Mesman and Corporaal, GPU-Vote: A Framework for Accelerating
//               Voting Algorithms on GPU, Euro-Par 2012: bin stretching)
// Thread t adds to copy t mod replication, like in the former paper. Every warp of a block has a
// part of the image; the blocks take 32 pixels of a part in turn.

extern __shared__ unsigned counters[];

struct Replicated {
  static __device__ __forceinline__ unsigned place(unsigned bin, unsigned copy, unsigned stride) {
    return copy * stride + bin;
  }
};
struct Stretched {
  static __device__ __forceinline__ unsigned place(unsigned bin, unsigned copy, unsigned stride) {
    return bin * stride + copy;
  }
};

/// Counts. image: n levels of `bits` bits. part: pixels per warp of each block, a multiple of 32.
/// stride: words from a copy to the next, or from a bin to the next. words: size of the shared
/// memory. Adds to `histogram`.
template <class Layout>
static __device__ __forceinline__ void count(const unsigned short* image, unsigned* histogram,
                                             unsigned n, unsigned part, unsigned bits,
                                             unsigned bins, unsigned copies, unsigned stride,
                                             unsigned words) {
  const unsigned t = threadIdx.x;
#pragma unroll 1
  for (unsigned i = t; i < words; i += blockDim.x) counters[i] = 0;
  __syncthreads();

  const unsigned copy = t % copies;
  const unsigned first = t / 32 * part;
  const unsigned end = min(first + part, n);
#pragma unroll 1
  for (unsigned i = first + 32 * blockIdx.x + t % 32; i < end; i += 32 * gridDim.x) {
    const unsigned bin = image[i] * bins >> bits;
    atomicAdd(counters + Layout::place(bin, copy, stride), 1U);
  }
  __syncthreads();

#pragma unroll 1
  for (unsigned bin = t; bin < bins; bin += blockDim.x) {
    unsigned sum = 0;
#pragma unroll 1
    for (unsigned k = 0; k < copies; ++k) sum += counters[Layout::place(bin, k, stride)];
    atomicAdd(histogram + bin, sum);
  }
}

extern "C" __global__ void histogram_replicated(const unsigned short* image, unsigned* histogram,
                                                unsigned n, unsigned part, unsigned bits,
                                                unsigned bins, unsigned copies, unsigned stride,
                                                unsigned words) {
  count<Replicated>(image, histogram, n, part, bits, bins, copies, stride, words);
}
extern "C" __global__ void histogram_stretched(const unsigned short* image, unsigned* histogram,
                                               unsigned n, unsigned part, unsigned bits,
                                               unsigned bins, unsigned copies, unsigned stride,
                                               unsigned words) {
  count<Stretched>(image, histogram, n, part, bits, bins, copies, stride, words);
}
