// What kernels of DeepGEMM use: arithmetic on pairs of floats, which is one instruction from sm_100
// on, and operands of 128 bits of assembly.
#include "check.h"

__global__ void pairs(const float2* in, float2* out) {
  const float2 x = in[threadIdx.x], y = in[threadIdx.x + 32], z = in[threadIdx.x + 64];
  float2* const to = out + 12 * threadIdx.x;
#define ALL(n, mode)                \
  to[n] = __fadd2_##mode(x, y);     \
  to[n + 1] = __fmul2_##mode(x, y); \
  to[n + 2] = __ffma2_##mode(x, y, z);
  ALL(0, rn) ALL(3, rz) ALL(6, rd) ALL(9, ru)
#undef ALL
}

__global__ void singles(const float2* in, float2* out) {
  const float2 x = in[threadIdx.x], y = in[threadIdx.x + 32], z = in[threadIdx.x + 64];
  float2* const to = out + 12 * threadIdx.x;
#define ALL(n, mode)                                                         \
  to[n] = make_float2(__fadd_##mode(x.x, y.x), __fadd_##mode(x.y, y.y));     \
  to[n + 1] = make_float2(__fmul_##mode(x.x, y.x), __fmul_##mode(x.y, y.y)); \
  to[n + 2] = make_float2(__fmaf_##mode(x.x, y.x, z.x), __fmaf_##mode(x.y, y.y, z.y));
  ALL(0, rn) ALL(3, rz) ALL(6, rd) ALL(9, ru)
#undef ALL
}

__global__ void wide(unsigned* out) {
  __shared__ __align__(16) unsigned line[128];
  const unsigned t = threadIdx.x;
  const __int128 value = (__int128{4 * t + 3} << 96) | (__int128{4 * t + 2} << 64) |
                         (__int128{4 * t + 1} << 32) | (4 * t);
  asm volatile("st.shared.b128 [%0], %1;" ::"l"(__cvta_generic_to_shared(line + 4 * t)), "q"(value)
               : "memory");
  __syncwarp();
  for (unsigned k = t; k < 128; k += 32) out[k] = line[k];
}

int main() {
  std::vector<float> numbers(192);
  for (unsigned k = 0; k < 192; ++k) numbers[k] = (k % 2 ? -1.0f : 1.0f) / (k + 3);
  auto* in = newOnDevice<float2>(96);
  CHECK(cudaMemcpy(in, numbers.data(), sizeof(float2) * 96, cudaMemcpyHostToDevice));
  auto *one = newOnDevice<float2>(384), *two = newOnDevice<float2>(384);
  pairs<<<1, 32>>>(in, one);
  singles<<<1, 32>>>(in, two);
  expectSame("pairs", toHost(reinterpret_cast<float*>(one), 768),
             toHost(reinterpret_cast<float*>(two), 768));
  auto* line = newOnDevice<unsigned>(128);
  wide<<<1, 32>>>(line);
  std::vector<unsigned> expected(128);
  for (unsigned k = 0; k < 128; ++k) expected[k] = k;
  expectSame("wide", toHost(line, 128), expected);
  std::puts("PASS: pairs of floats, and 128 bits");
}
