// Rounds a number to a format of 16 bits, in any direction, by integer arithmetic: for the host,
// and for devices without an instruction for it.
#pragma once

#include "../math/words.h"

namespace fermata_cuda {

enum class Rounding { Nearest, Zero, Up, Down };

/// Returns the bits in the format with `kMantissa` bits behind the point and `kBias`. A NaN becomes
/// 0x7fff.
template <int kMantissa, int kBias>
FERMATA_BOTH_LONG unsigned short narrowed(double value, Rounding rounding) {
  typedef unsigned long long Word;
  const Word b = fermata_math::bits(value);
  const unsigned sign = static_cast<unsigned>(b >> 63) << 15;
  const Word magnitude = b & 0x7fffffffffffffffull;
  constexpr unsigned kInfinity = static_cast<unsigned>(2 * kBias + 1) << kMantissa;
  if (magnitude > 0x7ff0000000000000ull) return 0x7fff;
  if (magnitude == 0x7ff0000000000000ull) return static_cast<unsigned short>(sign | kInfinity);
  if (magnitude == 0) return static_cast<unsigned short>(sign);
  const int exponent = static_cast<int>(magnitude >> 52) - 1023;
  const Word mantissa =
      exponent == -1023 ? 1 : (magnitude & 0xfffffffffffffull) | 0x10000000000000ull;
  const bool away = rounding == Rounding::Up ? sign == 0 : rounding == Rounding::Down && sign != 0;
  const bool normal = exponent >= 1 - kBias;
  int shift = 52 - kMantissa + (normal ? 0 : 1 - kBias - exponent);
  if (shift > 60) shift = 60;
  const Word rest = mantissa & ((Word(1) << shift) - 1), half = Word(1) << (shift - 1);
  Word kept = mantissa >> shift;
  const bool up = rounding == Rounding::Nearest ? rest > half || (rest == half && (kept & 1) != 0)
                                                : away && rest != 0;
  kept += up ? 1 : 0;
  // The leading one of a normal number adds one to the exponent's field.
  const Word result = normal ? (static_cast<Word>(exponent + kBias - 1) << kMantissa) + kept : kept;
  if (result >= kInfinity) {
    const bool infinite = rounding == Rounding::Nearest || away;
    return static_cast<unsigned short>(sign | (infinite ? kInfinity : kInfinity - 1));
  }
  return static_cast<unsigned short>(sign | static_cast<unsigned>(result));
}

/// Returns a b + c with all bits beyond a double's folded into its last bit ("round to odd"), so
/// that rounding once more is right. Precondition: a b is exact in a double.
FERMATA_BOTH double fusedToOdd(double a, double b, double c) {
  const double p = fermata_math::mul(a, b);
  const fermata_math::Two<double> s = fermata_math::sum(p, c);
  if (s.lo == 0.0 || !(fermata_math::magnitude(s.hi) < __builtin_inf())) return s.hi;
  const unsigned long long bits = fermata_math::bits(s.hi);
  if ((bits & 1) != 0) return s.hi;
  const bool larger = (s.lo > 0.0) == (s.hi > 0.0);
  return fermata_math::number(larger ? bits | 1 : (bits - 1) | 1);
}
/// Returns a whole number rounded to odd, like fusedToOdd().
FERMATA_BOTH double wholeToOdd(unsigned long long magnitude, bool negative) {
  const bool large = magnitude >> 53 != 0;
  const unsigned long long kept =
      large ? magnitude >> 11 | ((magnitude & 0x7ff) != 0 ? 1 : 0) : magnitude;
  const double value = static_cast<double>(kept) * (large ? 2048.0 : 1.0);
  return negative ? -value : value;
}

template <class T>
FERMATA_BOTH double wholeToOdd(T a) {
  const bool negative = a < static_cast<T>(0);
  const unsigned long long bits = static_cast<unsigned long long>(a);
  return wholeToOdd(negative ? 0ull - bits : bits, negative);
}

/// Rounds to a whole number and saturates; a NaN becomes 0, or 0x8000000000000000 for 64 bits.
template <class T>
FERMATA_BOTH T wholeOf(float a, Rounding rounding) {
  const float w = rounding == Rounding::Nearest ? __builtin_rintf(a)
                  : rounding == Rounding::Zero  ? __builtin_truncf(a)
                  : rounding == Rounding::Up    ? __builtin_ceilf(a)
                                                : __builtin_floorf(a);
  constexpr bool kSigned = static_cast<T>(-1) < static_cast<T>(0);
  constexpr int kBits = static_cast<int>(sizeof(T)) * 8;
  constexpr T kMost =
      kSigned ? static_cast<T>(~0ull >> (65 - kBits)) : static_cast<T>(~0ull >> (64 - kBits));
  constexpr T kLeast = kSigned ? static_cast<T>(-kMost - 1) : static_cast<T>(0);
  if (w != w) return kBits == 64 ? static_cast<T>(0x8000000000000000ull) : static_cast<T>(0);
  // Both bounds are powers of two, so that floats hold them exactly.
  if (w >= static_cast<float>(kMost / 2 + 1) * 2.0f) return kMost;
  return w < static_cast<float>(kLeast) ? kLeast : static_cast<T>(w);
}

}  // namespace fermata_cuda
