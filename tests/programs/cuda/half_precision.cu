// Half precision and bfloat16: axpy and dot products of pairs, rounding of every conversion, and
// comparisons, against the same functions on the host.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdint>
#include <cstring>

#include "check.h"

__global__ void axpy(__half a, const __half2* x, __half2* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = __hfma2(__half2half2(a), x[i], y[i]);
}

__global__ void dot(const __half2* x, const __half2* y, int n, float* out) {
  float2 sum = make_float2(0, 0);
  for (int i = threadIdx.x; i < n; i += 32) {
    const float2 product = __half22float2(__hmul2(x[i], y[i]));
    sum.x += product.x;
    sum.y += product.y;
  }
  float both = sum.x + sum.y;
  for (int offset = 16; offset > 0; offset /= 2) both += __shfl_xor_sync(0xffffffffu, both, offset);
  if (threadIdx.x == 0) *out = both;
}

const int kResults = 6;

/// Computes on both sides. tests/cuda_programs/small_floats.cu checks the host's arithmetic.
__host__ __device__ void compute(__half x, __half y, __half* out, int* flags) {
  out[0] = __hadd(x, y);
  out[1] = x - y;
  out[2] = x * y;
  out[3] = __hfma(x, y, x);
  out[4] = __hneg(x);
  out[5] = hsqrt(__habs(x));
  *flags = __hlt(x, y) | __hge(x, y) << 1 | (x == y) << 2 | __hisnan(x) << 3 |
           (__half2int_rn(y) & 0xff) << 8;
}

__global__ void arithmetic(const __half* a, const __half* b, __half* out, int* flags, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) compute(a[i], b[i], out + kResults * i, flags + i);
}

__global__ void convert(const float* in, __half* halves, __nv_bfloat16* bfloats, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  halves[i] = __float2half_rn(in[i]);
  bfloats[i] = __float2bfloat16(in[i]);
}

__global__ void accumulate(__half2* sums, const __half2* values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&sums[i % 4], values[i]);
}

/// Compares bits; any NaN equals any other.
template <class T>
bool same(T a, T b) {
  return memcmp(&a, &b, sizeof a) == 0 || (__hisnan(a) && __hisnan(b));
}

__global__ void convert(const __nv_bfloat16* in, __half* half, __nv_bfloat16* back, int n) {
  const int i = threadIdx.x;
  if (i >= n) return;
  half[i] = static_cast<__half>(in[i]);
  back[i] = static_cast<__nv_bfloat16>(half[i]);
}

/// Both types of 16 bits, from one to the other: beyond half's range, below it, and rounded.
void testMixed() {
  const std::vector<float> values = {0.0f, -1.5f, 65536.0f, 0x1p-24f, 0x1p-26f, 3.140625f, -1e30f};
  std::vector<__nv_bfloat16> in;
  for (const float v : values) in.push_back(__nv_bfloat16(v));
  const int n = int(in.size());
  __half* const half = newOnDevice<__half>(n);
  __nv_bfloat16* const back = newOnDevice<__nv_bfloat16>(n);
  convert<<<1, 32>>>(toDevice(in), half, back, n);
  const std::vector<__half> halves = toHost(half, n);
  const std::vector<__nv_bfloat16> bfloats = toHost(back, n);
  for (int i = 0; i < n; ++i) {
    const float exact = in[i];
    const __half e = exact;
    const float rounded = e;
    const __nv_bfloat16 b = rounded;
    if (halves[i].bits() != e.bits() || bfloats[i].bits() != b.bits() ||
        static_cast<__half>(in[i]).bits() != e.bits())
      fail("%g: %04x and %04x, expected %04x and %04x", values[i], halves[i].bits(),
           bfloats[i].bits(), e.bits(), b.bits());
  }
}

