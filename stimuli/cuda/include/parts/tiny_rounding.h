// Numbers of 4, 6 and 8 bits: rounding to them, and what they stand for, on the host and the
// device.
#pragma once

#include "half_types.h"

enum cudaRoundMode { cudaRoundNearest, cudaRoundZero, cudaRoundPosInf, cudaRoundMinInf };

namespace fermata_cuda {

/// Types that hold one, two and four numbers, and the bits from one number to the next.
template <int kBits>
struct TinyStorage {
  typedef unsigned char Storage;
  typedef unsigned short PairStorage;
  typedef unsigned int QuadStorage;
  static constexpr int kStep = 8;
};
template <>
struct TinyStorage<4> {
  typedef unsigned char Storage, PairStorage;
  typedef unsigned short QuadStorage;
  static constexpr int kStep = 4;
};

/// Each format has kFraction bits behind the point, a bias, and its largest number. A number beyond
/// it becomes kBeyond unless it saturates; kNan is 0 if there is no NaN.
struct E4m3 : TinyStorage<8> {
  static constexpr int kBits = 8, kFraction = 3, kBias = 7;
  static constexpr unsigned kMost = 0x7e, kBeyond = 0x7f, kNan = 0x7f;
};
struct E5m2 : TinyStorage<8> {
  static constexpr int kBits = 8, kFraction = 2, kBias = 15;
  static constexpr unsigned kMost = 0x7b, kBeyond = 0x7c, kNan = 0x7e;
};
struct E3m2 : TinyStorage<6> {
  static constexpr int kBits = 6, kFraction = 2, kBias = 3;
  static constexpr unsigned kMost = 0x1f, kBeyond = 0x1f, kNan = 0;
};
struct E2m3 : TinyStorage<6> {
  static constexpr int kBits = 6, kFraction = 3, kBias = 1;
  static constexpr unsigned kMost = 0x1f, kBeyond = 0x1f, kNan = 0;
};
struct E2m1 : TinyStorage<4> {
  static constexpr int kBits = 4, kFraction = 1, kBias = 1;
  static constexpr unsigned kMost = 0x7, kBeyond = 0x7, kNan = 0;
};

/// Returns the bits of a rounded number. A NaN of e5m2 keeps the first bits of its payload; a NaN
/// becomes the largest number where there is none (CUDA Math API).
template <class Format>
FERMATA_BOTH_LONG unsigned char tinyBits(double value, bool saturates, bool towardsZero) {
  typedef unsigned long long Word;
  constexpr int kFraction = Format::kFraction, kBias = Format::kBias;
  const Word b = fermata_math::bits(value), magnitude = b & 0x7fffffffffffffffull;
  const unsigned sign = static_cast<unsigned>(b >> 63) << (Format::kBits - 1);
  if (magnitude > 0x7ff0000000000000ull) {
    if (Format::kNan == 0) return static_cast<unsigned char>(Format::kMost);
    const unsigned payload = static_cast<unsigned>(magnitude >> (52 - kFraction));
    return static_cast<unsigned char>(sign | Format::kNan | (payload & ((1u << kFraction) - 1)));
  }
  const int exponent = static_cast<int>(magnitude >> 52) - 1023;
  const bool normal = exponent >= 1 - kBias;
  int shift = 52 - kFraction + (normal ? 0 : 1 - kBias - exponent);
  if (shift > 60) shift = 60;  // all of it is cut off
  const Word mantissa = (magnitude & 0xfffffffffffffull) | 0x10000000000000ull;
  const Word rest = mantissa & ((Word(1) << shift) - 1), half = Word(1) << (shift - 1);
  Word kept = mantissa >> shift;
  if (!towardsZero && (rest > half || (rest == half && (kept & 1) != 0))) ++kept;
  // The leading one of a normal number adds one to the exponent's field.
  if (normal) kept += static_cast<Word>(exponent + kBias - 1) << kFraction;
  if (kept > Format::kMost) kept = saturates ? Format::kMost : Format::kBeyond;
  return static_cast<unsigned char>(sign | static_cast<unsigned>(kept));
}
/// Rounds a float, whose NaN loses sign and payload, as the instructions do.
template <class Format>
FERMATA_BOTH unsigned char tinyBits(float value, bool saturates, bool towardsZero) {
  const double wide =
      value != value ? fermata_math::number(0x7fffffffffffffffull) : static_cast<double>(value);
  return tinyBits<Format>(wide, saturates, towardsZero);
}

/// Largest magnitude that is no NaN: e5m2 has an infinity, e4m3 has none.
template <class Format>
inline constexpr unsigned kLast = Format::kBeyond == Format::kNan ? Format::kMost : Format::kBeyond;

/// Returns the bits of the half that has the value; every one has.
template <class Format>
FERMATA_BOTH unsigned short halfOfTiny(unsigned bits) {
  const unsigned magnitude = bits & ((1u << (Format::kBits - 1)) - 1);
  const unsigned sign = (bits >> (Format::kBits - 1) & 1) << 15;
  if (Format::kNan != 0 && magnitude > kLast<Format>) return 0x7fff;
  const unsigned asHalf = magnitude << (10 - Format::kFraction);
  if (Format::kBias == 15) return static_cast<unsigned short>(sign | asHalf);
  // The half is smaller by the difference of the biases.
  constexpr float kScale = static_cast<float>(1 << (15 - Format::kBias));
  const float value = floatOfHalf(static_cast<unsigned short>(asHalf)) * kScale;
  return static_cast<unsigned short>(sign | halfBits(value));
}

}  // namespace fermata_cuda
