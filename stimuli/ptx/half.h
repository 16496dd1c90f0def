// Half precision (f16: 5 bits of exponent, 10 of fraction) and bfloat16 (8 and 7): exact values,
// and results rounded once.
//
// Arithmetic goes through double. Products of two halves fit a double. A sum that does not fit is
// rounded to odd there, so that a second rounding, to fewer bits, is still right.
#pragma once

#include <cmath>
#include <cstdint>
#include <type_traits>

#include <fermata/stimuli/ptx/bits.h>

namespace fermata::ptx {

/// Rounding to an integer (None: there is none), or to the digits of a result.
enum class Rounding : std::uint8_t { None, Nearest, Zero, Down, Up };

template <unsigned ExponentBits, unsigned FractionBits>
struct HalfFormat {
  static constexpr int kFraction = FractionBits;
  static constexpr int kBias = (1 << (ExponentBits - 1)) - 1;
  static constexpr std::uint16_t kInfinity = ((1U << ExponentBits) - 1U) << FractionBits;
  static constexpr std::uint16_t kOne = static_cast<std::uint16_t>(kBias << FractionBits);
};
using F16Format = HalfFormat<5, 10>;
using Bf16Format = HalfFormat<8, 7>;
/// Pattern of every result that is not a number (PTX ISA, half precision instructions).
inline constexpr std::uint16_t kHalfNan = 0x7fff;

template <class Format>
double fromHalf(std::uint16_t half) {
  const std::uint64_t sign = std::uint64_t{half & 0x8000U} << 48;
  const std::uint64_t rest = half & 0x7fffU;
  if (rest >= Format::kInfinity)
    return bitsAs<double>(sign |
                          (rest == Format::kInfinity ? 0x7ff0000000000000U : 0x7ff8000000000000U));
  const std::uint64_t implied = std::uint64_t{1} << Format::kFraction;
  if (rest < implied) {
    const double value =
        std::ldexp(static_cast<double>(rest), 1 - Format::kBias - Format::kFraction);
    return sign != 0 ? -value : value;
  }
  return bitsAs<double>(
      sign | ((rest << (52 - Format::kFraction)) + (std::uint64_t{1023 - Format::kBias} << 52)));
}

/// Rounds once, independent of the mode of the processor. Overflow follows IEEE 754.
template <class Format>
std::uint16_t toHalf(double value, Rounding rounding = Rounding::Nearest) {
  const std::uint64_t bits = bitsAs<std::uint64_t>(value);
  const auto sign = static_cast<std::uint16_t>(bits >> 48 & 0x8000U);
  const std::uint64_t magnitude = bits & 0x7fffffffffffffffU;
  if (magnitude > 0x7ff0000000000000U) return kHalfNan;
  if (magnitude == 0x7ff0000000000000U) return sign | Format::kInfinity;
  const int exponent = static_cast<int>(magnitude >> 52) - 1023;
  std::uint64_t digits = magnitude;  // exponent and fraction; the lowest `dropped` bits go
  int dropped = 52 - Format::kFraction;
  if (exponent >= 1 - Format::kBias) {
    digits -= std::uint64_t{1023 - Format::kBias} << 52;
  } else {
    digits = exponent < -1022 ? magnitude & 0xfffffffffffffU
                              : (magnitude & 0xfffffffffffffU) | std::uint64_t{1} << 52;
    dropped += 1 - Format::kBias - exponent;
    if (dropped > 62) {  // less than half of the smallest half
      dropped = 62;
      digits = digits != 0 ? 1 : 0;
    }
  }
  const std::uint64_t lost = digits & ((std::uint64_t{1} << dropped) - 1);
  const std::uint64_t half = std::uint64_t{1} << (dropped - 1);
  std::uint64_t kept = digits >> dropped;
  const bool away = rounding == (sign != 0 ? Rounding::Down : Rounding::Up);
  if (rounding == Rounding::Nearest) {
    kept += lost > half || (lost == half && (kept & 1U) != 0) ? 1 : 0;
  } else if (away && lost != 0) {
    ++kept;
  }
  if (kept >= Format::kInfinity) {
    kept = rounding == Rounding::Nearest || away ? Format::kInfinity : Format::kInfinity - 1U;
  }
  return static_cast<std::uint16_t>(sign | kept);
}

/// Returns the bits of an f32 result. PTX has one NaN for all results (PTX ISA, floating-point
/// instructions).
inline std::uint32_t bitsOfResult(float value) {
  return value == value ? bitsAs<std::uint32_t>(value) : 0x7fffffffU;
}

/// Converts f16 through single precision, without branches, so that all lanes convert at once.
inline float f16ToFloat(std::uint32_t half) {
  // Scaling by the difference of the exponents is exact, subnormal or not.
  std::uint32_t bits = bitsAs<std::uint32_t>(bitsAs<float>((half & 0x7fffU) << 13) * 0x1p112F);
  bits |= (half & 0x7c00U) == 0x7c00U ? 0x7f800000U : 0U;
  return bitsAs<float>(bits | (half & 0x8000U) << 16);
}
inline std::uint32_t f16FromFloat(float value) {
  std::uint32_t bits = bitsAs<std::uint32_t>(value);
  const std::uint32_t sign = bits & 0x80000000U;
  bits ^= sign;
  // The last place of 0.5F is that of subnormal halves, so the addition rounds there.
  const std::uint32_t small = bitsAs<std::uint32_t>(bitsAs<float>(bits) + 0.5F) - 0x3f000000U;
  const std::uint32_t normal = (bits - 0x38000000U + 0xfffU + (bits >> 13 & 1U)) >> 13;
  std::uint32_t half = bits < 0x38800000U ? small : normal;
  half = bits >= 0x47800000U ? F16Format::kInfinity : half;
  half |= sign >> 16;
  return bits > 0x7f800000U ? kHalfNan : half;
}

/// Rounds a double that is 0, infinite, not a number or from 2^-126 to 2^128, as sums of products
/// of halves are. The double first becomes a float, whose last bit is made odd if it is not exact.
/// That float is then rounded.
inline std::uint32_t f16FromDouble(double value) {
  const auto wide = bitsAs<std::uint64_t>(value);
  const std::uint64_t magnitude = wide & 0x7fffffffffffffffU;
  auto bits = static_cast<std::uint32_t>((magnitude >> 29) - (std::uint64_t{896} << 23));
  bits |= (magnitude & 0x1fffffffU) != 0 ? 1U : 0U;
  bits = magnitude == 0 ? 0U : bits;
  bits = magnitude >= 0x7ff0000000000000U ? 0x7f800000U : bits;
  bits |= magnitude > 0x7ff0000000000000U ? 1U : 0U;
  bits |= static_cast<std::uint32_t>(wide >> 32) & 0x80000000U;
  return f16FromFloat(bitsAs<float>(bits));
}

/// Rounds a float to bfloat16, which is the upper half of a float.
inline std::uint32_t bf16FromFloat(std::uint32_t bits) {
  const std::uint32_t rounded = (bits + 0x7fffU + (bits >> 16 & 1U)) >> 16;
  return (bits & 0x7fffffffU) > 0x7f800000U ? kHalfNan : rounded;
}

/// Returns a + b if a double holds it exactly; otherwise the neighbouring double whose last bit is
/// odd.
inline double sumToOdd(double a, double b) {
  const double sum = a + b;
  if (!std::isfinite(sum)) return sum;
  const double fromB = sum - a;
  const double error = (a - (sum - fromB)) + (b - fromB);
  std::uint64_t bits = bitsAs<std::uint64_t>(sum);
  if (error == 0 || (bits & 1U) != 0) return sum;
  bits += (error > 0) == (sum > 0) ? 1 : ~std::uint64_t{0};
  return bitsAs<double>(bits);
}

/// Returns the integer if a double holds it exactly; otherwise the neighbouring double whose last
/// bit is odd.
template <class Integer>
double integerToOdd(Integer value) {
  bool negative = false;
  if constexpr (std::is_signed_v<Integer>) negative = value < 0;
  auto magnitude = static_cast<std::uint64_t>(value);
  if (negative) magnitude = 0 - magnitude;
  int scale = 0;
  while (magnitude >> 53 != 0) {
    magnitude = magnitude >> 1 | (magnitude & 1U);
    ++scale;
  }
  const double result = std::ldexp(static_cast<double>(magnitude), scale);
  return negative ? -result : result;
}

}  // namespace fermata::ptx
