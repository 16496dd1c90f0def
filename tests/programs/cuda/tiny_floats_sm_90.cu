// Numbers of 8, 6 and 4 bits: every half rounds to the nearest number of each format on the host
// and the device; classes of one, two and four.
#include <cuda_fp4.h>
#include <cuda_fp6.h>
#include <cuda_fp8.h>

#include <cmath>
#include <cstring>

#include "check.h"

struct Results {
  unsigned char e4m3, e4m3Unsaturated, e5m2, e5m2Unsaturated, e2m3, e3m2, e2m1, e2m1Cut;
};

__host__ __device__ Results rounded(__half_raw a) {
  return {__nv_cvt_halfraw_to_fp8(a, __NV_SATFINITE, __NV_E4M3),
          __nv_cvt_halfraw_to_fp8(a, __NV_NOSAT, __NV_E4M3),
          __nv_cvt_halfraw_to_fp8(a, __NV_SATFINITE, __NV_E5M2),
          __nv_cvt_halfraw_to_fp8(a, __NV_NOSAT, __NV_E5M2),
          __nv_cvt_halfraw_to_fp6(a, __NV_E2M3, cudaRoundNearest),
          __nv_cvt_halfraw_to_fp6(a, __NV_E3M2, cudaRoundNearest),
          __nv_cvt_halfraw_to_fp4(a, __NV_E2M1, cudaRoundNearest),
          __nv_cvt_halfraw_to_fp4(a, __NV_E2M1, cudaRoundZero)};
}
__global__ void roundAll(Results* results) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  results[i] = rounded({static_cast<unsigned short>(i)});
}

/// A format as its specification defines it.
struct Format {
  int bits, fraction, bias;
  unsigned most;  ///< magnitude of the largest number
};
static double valueOf(const Format& f, unsigned magnitude) {
  const int exponent = int(magnitude >> f.fraction);
  const double fraction = magnitude & ((1u << f.fraction) - 1);
  return exponent == 0 ? std::ldexp(fraction, 1 - f.bias - f.fraction)
                       : std::ldexp(fraction + (1 << f.fraction), exponent - f.bias - f.fraction);
}
/// Searches the nearest number; of two, the even one. `beyond`: a number too large becomes this.
static unsigned nearest(const Format& f, double x, unsigned beyond) {
  const double a = std::fabs(x);
  const unsigned sign = std::signbit(x) ? 1u << (f.bits - 1) : 0;
  unsigned best = 0;
  for (unsigned m = 1; m <= f.most + 1; ++m) {
    const double now = std::fabs(valueOf(f, m) - a), before = std::fabs(valueOf(f, best) - a);
    if (now < before || (now == before && m % 2 == 0)) best = m;
  }
  return sign | (best > f.most || std::isinf(x) ? beyond : best);
}

const Format kE4m3 = {8, 3, 7, 0x7e}, kE5m2 = {8, 2, 15, 0x7b}, kE2m3 = {6, 3, 1, 0x1f},
             kE3m2 = {6, 2, 3, 0x1f}, kE2m1 = {4, 1, 1, 7};

static void checkHalves() {
  Results* const device = newOnDevice<Results>(65536);
  roundAll<<<256, 256>>>(device);
  const std::vector<Results> got = toHost(device, 65536);
  for (unsigned i = 0; i < 65536; ++i) {
    const __half_raw half = {static_cast<unsigned short>(i)};
    const double x = float(__half(half));
    Results e = {0x7f, 0x7f, 0x7f, 0x7f, 0x1f, 0x1f, 7, 7};  // of a NaN
    if (!std::isnan(x)) {
      const double cut = std::fabs(x) >= 6   ? 6
                         : std::fabs(x) >= 4 ? 4
                         : std::fabs(x) >= 3 ? 3
                                             : std::floor(std::fabs(x) * 2) / 2;
      e = {static_cast<unsigned char>(nearest(kE4m3, x, 0x7e)),
           static_cast<unsigned char>(nearest(kE4m3, x, 0x7f)),
           static_cast<unsigned char>(nearest(kE5m2, x, 0x7b)),
           static_cast<unsigned char>(nearest(kE5m2, x, 0x7c)),
           static_cast<unsigned char>(nearest(kE2m3, x, 0x1f)),
           static_cast<unsigned char>(nearest(kE3m2, x, 0x1f)),
           static_cast<unsigned char>(nearest(kE2m1, x, 7)),
           static_cast<unsigned char>(nearest(kE2m1, std::copysign(cut, x), 7))};
    }
    const Results host = rounded(half);
    for (unsigned k = 0; k < sizeof e; ++k) {
      const unsigned right = (&e.e4m3)[k], ofHost = (&host.e4m3)[k], ofDevice = (&got[i].e4m3)[k];
      if (ofHost != right || ofDevice != right)
        fail("half %04x, result %u: %02x on the host, %02x on the device, expected %02x", i, k,
             ofHost, ofDevice, right);
    }
  }
}

template <class Number>
static void checkValues(const Format& f) {
  for (unsigned bits = 0; bits < 1u << f.bits; ++bits) {
    Number number;
    number.__x = static_cast<unsigned char>(bits);
    const unsigned magnitude = bits & ((1u << (f.bits - 1)) - 1);
    if (magnitude > f.most) continue;  // infinities and NaNs
    const double right = magnitude == bits ? valueOf(f, magnitude) : -valueOf(f, magnitude);
    EXPECT(double(number) == right && std::signbit(double(number)) == std::signbit(right));
    EXPECT(float(__half(number)) == right && float(__nv_bfloat16(number)) == right);
    EXPECT(Number(right).__x == bits && Number(float(right)).__x == bits);
    EXPECT(int(number) == int(right) && bool(number) == (right != 0));
  }
}

