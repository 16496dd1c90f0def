// AMD's products of matrices (mfma) against the host: floats of 64 to 8 bits, and integers. Values
// are small, so that every sum is exact.
#include "check.h"

#include <vector>

typedef float Float4 __attribute__((ext_vector_type(4)));
typedef float Float16 __attribute__((ext_vector_type(16)));
typedef float Float32 __attribute__((ext_vector_type(32)));
typedef double Double4 __attribute__((ext_vector_type(4)));
typedef int Int4 __attribute__((ext_vector_type(4)));
typedef int Int16 __attribute__((ext_vector_type(16)));
typedef _Float16 Half4 __attribute__((ext_vector_type(4)));
typedef short Short2 __attribute__((ext_vector_type(2)));
typedef short Short4 __attribute__((ext_vector_type(4)));

// Bits of small integers.
__device__ _Float16 halfOf(int value) { return static_cast<_Float16>(value); }
__device__ short bfloat(int value) {
  return static_cast<short>(__float_as_uint(static_cast<float>(value)) >> 16);
}
/// An 8-bit float of AMD's own for an integer of one or two digits; `digits`: of the fraction.
__device__ unsigned fnuz(int value, int digits, int bias) {
  if (value == 0) return 0;
  const unsigned sign = value < 0 ? 0x80 : 0, size = value < 0 ? -value : value;
  int exponent = 0;
  while ((size >> (exponent + 1)) != 0) ++exponent;
  const unsigned fraction = (size << digits >> exponent) & ((1 << digits) - 1);
  return sign | (exponent + bias) << digits | fraction;
}

// How a lane holds its elements of a factor, and one product.
#define PRODUCT(name, M, K, BLOCKS, SumType, Load, call)                                \
  struct name {                                                                         \
    static constexpr int m = M, k = K, blocks = BLOCKS, each = M * K * BLOCKS / 64;     \
    static constexpr bool isDouble = __is_same(SumType, Double4);                       \
    typedef SumType Sums;                                                               \
    template <class F, class G>                                                         \
    __device__ static Sums run(F a, G b, Sums c) {                                      \
      const auto x = Load(a), y = Load(b);                                              \
      return call(x, y, c, 0, 0, 0);                                                    \
    }                                                                                   \
  };

template <class F> __device__ float loadFloat(F f) { return f(0); }
template <class F> __device__ double loadDouble(F f) { return f(0); }
template <class F> __device__ Half4 loadHalf(F f) {
  return Half4{halfOf(f(0)), halfOf(f(1)), halfOf(f(2)), halfOf(f(3))};
}
template <class F> __device__ Short2 loadBf2(F f) { return Short2{bfloat(f(0)), bfloat(f(1))}; }
template <class F> __device__ Short4 loadBf4(F f) {
  return Short4{bfloat(f(0)), bfloat(f(1)), bfloat(f(2)), bfloat(f(3))};
}
template <class F> __device__ int loadBytes4(F f) {
  int word = 0;
  for (int e = 0; e < 4; ++e) word |= (f(e) & 0xff) << 8 * e;
  return word;
}
template <class F> __device__ long loadBytes8(F f) {
  long word = 0;
  for (int e = 0; e < 8; ++e) word |= long(f(e) & 0xff) << 8 * e;
  return word;
}
template <class F> __device__ long loadFp8(F f) {
  long word = 0;
  for (int e = 0; e < 8; ++e) word |= long(fnuz(f(e), 3, 8)) << 8 * e;
  return word;
}
template <class F> __device__ long loadBf8(F f) {
  long word = 0;
  for (int e = 0; e < 8; ++e) word |= long(fnuz(f(e), 2, 16)) << 8 * e;
  return word;
}

PRODUCT(F32x2, 32, 2, 1, Float16, loadFloat, __builtin_amdgcn_mfma_f32_32x32x2f32)
PRODUCT(F16x4, 16, 4, 1, Float4, loadFloat, __builtin_amdgcn_mfma_f32_16x16x4f32)
PRODUCT(F32x1, 32, 1, 2, Float32, loadFloat, __builtin_amdgcn_mfma_f32_32x32x1f32)
PRODUCT(F16x1, 16, 1, 4, Float16, loadFloat, __builtin_amdgcn_mfma_f32_16x16x1f32)
PRODUCT(F4x1, 4, 1, 16, Float4, loadFloat, __builtin_amdgcn_mfma_f32_4x4x1f32)
PRODUCT(H32x8, 32, 8, 1, Float16, loadHalf, __builtin_amdgcn_mfma_f32_32x32x8f16)
PRODUCT(H16x16, 16, 16, 1, Float4, loadHalf, __builtin_amdgcn_mfma_f32_16x16x16f16)
PRODUCT(H32x4, 32, 4, 2, Float32, loadHalf, __builtin_amdgcn_mfma_f32_32x32x4f16)
PRODUCT(H16x4, 16, 4, 4, Float16, loadHalf, __builtin_amdgcn_mfma_f32_16x16x4f16)
PRODUCT(H4x4, 4, 4, 16, Float4, loadHalf, __builtin_amdgcn_mfma_f32_4x4x4f16)
PRODUCT(B32x4, 32, 4, 1, Float16, loadBf2, __builtin_amdgcn_mfma_f32_32x32x4bf16)
PRODUCT(B16x8, 16, 8, 1, Float4, loadBf2, __builtin_amdgcn_mfma_f32_16x16x8bf16)
PRODUCT(B32x8, 32, 8, 1, Float16, loadBf4, __builtin_amdgcn_mfma_f32_32x32x8bf16_1k)
PRODUCT(B16x16, 16, 16, 1, Float4, loadBf4, __builtin_amdgcn_mfma_f32_16x16x16bf16_1k)
PRODUCT(I32x8, 32, 8, 1, Int16, loadBytes4, __builtin_amdgcn_mfma_i32_32x32x8i8)
PRODUCT(I16x16, 16, 16, 1, Int4, loadBytes4, __builtin_amdgcn_mfma_i32_16x16x16i8)
PRODUCT(I32x16, 32, 16, 1, Int16, loadBytes8, __builtin_amdgcn_mfma_i32_32x32x16_i8)
PRODUCT(I16x32, 16, 32, 1, Int4, loadBytes8, __builtin_amdgcn_mfma_i32_16x16x32_i8)
PRODUCT(Q16x32, 16, 32, 1, Float4, loadFp8, __builtin_amdgcn_mfma_f32_16x16x32_fp8_fp8)
PRODUCT(Q32x16, 32, 16, 1, Float16, loadBf8, __builtin_amdgcn_mfma_f32_32x32x16_bf8_bf8)
PRODUCT(D16x4, 16, 4, 1, Double4, loadDouble, __builtin_amdgcn_mfma_f64_16x16x4f64)