int main() {
  testMixed();
  const int n = 2000, blocks = (n + 127) / 128;
  std::vector<__half> a(n), b(n);
  uint32_t s = 1;
  for (int i = 0; i < n; ++i) {
    s = s * 1664525u + 1013904223u;
    const uint16_t bits = uint16_t(s >> 8);
    a[i] = __ushort_as_half(bits);
    b[i] = __ushort_as_half(i % 3 ? uint16_t((bits & 0x7c00) ^ (s >> 3 & 0x83ff)) : s >> 15);
  }
  __half* const dOut = newOnDevice<__half>(kResults * n);
  int* const dFlags = newOnDevice<int>(n);
  arithmetic<<<blocks, 128>>>(toDevice(a), toDevice(b), dOut, dFlags, n);
  const std::vector<__half> out = toHost(dOut, kResults * n);
  const std::vector<int> flags = toHost(dFlags, n);
  const char* names[kResults] = {"+", "-", "*", "fma", "negation", "sqrt"};
  for (int i = 0; i < n; ++i) {
    __half e[kResults];
    int flag;
    compute(a[i], b[i], e, &flag);
    for (int k = 0; k < kResults; ++k)
      if (!same(out[kResults * i + k], e[k]))
        fail("%g %s %g is %g, expected %g", float(a[i]), names[k], float(b[i]),
             float(out[kResults * i + k]), float(e[k]));
    if (flags[i] != flag)
      fail("comparisons of %g and %g are %x, expected %x", float(a[i]), float(b[i]), flags[i],
           flag);
  }

  std::vector<float> floats(n);
  for (int i = 0; i < n; ++i) {
    s = s * 69069u + 1;
    uint32_t bits = i % 2 ? s : (s & 0x80ffffff) | (0x33u + (s >> 24) % 20) << 24;
    if (i % 7 == 0) bits &= 0xffffe000;
    if (i % 7 == 1) bits = (bits & 0xffffe000) | 0x1000;  // ties
    memcpy(&floats[i], &bits, 4);
  }
  __half* const dHalves = newOnDevice<__half>(n);
  __nv_bfloat16* const dBfloats = newOnDevice<__nv_bfloat16>(n);
  convert<<<blocks, 128>>>(toDevice(floats), dHalves, dBfloats, n);
  const auto halves = toHost(dHalves, n);
  const auto bfloats = toHost(dBfloats, n);
  for (int i = 0; i < n; ++i)
    if (!same(halves[i], __float2half_rn(floats[i])) ||
        !same(bfloats[i], __float2bfloat16(floats[i])))
      fail("%a is %g as a half, %g as a bfloat16", floats[i], float(halves[i]), float(bfloats[i]));

  // Pairs: multiples of 1/8, whose results stay exact.
  std::vector<__half2> x(n / 2), y(n / 2);
  for (int i = 0; i < n / 2; ++i) {
    x[i] = __floats2half2_rn((i % 40) / 8.0f, -(i % 24) / 8.0f);
    y[i] = __floats2half2_rn(float(i % 32), (i % 16) * 0.5f);
  }
  __half2 *const dX = toDevice(x), *const dY = toDevice(y);
  float* const dSum = newOnDevice<float>(1);
  float expected = 0;
  dot<<<1, 32>>>(dX, dY, n / 2, dSum);
  axpy<<<(n / 2 + 127) / 128, 128>>>(__float2half(1.5f), dX, dY, n / 2);
  const float sum = toHost(dSum, 1)[0];
  const std::vector<__half2> got = toHost(dY, n / 2);
  for (int i = 0; i < n / 2; ++i) {
    const float2 u = __half22float2(x[i]), v = __half22float2(y[i]), w = __half22float2(got[i]);
    expected += u.x * v.x + u.y * v.y;
    if (w.x != 1.5f * u.x + v.x || w.y != 1.5f * u.y + v.y) fail("pair %d is %g %g", i, w.x, w.y);
  }
  if (sum != expected) fail("the dot product is %g, expected %g", sum, expected);
  __half2* const sums = toDevice(std::vector<__half2>(4, __float2half2_rn(0)));
  accumulate<<<1, 64>>>(sums, dX, 64);
  const std::vector<__half2> four = toHost(sums, 4);
  for (int k = 0; k < 4; ++k) {
    float low = 0;
    for (int i = k; i < 64; i += 4) low += __low2float(x[i]);
    if (__low2float(four[k]) != low)
      fail("the sum of %d is %g, expected %g", k, __low2float(four[k]), low);
  }
  puts("PASS");
}