__global__ void join(__nv_fp8x4_e4m3* quads, const float4* in, float4* out, __nv_fp8x2_e5m2* pairs,
                     __nv_fp4x4_e2m1* fours) {
  quads[0] = __nv_fp8x4_e4m3(in[0]);
  out[0] = float4(quads[0]);
  pairs[0] = __nv_fp8x2_e5m2(float2{in[0].x, in[0].y});
  fours[0] = __nv_fp4x4_e2m1(in[0]);
  out[1] = float4(fours[0]);
}

static void checkVectors() {
  const float4 in = {1.5f, -448.0f, 1000.0f, 0.3f};
  const __nv_fp8x4_e4m3 quad(in);
  auto* const quads = newOnDevice<__nv_fp8x4_e4m3>(1);
  auto* const pairs = newOnDevice<__nv_fp8x2_e5m2>(1);
  auto* const fours = newOnDevice<__nv_fp4x4_e2m1>(1);
  float4* const out = newOnDevice<float4>(2);
  join<<<1, 1>>>(quads, toDevice<float4>({in}), out, pairs, fours);
  EXPECT(toHost(quads, 1)[0].__x == 0x2a7efe3c && quad.__x == 0x2a7efe3c);
  EXPECT(toHost(pairs, 1)[0].__x == 0xdf3e && __nv_fp8x2_e5m2(float2{1.5f, -448.0f}).__x == 0xdf3e);
  EXPECT(toHost(fours, 1)[0].__x == 0x17f3 && __nv_fp4x4_e2m1(in).__x == 0x17f3);
  const float4 back = toHost(out, 1)[0], same = float4(quad);
  EXPECT(back.x == 1.5f && back.y == -448.0f && back.z == 448.0f && back.w == 0.3125f);
  EXPECT(same.x == back.x && same.y == back.y && same.z == back.z && same.w == back.w);
  const __half2 low = {__half(2.0f), __half(-3.0f)}, high = {__half(0.5f), __half(16.0f)};
  EXPECT(__nv_fp8x4_e5m2(low, high).__x == 0x4c38c240);
  EXPECT(sizeof(__nv_fp6x2_e3m2) == 2 && sizeof(__nv_fp6x4_e3m2) == 4 &&
         alignof(__nv_fp8x4_e5m2) == 4);
}

/// What a scale rounds to: to zero or up, and beyond the largest one saturated or not.
struct Scales {
  unsigned char down, up, downSaturated, upSaturated;
};
__host__ __device__ Scales scaled(double a) {
  return {__nv_cvt_double_to_e8m0(a, __NV_NOSAT, cudaRoundZero),
          __nv_cvt_double_to_e8m0(a, __NV_NOSAT, cudaRoundPosInf),
          __nv_cvt_double_to_e8m0(a, __NV_SATFINITE, cudaRoundZero),
          __nv_cvt_double_to_e8m0(a, __NV_SATFINITE, cudaRoundPosInf)};
}
__global__ void scaleAll(const double* in, Scales* out) {
  out[threadIdx.x] = scaled(in[threadIdx.x]);
}

static void checkScales() {
  const std::vector<double> in = {0,    0x1p-127, 0x1.01p-127, 0x1.ffp-128, 0x1p-126, 1,
                                  -1.5, 0x1p127,  0x1.01p127,  1e300,       INFINITY, NAN};
  const Scales right[] = {{0, 0, 0, 0},         {0, 0, 0, 0},         {0, 1, 0, 1},
                          {0, 0, 0, 0},         {1, 1, 1, 1},         {127, 127, 127, 127},
                          {127, 128, 127, 128}, {254, 254, 254, 254}, {254, 255, 254, 254},
                          {254, 255, 254, 254}, {255, 255, 254, 254}, {255, 255, 255, 255}};
  Scales* const device = newOnDevice<Scales>(in.size());
  scaleAll<<<1, 12>>>(toDevice(in), device);
  const std::vector<Scales> got = toHost(device, in.size());
  for (unsigned i = 0; i < in.size(); ++i) {
    const Scales here = scaled(in[i]);
    EXPECT(std::memcmp(&got[i], &right[i], 4) == 0 && std::memcmp(&here, &right[i], 4) == 0);
  }
  for (unsigned bits = 0; bits < 255; ++bits) {
    __nv_fp8_e8m0 scale;
    scale.__x = static_cast<unsigned char>(bits);
    EXPECT(double(scale) == std::ldexp(1.0, int(bits) - 127));
    EXPECT(float(__nv_bfloat16(scale)) == float(scale) && __nv_fp8_e8m0(float(scale)).__x == bits);
  }
  EXPECT(__nv_fp8x4_e8m0(float4{1, 2, 4, 0.3f}).__x == 0x7e81807f);
}

int main() {
  checkScales();
  checkHalves();
  checkValues<__nv_fp8_e4m3>(kE4m3);
  checkValues<__nv_fp8_e5m2>(kE5m2);
  checkValues<__nv_fp6_e2m3>(kE2m3);
  checkValues<__nv_fp6_e3m2>(kE3m2);
  checkValues<__nv_fp4_e2m1>(kE2m1);
  checkVectors();
  EXPECT(__nv_fp8_e4m3(1e9).__x == 0x7e && __nv_fp8_e4m3(-300).__x == 0xf9);
  EXPECT(__nv_fp8_e5m2(-INFINITY).__x == 0xfb && std::isnan(float(__nv_fp8_e4m3(NAN))));
  puts("PASS");
}
