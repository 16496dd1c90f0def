// Half precision and bfloat16: axpy and dot products of pairs, rounding of every conversion, and
// comparisons, against the host's own arithmetic on the bits.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cmath>
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

__global__ void arithmetic(const __half* a, const __half* b, __half* out, int* flags, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const __half x = a[i], y = b[i];
  out[6 * i] = __hadd(x, y);
  out[6 * i + 1] = x - y;
  out[6 * i + 2] = x * y;
  out[6 * i + 3] = __hfma(x, y, x);
  out[6 * i + 4] = __hneg(x);
  out[6 * i + 5] = hsqrt(__habs(x));
  flags[i] = __hlt(x, y) | __hge(x, y) << 1 | (x == y) << 2 | __hisnan(x) << 3 |
             (__half2int_rn(y) & 0xff) << 8;
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

// Returns the nearest half, ties to even. Every value of the tests is exact as a double.
static uint16_t nearest(double v) {
  const uint16_t sign = std::signbit(v) ? 0x8000 : 0;
  v = std::fabs(v);
  if (std::isnan(v)) return 0x7fff;
  if (v >= 65520) return sign | 0x7c00;
  int exponent;
  std::frexp(v, &exponent);
  const double unit = std::ldexp(1.0, std::max(exponent - 11, -24));
  const double units = std::nearbyint(v / unit);
  if (units == 0) return sign;
  int e = std::max(exponent - 11, -24) + 24;  // exponent field less the 1 that the leading bit adds
  return uint16_t(sign | (uint32_t(e << 10) + uint32_t(units)));
}

static double valueOf(uint16_t h) {
  const int e = h >> 10 & 31, m = h & 1023;
  const double v = e == 31 ? (m ? NAN : INFINITY)
                   : e     ? std::ldexp(1024 + m, e - 25)
                           : std::ldexp(m, -24);
  return h & 0x8000 ? -v : v;
}

static bool same(uint16_t got, uint16_t e) {
  return got == e || (std::isnan(valueOf(got)) && std::isnan(valueOf(e)));
}

int main() {
  const int n = 2000;
  std::vector<uint16_t> a(n), b(n), out(6 * n);
  uint32_t s = 1;
  for (int i = 0; i < n; ++i) {
    s = s * 1664525u + 1013904223u;
    a[i] = uint16_t(s >> 8);
    b[i] = i % 3 ? uint16_t((a[i] & 0x7c00) ^ (s >> 3 & 0x83ff)) : uint16_t(s >> 15);
  }
  __half *dA, *dB, *dOut;
  CHECK(cudaMalloc(&dA, n * 2));
  CHECK(cudaMalloc(&dB, n * 2));
  CHECK(cudaMalloc(&dOut, 12 * n));
  int* const dFlags = newOnDevice<int>(n);
  CHECK(cudaMemcpy(dA, a.data(), n * 2, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(dB, b.data(), n * 2, cudaMemcpyHostToDevice));
  arithmetic<<<(n + 127) / 128, 128>>>(dA, dB, dOut, dFlags, n);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(out.data(), dOut, 12 * n, cudaMemcpyDeviceToHost));
  const std::vector<int> flags = toHost(dFlags, n);
  const char* names[] = {"+", "-", "*", "fma", "negation", "sqrt"};
  for (int i = 0; i < n; ++i) {
    const double x = valueOf(a[i]), y = valueOf(b[i]);
    // An inexact sum of doubles is off by far less than a half's step, but it may break a tie the
    // wrong way.
    const double product = x * y, exact = product + x;
    const bool inexact = exact - product != x || exact - x != product;
    const uint16_t e[] = {nearest(x + y), nearest(x - y), nearest(product),
                          nearest(exact), nearest(-x),    nearest(std::sqrt(std::fabs(x)))};
    for (int k = 0; k < 6; ++k) {
      if (same(out[6 * i + k], e[k]) ||
          (k == 3 && inexact &&
           std::fabs(valueOf(out[6 * i + k]) - exact) <= std::fabs(exact) * 0x1p-10))
        continue;
      fail("%04x %s %04x is %04x, expected %04x", a[i], names[k], b[i], out[6 * i + k], e[k]);
    }
    const int flag = (x < y) | (x >= y) << 1 | (x == y) << 2 | std::isnan(x) << 3;
    if ((flags[i] & 15) != flag)
      fail("comparisons of %04x and %04x are %x, expected %x", a[i], b[i], flags[i] & 15, flag);
    if (std::fabs(y) < 1e6 && flags[i] >> 8 != (int(std::nearbyint(y)) & 0xff))
      fail("%04x as an integer", b[i]);
  }

  std::vector<float> floats(n);
  for (int i = 0; i < n; ++i) {
    s = s * 69069u + 1;
    uint32_t bits = i % 2 ? s : (s & 0x80ffffff) | (0x33u + (s >> 24) % 20) << 24;
    if (i % 7 == 0) bits &= 0xffffe000;
    if (i % 7 == 1) bits = (bits & 0xffffe000) | 0x1000;  // ties
    memcpy(&floats[i], &bits, 4);
  }
  __nv_bfloat16* const dBf = newOnDevice<__nv_bfloat16>(n);
  convert<<<(n + 127) / 128, 128>>>(toDevice(floats), dA, dBf, n);
  CHECK(cudaGetLastError());
  std::vector<uint16_t> halves(n), bfloats(n);
  CHECK(cudaMemcpy(halves.data(), dA, n * 2, cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(bfloats.data(), dBf, n * 2, cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; ++i) {
    uint32_t bits;
    memcpy(&bits, &floats[i], 4);
    const uint16_t e = uint16_t((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
    const bool nan = std::isnan(floats[i]);
    if (!same(halves[i], nearest(floats[i])))
      fail("%a as a half is %04x, expected %04x", floats[i], halves[i], nearest(floats[i]));
    if (nan ? (bfloats[i] & 0x7fff) <= 0x7f80 : bfloats[i] != e)
      fail("%a as a bfloat16 is %04x, expected %04x", floats[i], bfloats[i], e);
  }

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
  CHECK(cudaMemset(dA, 0, 16));
  accumulate<<<1, 64>>>((__half2*)dA, dX, 64);
  __half2 four[4];
  CHECK(cudaMemcpy(four, dA, sizeof four, cudaMemcpyDeviceToHost));
  for (int k = 0; k < 4; ++k) {
    float low = 0;
    for (int i = k; i < 64; i += 4) low += __low2float(x[i]);
    if (__low2float(four[k]) != low)
      fail("the sum of %d is %g, expected %g", k, __low2float(four[k]), low);
  }
  puts("PASS");
}
