// Tiles of every type that nvcuda::wmma has: bf16, s8, u8 and f16 in three shapes and in both
// layouts, tf32, f64, s4, u4, b1; and a product whose tiles a CTA stages in shared memory with
// padded rows.
#include <mma.h>

#include <algorithm>
#include <type_traits>

#include "check.h"

using namespace nvcuda;

/// a * b + c. Turned: a is column-major and b row-major instead of the other way round.
template <class T, class D, int m, int n, int k, bool kTurned, class E>
__global__ void multiply(const E* a, const E* b, D* c, bool clamp) {
  using OfA = std::conditional_t<kTurned, wmma::col_major, wmma::row_major>;
  using OfB = std::conditional_t<kTurned, wmma::row_major, wmma::col_major>;
  wmma::fragment<wmma::matrix_a, m, n, k, T, OfA> left;
  wmma::fragment<wmma::matrix_b, m, n, k, T, OfB> right;
  wmma::fragment<wmma::accumulator, m, n, k, D> sum;
  wmma::load_matrix_sync(left, a, kTurned ? m : k);
  wmma::load_matrix_sync(right, b, kTurned ? n : k);
  wmma::load_matrix_sync(sum, c, n, wmma::mem_row_major);
  wmma::mma_sync(sum, left, right, sum, clamp);
  wmma::store_matrix_sync(c, sum, n, wmma::mem_row_major);
}

__global__ void roundAll(float* values) {
  values[threadIdx.x] = wmma::__float_to_tf32(values[threadIdx.x]);
}

/// Multiplies with c counting up from `start`; integers may then saturate at their bound.
template <class T, class D, int m, int n, int k, bool kTurned, class Make>
void check(const char* name, Make make, double start = 0, bool clamp = false) {
  std::vector<decltype(make(0))> a(m * k), b(k * n);
  std::vector<D> c(m * n), expected(m * n);
  for (int i = 0; i < m * k; i++) a[i] = make(i * 7 % 11);
  for (int i = 0; i < k * n; i++) b[i] = make(i * 5 % 13);
  for (int i = 0; i < m * n; i++) {
    double sum = start + i;
    c[i] = D(sum);
    for (int x = 0; x < k; x++) {
      const int inA = kTurned ? x * m + i / n : i / n * k + x;
      const int inB = kTurned ? x * n + i % n : i % n * k + x;
      sum += inA * 7 % 11 * double(inB * 5 % 13);
    }
    expected[i] = D(clamp && sum > 2147483647.0 ? 2147483647.0 : sum);
  }
  D* const result = toDevice(c);
  multiply<T, D, m, n, k, kTurned><<<1, 32>>>(toDevice(a), toDevice(b), result, clamp);
  expectSame(name, toHost(result, m * n), expected);
}

const auto toHalf = [](int x) { return __float2half(float(x)); };

template <int m, int n, bool kTurned>
void shapes() {
  check<__nv_bfloat16, float, m, n, 16, kTurned>("bf16",
                                                 [](int x) { return __float2bfloat16(float(x)); });
  check<half, float, m, n, 16, kTurned>("f16", toHalf);
  const auto toByte = [](int x) { return (signed char)(x); };
  check<signed char, int, m, n, 16, kTurned>("s8", toByte);
  check<signed char, int, m, n, 16, kTurned>("s8, clamped", toByte, 2147483000.0, true);
  check<unsigned char, int, m, n, 16, kTurned>("u8", [](int x) { return (unsigned char)(x); });
}

const int kM = 64, kN = 48, kK = 80;

/// Four warps per tile of 32 x 32, a quarter each; b and d are column-major, all is f16.
__global__ void staged(const half* a, const half* b, half* d) {
  const int kPitch = 24;
  __shared__ half left[32 * kPitch], right[32 * kPitch];
  const int warp = threadIdx.x / 32, row = 16 * (warp / 2), column = 16 * (warp % 2);
  wmma::fragment<wmma::accumulator, 16, 16, 16, half> sum;
  wmma::fill_fragment(sum, __float2half(0.0f));
  for (int k = 0; k < kK; k += 16) {
    for (int i = threadIdx.x; i < 32 * 16; i += blockDim.x) {
      left[i / 16 * kPitch + i % 16] = a[(32 * blockIdx.y + i / 16) * kK + k + i % 16];
      const int n = 32 * blockIdx.x + i / 16;
      right[i / 16 * kPitch + i % 16] = n < kN ? b[n * kK + k + i % 16] : __float2half(0.0f);
    }
    __syncthreads();
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> x;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> y;
    wmma::load_matrix_sync(x, left + row * kPitch, kPitch);
    wmma::load_matrix_sync(y, right + column * kPitch, kPitch);
    wmma::mma_sync(sum, x, y, sum);
    __syncthreads();
  }
  for (int i = 0; i < sum.num_elements; i++) sum.x[i] = sum.x[i] * __float2half(2.0f);
  if (32 * blockIdx.x + column < kN)
    wmma::store_matrix_sync(d + (32 * blockIdx.x + column) * kM + 32 * blockIdx.y + row, sum, kM,
                            wmma::mem_col_major);
}

void testStaged() {
  std::vector<half> a(kM * kK), b(kN * kK);  // small multiples of 1/4: no sum is rounded
  for (int i = 0; i < kM * kK; i++) a[i] = __float2half((i * 7 % 17 - 8) * 0.25f);
  for (int i = 0; i < kN * kK; i++) b[i] = __float2half((i * 5 % 13 - 6) * 0.25f);
  half* const d = newOnDevice<half>(kM * kN);
  staged<<<dim3((kN + 31) / 32, kM / 32), 128>>>(toDevice(a), toDevice(b), d);
  const std::vector<half> got = toHost(d, kM * kN);
  for (int i = 0; i < kM * kN; i++) {
    float sum = 0;
    for (int k = 0; k < kK; k++)
      sum += __half2float(a[i % kM * kK + k]) * __half2float(b[i / kM * kK + k]);
    if (__half2float(got[i]) != 2 * sum) fail("staged at %d", i);
  }
}

