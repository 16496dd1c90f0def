// Histogram of the upper 6 bits of bytes, in 64 bins, with a byte counter for every bin and thread:
// no atomics. The counters of a bin are one row of 64 bytes; a thread's place in the row is
// permuted so that 16 neighbours use 16 words. Lanes t and t + 16 still share banks: degree up
// to 2.

constexpr unsigned kThreads = 64;
constexpr unsigned kBins = 64;

static __device__ __forceinline__ void countByte(unsigned char* counters, unsigned value,
                                                 unsigned place) {
  ++counters[(value >> 2) * kThreads + place];
}

/// in: words of 4 bytes each. A thread takes at most 63 words, so that a byte counter does not
/// overflow.
extern "C" __global__ void hist64(const unsigned* in, unsigned* partial, unsigned words) {
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
