// Strided shared loads: lane l of a warp reads word l * stride + 4 k, for k = 0 .. 15,
// `iterations` times. On 32 banks by modulo, each load has degree gcd(stride, 32); nothing else
// here conflicts.

constexpr unsigned kThreads = 256;
constexpr unsigned kWords = 2048;
constexpr unsigned kLoads = 16;

/// Loads with a stride. in: kWords words; out: one sum per thread.
extern "C" __global__ void stride(const unsigned* in, unsigned* out, unsigned stride,
                                  unsigned iterations) {
  __shared__ unsigned words[kWords];
  for (unsigned i = 0; i < kWords / kThreads; ++i) {
    words[i * kThreads + threadIdx.x] = in[i * kThreads + threadIdx.x];
  }
  __syncthreads();
  const unsigned first = (threadIdx.x & 31) * stride;
  unsigned sum = 0;
#pragma unroll 1
  for (unsigned i = 0; i < iterations; ++i) {
#pragma unroll
    for (unsigned k = 0; k < kLoads; ++k) sum += words[first + 4 * k];
    fermataForgetMemory();  // keeps the loads in the loop
  }
  out[blockIdx.x * kThreads + threadIdx.x] = sum;
}