using wmma::experimental::precision::b1;
using wmma::experimental::precision::s4;
using wmma::experimental::precision::u4;

template <class T, int k>
using Rows = wmma::fragment<wmma::matrix_a, 8, 8, k, T, wmma::row_major>;
template <class T, int k>
using Columns = wmma::fragment<wmma::matrix_b, 8, 8, k, T, wmma::col_major>;

/// d[0] = a * b, d[1] = ones * b, with `ones` filled by fill_fragment; sums saturate.
template <class T>
__global__ void multiplyNibbles(const void* a, const void* b, int start, int one, int* d) {
  Rows<T, 32> left;
  Columns<T, 32> right;
  wmma::fragment<wmma::accumulator, 8, 8, 32, int> sum;
  wmma::load_matrix_sync(left, a, 32);
  wmma::load_matrix_sync(right, b, 64);  // every other column of 32
  wmma::fill_fragment(sum, start);
  wmma::mma_sync(sum, left, right, sum, true);
  wmma::store_matrix_sync(d, sum, 8, wmma::mem_row_major);
  wmma::fill_fragment(left, one);
  wmma::fill_fragment(sum, 0);
  wmma::mma_sync(sum, left, right, sum);
  wmma::store_matrix_sync(d + 64, sum, 8, wmma::mem_col_major);
}
__global__ void multiplyBits(const void* a, const void* b, int* d) {
  Rows<b1, 128> left;
  Columns<b1, 128> right;
  wmma::fragment<wmma::accumulator, 8, 8, 128, int> sum, both;
  wmma::load_matrix_sync(left, a, 128);
  wmma::load_matrix_sync(right, b, 128);
  wmma::fill_fragment(sum, 5);
  wmma::bmma_sync(both, left, right, sum, wmma::experimental::bmmaBitOpAND);
  wmma::bmma_sync(sum, left, right, sum);
  wmma::store_matrix_sync(d, sum, 8, wmma::mem_row_major);
  wmma::store_matrix_sync(d + 64, both, 8, wmma::mem_row_major);
}

static unsigned scrambled(unsigned i) {
  i = (i + 1) * 2654435761u;
  return i ^ i >> 15;
}

template <class T>
void checkNibbles(const char* name, bool isSigned, int start) {
  std::vector<unsigned> a(8 * 4), b(16 * 4);
  for (unsigned i = 0; i < 64; i++) b[i] = scrambled(i + 1000), a[i % 32] = scrambled(i);
  const auto nibble = [&](const std::vector<unsigned>& words, int row, int x) {
    const int value = words[row * 4 + x / 8] >> x % 8 * 4 & 15;
    return isSigned && value > 7 ? value - 16 : value;
  };
  const int one = isSigned ? -1 : 3;
  std::vector<int> expected(128);
  for (int i = 0; i < 64; i++) {
    long long sum = start, column = 0;
    for (int x = 0; x < 32; x++) {
      sum += nibble(a, i / 8, x) * nibble(b, i % 8 * 2, x);
      column += one * nibble(b, i / 8 * 2, x);
    }
    expected[i] = int(std::min(sum, 2147483647ll));
    expected[64 + i] = int(column);
  }
  int* const d = newOnDevice<int>(128);
  multiplyNibbles<T><<<1, 32>>>(toDevice(a), toDevice(b), start, one, d);
  expectSame(name, toHost(d, 128), expected);
}

void checkBits() {
  std::vector<unsigned> a(8 * 4), b(8 * 4);
  for (unsigned i = 0; i < 32; i++) a[i] = scrambled(i), b[i] = scrambled(i + 77);
  std::vector<int> expected(128, 5);
  for (int i = 0; i < 64; i++)
    for (int x = 0; x < 4; x++) {
      expected[i] += __builtin_popcount(a[i / 8 * 4 + x] ^ b[i % 8 * 4 + x]);
      expected[64 + i] += __builtin_popcount(a[i / 8 * 4 + x] & b[i % 8 * 4 + x]);
    }
  int* const d = newOnDevice<int>(128);
  multiplyBits<<<1, 32>>>(toDevice(a), toDevice(b), d);
  expectSame("b1", toHost(d, 128), expected);
}

int main() {
  shapes<16, 16, false>();
  shapes<16, 16, true>();
  shapes<32, 8, false>();
  shapes<32, 8, true>();
  shapes<8, 32, false>();
  shapes<8, 32, true>();
  check<wmma::precision::tf32, float, 16, 16, 8, false>("tf32", [](int x) { return float(x); });
  check<double, double, 8, 8, 4, false>("f64", [](int x) { return double(x); });
  std::vector<float> values(32), expected(32);
  for (int i = 0; i < 32; i++) {
    values[i] = 1.0f + i * 0.000244140625f;  // quarters of a step
    expected[i] = 1.0f + (i + 2) / 4 * 0.0009765625f;
  }
  float* const device = toDevice(values);
  roundAll<<<1, 32>>>(device);
  expectSame("rounding to tf32", toHost(device, 32), expected);
  testStaged();
  checkNibbles<s4>("s4", true, -70);
  checkNibbles<s4>("s4, clamped", true, 2147483600);
  checkNibbles<u4>("u4", false, 9);
  checkBits();
  static_assert(Rows<s4, 32>::num_elements == 8 && Rows<b1, 128>::num_elements == 32, "packed");
  puts("PASS");
}
