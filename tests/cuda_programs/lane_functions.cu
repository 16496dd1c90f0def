// A kernel for each function of one instruction: NAME(in, out, n), with three words per result.
#include <cuda_runtime.h>

using u64 = unsigned long long;
using u8 = unsigned char;
using i16 = short;
constexpr double kFactor = 0x1.123456789abcdp-3;

// Folds results into a word. Any NaN is the same.
__device__ unsigned packed(unsigned value) {
  return value;
}
__device__ unsigned packed(int value) {
  return static_cast<unsigned>(value);
}
__device__ unsigned packed(u64 value) {
  return static_cast<unsigned>(value) * 3 ^ static_cast<unsigned>(value >> 32);
}
__device__ unsigned packed(long long value) {
  return packed(static_cast<u64>(value));
}
__device__ unsigned packed(float value) {
  return isnan(value) ? 0x7fffffff : __float_as_uint(value);
}
__device__ unsigned packed(double value) {
  return packed(isnan(value) ? 0x7ff8000000000000 : __double_as_longlong(value));
}

#define EACH(name, on_device, on_host)                                                    \
  extern "C" __global__ void name(const unsigned* in, unsigned* out, int n) {             \
    const int first = blockIdx.x * blockDim.x + threadIdx.x;                              \
    for (int k = first; k < n; k += gridDim.x * blockDim.x) {                             \
      const unsigned a = in[3 * k], b = in[3 * k + 1], c = in[3 * k + 2];                 \
      const float x = __uint_as_float(a), y = __uint_as_float(b), z = __uint_as_float(c); \
      const int i = static_cast<int>(a), j = static_cast<int>(b);                         \
      const long long l = static_cast<long long>(static_cast<u64>(a) << 32 | b);          \
      const long long m = static_cast<long long>(static_cast<u64>(c) << 32 | a);          \
      const double d = __longlong_as_double(l);                                           \
      (void)x, (void)y, (void)z, (void)i, (void)j, (void)m, (void)d;                      \
      out[k] = packed(on_device);                                                         \
    }                                                                                     \
  }
#define ROUNDED(name, arguments, on_host)           \
  EACH(name##_rn, __##name##_rn arguments, on_host) \
  EACH(name##_rz, __##name##_rz arguments, on_host) \
  EACH(name##_ru, __##name##_ru arguments, on_host) \
  EACH(name##_rd, __##name##_rd arguments, on_host)
#include "lane_functions.inl"