/// Row, column and block of element v of a lane's sums (AMD's matrix instruction calculator).
struct Place {
  int block, row, column;
};
template <class P>
__device__ Place placeOf(int v, int lane) {
  if (P::isDouble) return {0, lane / 16 + 4 * v, lane % 16};
  if (P::m == 4) return {lane / 4, v, lane % 4};
  if (P::m == 16) return {v / 4, lane / 16 * 4 + v % 4, lane % 16};
  return {v / 16, v % 16 / 4 * 8 + lane / 32 * 4 + v % 4, lane % 32};
}

/// One wave: d[block][i][j] = 1000 + sum over k of a[block][i][k] * b[block][k][j].
template <class P>
__global__ void multiply(const int* a, const int* b, double* d) {
  const int lane = threadIdx.x, other = lane % (P::m * P::blocks), first = lane / (P::m * P::blocks);
  const int block = other / P::m, index = other % P::m;
  const auto elementOfA = [=](int e) {
    return a[(block * P::m + index) * P::k + first * P::each + e];
  };
  const auto elementOfB = [=](int e) {
    return b[(block * P::k + first * P::each + e) * P::m + index];
  };
  typename P::Sums sums;
  constexpr int count = P::m * P::m * P::blocks / 64;
  for (int v = 0; v < count; ++v) sums[v] = 1000;
  sums = P::run(elementOfA, elementOfB, sums);
  for (int v = 0; v < count; ++v) {
    const Place p = placeOf<P>(v, lane);
    d[(p.block * P::m + p.row) * P::m + p.column] = sums[v];
  }
}

template <class P>
void test(const char* name) {
  std::vector<int> a(P::blocks * P::m * P::k), b(a.size());
  unsigned random = 7;
  const auto next = [&] { return int((random = random * 1664525u + 1013904223u) >> 24) % 7 - 3; };
  for (int& x : a) x = next();
  for (int& x : b) x = next();
  std::vector<double> expected(P::blocks * P::m * P::m, 1000), got(expected.size());
  for (int block = 0; block < P::blocks; ++block)
    for (int i = 0; i < P::m; ++i)
      for (int j = 0; j < P::m; ++j)
        for (int k = 0; k < P::k; ++k)
          expected[(block * P::m + i) * P::m + j] +=
              a[(block * P::m + i) * P::k + k] * b[(block * P::k + k) * P::m + j];
  int *dA, *dB;
  double* dD;
  CHECK(hipMalloc(&dA, a.size() * 4));
  CHECK(hipMalloc(&dB, a.size() * 4));
  CHECK(hipMalloc(&dD, got.size() * 8));
  CHECK(hipMemcpy(dA, a.data(), a.size() * 4, hipMemcpyHostToDevice));
  CHECK(hipMemcpy(dB, b.data(), a.size() * 4, hipMemcpyHostToDevice));
  multiply<P><<<1, 64>>>(dA, dB, dD);
  CHECK(hipMemcpy(got.data(), dD, got.size() * 8, hipMemcpyDeviceToHost));
  for (size_t i = 0; i < got.size(); ++i) {
    if (got[i] == expected[i]) continue;
    printf("FAIL: %s: element %zu is %g, expected %g\n", name, i, got[i], expected[i]);
    exit(1);
  }
  CHECK(hipFree(dA));
  CHECK(hipFree(dB));
  CHECK(hipFree(dD));
}
#define TEST(P) test<P>(#P)

int main() {
  TEST(F32x2), TEST(F16x4), TEST(F32x1), TEST(F16x1), TEST(F4x1);
  TEST(H32x8), TEST(H16x16), TEST(H32x4), TEST(H16x4), TEST(H4x4);
  TEST(B32x4), TEST(B16x8), TEST(B32x8), TEST(B16x16);
  TEST(I32x8), TEST(I16x16), TEST(I32x16), TEST(I16x32);
  TEST(Q16x32), TEST(Q32x16), TEST(D16x4);
  puts("PASS");
}
