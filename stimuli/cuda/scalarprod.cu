// Scalar products of pairs of vectors, one pair per block: 1024 accumulators in shared memory, then
// a tree over sequential addresses. No conflict.

constexpr unsigned kThreads = 256;
constexpr unsigned kAccumulators = 1024;

extern "C" __global__ void scalarprod(const float* a, const float* b, float* out, unsigned n) {
  __shared__ float accumulators[kAccumulators];
  const unsigned base = blockIdx.x * n;
#pragma unroll 1
  for (unsigned i = threadIdx.x; i < kAccumulators; i += kThreads) {
    float sum = 0;
#pragma unroll 1
    for (unsigned k = i; k < n; k += kAccumulators) sum += a[base + k] * b[base + k];
    accumulators[i] = sum;
  }
#pragma unroll 1
  for (unsigned s = kAccumulators / 2; s > 0; s /= 2) {
    __syncthreads();
#pragma unroll 1
    for (unsigned i = threadIdx.x; i < s; i += kThreads) accumulators[i] += accumulators[i + s];
  }
  if (threadIdx.x == 0) out[blockIdx.x] = accumulators[0];
}
