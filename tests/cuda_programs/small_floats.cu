// Tests __half and __nv_bfloat16 on the host against the compiler's wide numbers: every number of
// 16 bits, every kind of rounding. Prints the errors and ends with code 1.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cmath>
#include <cstdio>
#include <cstring>

namespace {

int wrong = 0;

void expect(bool right, const char* what, double a, double b, double got) {
  if (!right && wrong++ < 20) std::printf("%s of %a, %a is %a\n", what, a, b, got);
}

struct Format {
  int digits, leastExponent;
  double largest;
};
const Format kHalf = {11, -14, 65504.0}, kBfloat16 = {8, -126, 0x1.fep127};

/// Returns `x` rounded to a multiple of its last place in the format; direction: 0 nearest, 1 zero,
/// 2 up, 3 down. `x` is exact in long double for the values asked.
double rounded(long double x, const Format& f, int direction) {
  if (x == 0 || std::isnan(x) || std::isinf(x)) return static_cast<double>(x);
  int e;
  std::frexp(x, &e);
  if (e - 1 < f.leastExponent) e = f.leastExponent + 1;
  const long double unit = std::ldexp(1.0L, e - f.digits);
  const long double q = x / unit;
  const long double r = direction == 0   ? std::nearbyint(q)
                        : direction == 1 ? std::trunc(q)
                        : direction == 2 ? std::ceil(q)
                                         : std::floor(q);
  const double y = static_cast<double>(r * unit);
  if (std::fabs(y) > f.largest) {
    const bool finite = direction == 1 || direction == (y > 0 ? 3 : 2);
    return std::copysign(finite ? f.largest : HUGE_VAL, y);
  }
  return y == 0 ? std::copysign(0.0, static_cast<double>(x)) : y;
}

bool same(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  return a == b && std::signbit(a) == std::signbit(b);
}

template <class T>
T fromBits(unsigned bits);
template <>
__half fromBits<__half>(unsigned bits) {
  return __ushort_as_half(static_cast<unsigned short>(bits));
}
template <>
__nv_bfloat16 fromBits<__nv_bfloat16>(unsigned bits) {
  return __ushort_as_bfloat16(static_cast<unsigned short>(bits));
}
double valueOf(unsigned bits, const Format& f) {
  const int fraction = f.digits - 1;
  const unsigned top = (1u << (15 - fraction)) - 1;
  const unsigned exponent = (bits & 0x7fff) >> fraction, m = bits & ((1u << fraction) - 1);
  const double magnitude = exponent == top ? (m != 0 ? NAN : HUGE_VAL)
                           : exponent == 0
                               ? std::ldexp(m, f.leastExponent - fraction)
                               : std::ldexp(m + (1u << fraction), static_cast<int>(exponent) - 1 +
                                                                      f.leastExponent - fraction);
  return (bits & 0x8000) != 0 ? -magnitude : magnitude;
}

float floatOfBits(unsigned bits) {
  float x;
  std::memcpy(&x, &bits, 4);
  return x;
}

template <class T, class FromFloat>
void conversions(const char* name, const Format& f, FromFloat fromFloat) {
  for (unsigned bits = 0; bits < 0x10000; ++bits) {
    const float x = fromBits<T>(bits);
    expect(same(x, valueOf(bits, f)), name, bits, 0, x);
    expect(std::isnan(x) || T(x).bits() == bits, "back", bits, 0, x);
    // Halfway to the next number, and just beside that.
    for (int beside = -1; beside <= 1; ++beside) {
      const double next = valueOf(bits + 1, f);
      const double middle = (static_cast<double>(x) + next) / 2;
      if (std::isnan(middle) || std::isinf(middle)) continue;
      const double y = beside == 0 ? middle : std::nextafter(middle, beside * HUGE_VAL);
      expect(same(static_cast<float>(T(y)), rounded(y, f, 0)), "double", y, 0,
             static_cast<float>(T(y)));
    }
  }
  for (unsigned long long bits = 0; bits < 0x100000000ull; bits += 4097) {
    const float x = floatOfBits(static_cast<unsigned>(bits));
    for (int direction = 0; direction < 4; ++direction) {
      const float y = fromFloat(x, direction);
      expect(same(y, rounded(x, f, direction)), "float", x, direction, y);
    }
  }
}

template <class T>
void arithmetic(const Format& f) {
  const unsigned others[] = {0,      0x8000, 1,      0x8001, 0x0400, 0x3c00, 0xbc00, 0x3c01,
                             0x3555, 0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x7e00, 0x3f80, 0xbf80,
                             0x3f81, 0x7f7f, 0x7f80, 0x4248, 0x0080, 0x1234};
  for (unsigned i = 0; i < 0x10000; ++i) {
    for (const unsigned j : others) {
      const T a = fromBits<T>(i), b = fromBits<T>(j);
      const long double x = static_cast<float>(a), y = static_cast<float>(b);
      expect(same(static_cast<float>(a + b), rounded(x + y, f, 0)), "+", i, j,
             static_cast<float>(a + b));
      expect(same(static_cast<float>(a - b), rounded(x - y, f, 0)), "-", i, j,
             static_cast<float>(a - b));
      expect(same(static_cast<float>(a * b), rounded(x * y, f, 0)), "*", i, j,
             static_cast<float>(a * b));
      const double quotient = static_cast<double>(x) / static_cast<double>(y);
      expect(same(static_cast<float>(a / b), rounded(quotient, f, 0)), "/", i, j,
             static_cast<float>(a / b));
      expect((a < b) == (x < y) && (a == b) == (x == y) && (a != b) == (x != y) &&
                 (a >= b) == (x >= y),
             "<", i, j, 0);
      expect(__hltu(a, b) == !(x >= y) && __hequ(a, b) == !(x < y || x > y), "unordered", i, j, 0);
      const float least = __hmin(a, b), most = __hmax(a, b);
      const bool nan = std::isnan(x) || std::isnan(y);
      expect(nan || (least == std::fmin(x, y) && most == std::fmax(x, y)), "extremes", i, j, least);
      const float s = __hadd_sat(a, b);
      const float sum = static_cast<float>(a + b);
      expect(s == (sum >= 1 ? 1.0f : sum > 0 ? sum : 0.0f), "saturated", i, j, s);
    }
  }
}

/// Computes x y + z in 113 bits: exact for halves, and for bfloat16 of near exponents.
template <class T>
void fused(const Format& f, unsigned least, unsigned most) {
  unsigned long long state = 12345;
  for (int i = 0; i < 2000000; ++i) {
    unsigned w[3];
    for (unsigned& each : w) {
      state = state * 6364136223846793005ull + 1442695040888963407ull;
      const unsigned random = static_cast<unsigned>(state >> 33);
      each = (random & 0x8000) | (least + (random & 0x7fff) % (most - least));
    }
    const T a = fromBits<T>(w[0]), b = fromBits<T>(w[1]), c = fromBits<T>(w[2]);
    const long double x = static_cast<float>(a), y = static_cast<float>(b),
                      z = static_cast<float>(c);
    const float r = __hfma(a, b, c);
    expect(same(r, rounded(x * y + z, f, 0)), "fma", w[0], w[1], r);
  }
}

void wholes() {
  const long long values[] = {0,     1,      -1,        2049,   2051, 65503, 65519,
                              65520, -65520, 1ll << 40, -32768, 4097, 32767};
  for (const long long v : values) {
    const float n = __ll2half_rn(v), z = __ll2half_rz(v), u = __ll2half_ru(v), d = __ll2half_rd(v);
    expect(n == rounded(v, kHalf, 0) && z == rounded(v, kHalf, 1), "ll2half",
           static_cast<double>(v), 0, n);
    expect(u == rounded(v, kHalf, 2) && d == rounded(v, kHalf, 3), "ll2half",
           static_cast<double>(v), 1, u);
  }
  for (unsigned bits = 0; bits < 0x10000; ++bits) {
    const __half h = fromBits<__half>(bits);
    const double x = static_cast<float>(h);
    if (std::isnan(x)) {
      expect(__half2int_rn(h) == 0 && __half2ull_rz(h) == 0x8000000000000000ull, "NaN", bits, 0, 0);
      continue;
    }
    const double bounded = std::fmax(-2147483648.0, std::fmin(2147483647.0, x));
    expect(__half2int_rn(h) == static_cast<int>(std::nearbyint(bounded)), "half2int_rn", x, 0,
           __half2int_rn(h));
    expect(__half2int_rd(h) == static_cast<int>(std::floor(bounded)), "half2int_rd", x, 0,
           __half2int_rd(h));
    const double unsignedOne = std::fmax(0.0, std::fmin(65535.0, std::ceil(x)));
    expect(__half2ushort_ru(h) == static_cast<unsigned>(unsignedOne), "half2ushort_ru", x, 0,
           __half2ushort_ru(h));
  }
}

}  // namespace

int main() {
  conversions<__half>("half", kHalf, [](float x, int d) {
    return static_cast<float>(d == 0   ? __float2half_rn(x)
                              : d == 1 ? __float2half_rz(x)
                              : d == 2 ? __float2half_ru(x)
                                       : __float2half_rd(x));
  });
  conversions<__nv_bfloat16>("bfloat16", kBfloat16, [](float x, int d) {
    return static_cast<float>(d == 0   ? __float2bfloat16_rn(x)
                              : d == 1 ? __float2bfloat16_rz(x)
                              : d == 2 ? __float2bfloat16_ru(x)
                                       : __float2bfloat16_rd(x));
  });
  arithmetic<__half>(kHalf);
  arithmetic<__nv_bfloat16>(kBfloat16);
  fused<__half>(kHalf, 0, 0x7c00);
  fused<__nv_bfloat16>(kBfloat16, 0x3b00, 0x4300);
  wholes();
  std::printf("%d wrong\n", wrong);
  return wrong == 0 ? 0 : 1;
}
