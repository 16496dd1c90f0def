// Histogram of the upper 6 bits of bytes, in 64 bins.
//   0  32 histograms per block, one for each lane of a warp, one behind the other, with shared
//      atomics: lanes with pixels of equal bins meet in a bank, degree up to 32. One word of
//      padding per histogram keeps equal bins apart
//   1  one byte counter for every bin and thread, no atomics. The counters of a bin are one row of
//      64 bytes; a thread's place in the row is permuted so that 16 neighbours use 16 words. Lanes
//      t and t + 16 still share banks: degree up to 2

constexpr unsigned kThreads = 64;
constexpr unsigned kBins = 64;
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
    for (unsigned k = 0, j = first; k < kPixels; ++k, j += stride)
      bins[k] = j < n ? in[j] >> 2 : kBins;
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

extern "C" __global__ void hist64_0_0(const unsigned char* in, unsigned* histogram, unsigned n) {
  countByLanes<0>(in, histogram, n);
}
extern "C" __global__ void hist64_0_1(const unsigned char* in, unsigned* histogram, unsigned n) {
  countByLanes<1>(in, histogram, n);
}

static __device__ __forceinline__ void countByte(unsigned char* counters, unsigned value,
                                                 unsigned place) {
  ++counters[(value >> 2) * kThreads + place];
}

/// Variant 1. in: words of 4 bytes each. A thread takes at most 63 words, so that a byte counter
/// cannot overflow.
extern "C" __global__ void hist64_1(const unsigned* in, unsigned* partial, unsigned words) {
  __shared__ __align__(4) unsigned char counters[kBins * kThreads];
  unsigned* rows = reinterpret_cast<unsigned*>(counters);
  const unsigned t = threadIdx.x;
#pragma unroll
  for (unsigned i = 0; i < kBins * kThreads / 4; i += kThreads) rows[i + t] = 0;
  __syncthreads();

  const unsigned place = ((t & 15) << 2) | (t >> 4);
#pragma unroll 1
  for (unsigned i = blockIdx.x * kThreads + t; i < words; i += gridDim.x * kThreads) {
    const unsigned word = in[i];
    countByte(counters, word & 0xff, place);
    countByte(counters, word >> 8 & 0xff, place);
    countByte(counters, word >> 16 & 0xff, place);
    countByte(counters, word >> 24, place);
  }
  __syncthreads();

  // Thread t sums row t, from word t on so that 16 neighbours read 16 banks.
  unsigned sum = 0;
#pragma unroll
  for (unsigned i = 0; i < 16; ++i) {
    const unsigned word = rows[t * 16 + ((t + i) & 15)];
    sum += (word & 0xff) + (word >> 8 & 0xff) + (word >> 16 & 0xff) + (word >> 24);
  }
  partial[blockIdx.x * kBins + t] = sum;
}

/// Block b sums bin b of `blocks` partial histograms.
extern "C" __global__ void hist64_merge(const unsigned* partial, unsigned* histogram,
                                        unsigned blocks) {
  __shared__ unsigned sums[kThreads];
  const unsigned t = threadIdx.x;
  unsigned sum = 0;
#pragma unroll 1
  for (unsigned i = t; i < blocks; i += kThreads) sum += partial[i * kBins + blockIdx.x];
  sums[t] = sum;
#pragma unroll 1
  for (unsigned s = kThreads / 2; s > 0; s >>= 1) {
    __syncthreads();
    if (t < s) sums[t] += sums[t + s];
  }
  if (t == 0) histogram[blockIdx.x] = sums[0];
}
