// Floats of 8 bits (OCP 8-bit Floating Point Specification, revision 1.0): e5m2 has the infinities
// and the several NaNs of IEEE 754; e4m3 has no infinity, and 0x7f and 0xff for NaN.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include <fermata/stimuli/ptx/half.h>

namespace fermata::ptx {

/// Converts an e5m2, which is the upper byte of an f16.
inline float floatOfE5m2(std::uint32_t byte) {
  return f16ToFloat((byte & 0xffU) << 8);
}
/// Converts an e4m3 without a branch. Scaling by the difference of the exponents holds for
/// subnormals, too.
inline float floatOfE4m3(std::uint32_t byte) {
  std::uint32_t bits = bitsAs<std::uint32_t>(bitsAs<float>((byte & 0x7fU) << 20) * 0x1p120F);
  bits |= (byte & 0x7fU) == 0x7fU ? 0x7fffffffU : 0U;
  return bitsAs<float>(bits | (byte & 0x80U) << 24);
}

struct Float8Format {
  int fraction, minExponent;
  double most;
};
inline constexpr Float8Format kE4m3 = {3, -6, 448};
inline constexpr Float8Format kE5m2 = {2, -14, 57344};

/// Rounds to nearest even. A value beyond the format becomes its largest number (PTX ISA, cvt
/// .satfinite). NaN is 0x7f in both formats; the ISA leaves it open for e5m2 (assumption).
inline std::uint32_t toFloat8(double value, const Float8Format& format) {
  if (value != value) return 0x7f;
  const std::uint32_t sign = std::signbit(value) ? 0x80 : 0;
  const double magnitude = std::min(std::fabs(value), format.most);
  if (magnitude == 0) return sign;
  const int exponent = std::max(std::ilogb(magnitude), format.minExponent);
  // Carries and subnormals need no special case: numbers of one sign are in order of their bits.
  const auto digits =
      static_cast<std::uint32_t>(std::nearbyint(std::ldexp(magnitude, format.fraction - exponent)));
  return sign |
         ((static_cast<std::uint32_t>(exponent - format.minExponent) << format.fraction) + digits);
}

}  // namespace fermata::ptx
