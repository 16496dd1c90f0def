// Histogram of bytes in 256 bins: each of 6 warps counts in an array of its own with shared
// atomics, then the block adds the six. Random bytes conflict (degree 2 to 4) and meet on one word.

constexpr unsigned kWarps = 6;
constexpr unsigned kThreads = kWarps * 32;
constexpr unsigned kBins = 256;

/// in: words of 4 bytes each.
extern "C" __global__ void hist256(const unsigned* in, unsigned* partial, unsigned words) {
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
