// Histogram of bytes in 256 bins, with shared atomics.
//   0  32 histograms per block, one for each lane of a warp, one behind the other: lanes with
//      equal pixels meet in a bank, degree up to 32. One word of padding per histogram keeps
//      equal pixels apart
//   1  one histogram per warp; the block adds the six. Random bytes conflict (degree 2 to 4) and
//      meet on one word

constexpr unsigned kWarps = 6;
constexpr unsigned kThreads = kWarps * 32;
constexpr unsigned kBins = 256;
constexpr unsigned kLanes = 32;
constexpr unsigned kPixels = 4;  // pixels in flight for each thread

/// Variant 0, with at least kBins threads. in: one pixel each. Adds to `histogram`.
template <unsigned Pad>
static __device__ __forceinline__ void countByLanes(const unsigned char* in, unsigned* histogram,
                                                    unsigned n) {
  __shared__ unsigned counters[kLanes * (kBins + Pad)];
  const unsigned t = threadIdx.x;
#pragma unroll 1
  for (unsigned i = t; i < kLanes * (kBins + Pad); i += blockDim.x) counters[i] = 0;
  __syncthreads();

  unsigned* own = counters + t % kLanes * (kBins + Pad);
  const unsigned stride = gridDim.x * blockDim.x;
#pragma unroll 1
  for (unsigned first = blockIdx.x * blockDim.x + t; first < n; first += kPixels * stride) {
    unsigned bins[kPixels];
#pragma unroll
    for (unsigned k = 0, j = first; k < kPixels; ++k, j += stride) bins[k] = j < n ? in[j] : kBins;
#pragma unroll
    for (unsigned k = 0; k < kPixels; ++k) {
      if (bins[k] < kBins) atomicAdd(own + bins[k], 1U);
    }
  }
  __syncthreads();

  if (t < kBins) {  // one bin per thread
    unsigned sum = 0;
#pragma unroll 1
    for (unsigned lane = 0; lane < kLanes; ++lane) sum += counters[lane * (kBins + Pad) + t];
    atomicAdd(histogram + t, sum);
  }
}

extern "C" __global__ void hist256_0_0(const unsigned char* in, unsigned* histogram, unsigned n) {
  countByLanes<0>(in, histogram, n);
}
extern "C" __global__ void hist256_0_1(const unsigned char* in, unsigned* histogram, unsigned n) {
  countByLanes<1>(in, histogram, n);
}

/// Variant 1. in: words of 4 bytes each.
extern "C" __global__ void hist256_1(const unsigned* in, unsigned* partial, unsigned words) {
  __shared__ unsigned counters[kWarps * kBins];
  const unsigned t = threadIdx.x;
  for (unsigned i = t; i < kWarps * kBins; i += kThreads) counters[i] = 0;
  __syncthreads();

  unsigned* own = counters + (t >> 5) * kBins;
#pragma unroll 1
  for (unsigned i = blockIdx.x * kThreads + t; i < words; i += gridDim.x * kThreads) {
    const unsigned word = in[i];
    atomicAdd(own + (word & 0xff), 1U);
    atomicAdd(own + (word >> 8 & 0xff), 1U);
    atomicAdd(own + (word >> 16 & 0xff), 1U);
    atomicAdd(own + (word >> 24), 1U);
  }
  __syncthreads();

#pragma unroll 1
  for (unsigned bin = t; bin < kBins; bin += kThreads) {
    unsigned sum = 0;
#pragma unroll
    for (unsigned w = 0; w < kWarps; ++w) sum += counters[w * kBins + bin];
    partial[blockIdx.x * kBins + bin] = sum;
  }
}

/// Block b sums bin b of `blocks` partial histograms, with kBins threads.
extern "C" __global__ void hist256_merge(const unsigned* partial, unsigned* histogram,
                                         unsigned blocks) {
  __shared__ unsigned sums[kBins];
  const unsigned t = threadIdx.x;
  unsigned sum = 0;
#pragma unroll 1
  for (unsigned i = t; i < blocks; i += kBins) sum += partial[i * kBins + blockIdx.x];
  sums[t] = sum;
#pragma unroll 1
  for (unsigned s = kBins / 2; s > 0; s >>= 1) {
    __syncthreads();
    if (t < s) sums[t] += sums[t + s];
  }
  if (t == 0) histogram[blockIdx.x] = sums[0];
}
