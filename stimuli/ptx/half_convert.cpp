// Converts (cvt) to and from f16 and bf16, alone and in pairs, and pairs of e4m3 and e5m2; to tf32.
#include <algorithm>
#include <cmath>

#include <fermata/stimuli/ptx/float8.h>
#include <fermata/stimuli/ptx/handlers.h>
#include <fermata/stimuli/ptx/warp.h>

namespace fermata::ptx {
namespace {

bool has(const Instruction& i, std::uint8_t flag) {
  return (i.floatFlags & flag) != 0;
}

/// Returns the bits of an f32; subnormals may be flushed.
std::uint32_t flushedIf(bool flush, std::uint32_t bits) {
  return flush && (bits & 0x7f800000U) == 0 ? bits & 0x80000000U : bits;
}

/// Returns the source of a conversion. Integers that no double holds are rounded to odd.
double sourceValue(const Warp& warp, const Instruction& i, Row row, Type type, unsigned lane) {
  const std::uint64_t bits = laneValue(warp, row, i.wideBase, lane);
  switch (type) {
    case Type::F16:
      return fromHalf<F16Format>(static_cast<std::uint16_t>(bits));
    case Type::Bf16:
      return fromHalf<Bf16Format>(static_cast<std::uint16_t>(bits));
    case Type::F32:
      return static_cast<double>(
          bitsAs<float>(flushedIf(has(i, kFlushFlag), static_cast<std::uint32_t>(bits))));
    case Type::F64:
      return bitsAs<double>(bits);
    default:
      break;
  }
  const std::uint64_t whole = extended(bits, 8 * bytesOf(type), isSigned(type));
  return isSigned(type) ? integerToOdd(static_cast<std::int64_t>(whole)) : integerToOdd(whole);
}

double toWhole(double value, Rounding rounding) {
  switch (rounding) {
    case Rounding::Nearest:
      return std::nearbyint(value);
    case Rounding::Zero:
      return std::trunc(value);
    case Rounding::Down:
      return std::floor(value);
    case Rounding::Up:
      return std::ceil(value);
    case Rounding::None:
      break;
  }
  return value;
}

double clampedTo(double value, const Instruction& i) {
  if (has(i, kSaturateFlag)) return value > 0 ? std::min(value, 1.0) : 0.0;
  return has(i, kReluFlag) && (value < 0 || (value == 0 && std::signbit(value))) ? 0.0 : value;
}

std::uint64_t wholeBits(double value, Type type) {
  const unsigned width = 8 * bytesOf(type);
  if (value != value) return width == 64 ? std::uint64_t{1} << 63 : 0;  // NaN: equals cvt from f32
  const double low = isSigned(type) ? -std::ldexp(1.0, static_cast<int>(width) - 1) : 0.0;
  const double high = std::ldexp(1.0, static_cast<int>(width) - (isSigned(type) ? 1 : 0));
  if (value >= high)
    return isSigned(type) ? (std::uint64_t{1} << (width - 1)) - 1 : ~std::uint64_t{0};
  if (value < low) value = low;
  if (isSigned(type)) return static_cast<std::uint64_t>(static_cast<std::int64_t>(value));
  return static_cast<std::uint64_t>(value);
}

std::uint64_t resultBits(double value, const Instruction& i, Type type, Rounding rounding) {
  switch (type) {
    case Type::F16:
      return toHalf<F16Format>(clampedTo(value, i), rounding);
    case Type::Bf16:
      return toHalf<Bf16Format>(clampedTo(value, i), rounding);
    case Type::F64:
      return bitsAs<std::uint64_t>(clampedTo(value, i));
    case Type::F32:
      return flushedIf(has(i, kFlushFlag), bitsOfResult(static_cast<float>(clampedTo(value, i))));
    default:
      return wholeBits(value, type);
  }
}

void executeHalfConvert(Warp& warp, const Instruction& i, LaneMask mask) {
  const auto [to, from, rounding, whole] = i.conversion;
  for (const unsigned lane : lanesIn(mask)) {
    const double value = toWhole(sourceValue(warp, i, i.a, from, lane), whole);
    const std::uint64_t bits =
        extended(resultBits(value, i, to, rounding), 8 * bytesOf(to), isSigned(to));
    setLane(warp, i.d, i.wideData, lane, extended(bits, 8U * i.registerBytes, false));
  }
}

/// Rounds a float to the half type `to`, to nearest, without modifiers.
std::uint32_t fromSingle(Type to, std::uint32_t bits) {
  return to == Type::Bf16 ? bf16FromFloat(bits) : f16FromFloat(bitsAs<float>(bits));
}

/// Converts between a half and single precision, to nearest, without modifiers.
template <Type From, Type To>
void executePlainConvert(Warp& warp, const Instruction& i, LaneMask mask) {
  const auto* a = rowOf<std::uint32_t>(warp, i.a);
  std::uint32_t result[kWarpLanes];
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
    const std::uint32_t bits = a[lane];
    if constexpr (To == Type::F32) {
      result[lane] =
          bitsOfResult(From == Type::F16 ? f16ToFloat(bits & 0xffffU) : bitsAs<float>(bits << 16));
    } else {
      result[lane] = fromSingle(To, bits);
    }
  }
  auto* d = rowOf<std::uint32_t>(warp, i.d);
  for (unsigned lane = 0; lane < kWarpLanes; ++lane)
    d[lane] = laneOn(mask, lane) ? result[lane] : d[lane];
}

/// Returns the bits of a result. With .relu, negative numbers and -0 become 0, NaN stays.
std::uint32_t float8Bits(float value, const Instruction& i) {
  const bool clamps = (i.floatFlags & kReluFlag) != 0 && std::signbit(value) && value == value;
  return toFloat8(clamps ? 0.0 : static_cast<double>(value),
                  (i.floatFlags & kE5m2Flag) != 0 ? kE5m2 : kE4m3);
}

}  // namespace

Handler halfConvertHandler(const Instruction& i) {
  const auto [to, from, rounding, whole] = i.conversion;
  const bool plain = i.floatFlags == 0 && !i.wideData && !i.wideBase &&
                     rounding == Rounding::Nearest && whole == Rounding::None;
  const auto is = [&](Type source, Type result) { return plain && from == source && to == result; };
  if (is(Type::F16, Type::F32)) return &executePlainConvert<Type::F16, Type::F32>;
  if (is(Type::Bf16, Type::F32)) return &executePlainConvert<Type::Bf16, Type::F32>;
  if (is(Type::F32, Type::F16)) return &executePlainConvert<Type::F32, Type::F16>;
  if (is(Type::F32, Type::Bf16)) return &executePlainConvert<Type::F32, Type::Bf16>;
  return &executeHalfConvert;
}

void executeHalfPack(Warp& warp, const Instruction& i, LaneMask mask) {
  const auto to = i.conversion.to;
  const auto rounding = i.conversion.rounding;
  const bool plain = i.floatFlags == 0 && rounding == Rounding::Nearest;
  for (const unsigned lane : lanesIn(mask)) {
    const auto part = [&](Row row) {
      if (plain) return fromSingle(to, rowOf<std::uint32_t>(warp, row)[lane]);
      const double value = sourceValue(warp, i, row, Type::F32, lane);
      return static_cast<std::uint32_t>(resultBits(value, i, to, rounding));
    };
    rowOf<std::uint32_t>(warp, i.d)[lane] = part(i.a) << 16 | part(i.b);
  }
}

void executeToTf32(Warp& warp, const Instruction& i, LaneMask mask) {
  for (const unsigned lane : lanesIn(mask)) {
    const std::uint32_t bits = rowOf<std::uint32_t>(warp, i.a)[lane];
    const std::uint32_t magnitude = bits & 0x7fffffffU;
    const std::uint32_t rounded = ((magnitude + 0x1000U) & ~0x1fffU) | (bits & 0x80000000U);
    rowOf<std::uint32_t>(warp, i.d)[lane] = magnitude > 0x7f800000U ? 0x7fffffffU : rounded;
  }
}

void executeToFloat8(Warp& warp, const Instruction& i, LaneMask mask) {
  const bool pair = (i.floatFlags & kPairSourceFlag) != 0;
  for (const unsigned lane : lanesIn(mask)) {
    const std::uint32_t a = rowOf<std::uint32_t>(warp, i.a)[lane];
    const std::uint32_t b = rowOf<std::uint32_t>(warp, i.b)[lane];
    const float upper = pair ? f16ToFloat(a >> 16) : bitsAs<float>(a);
    const float lower = pair ? f16ToFloat(a & 0xffffU) : bitsAs<float>(b);
    rowOf<std::uint32_t>(warp, i.d)[lane] = float8Bits(upper, i) << 8 | float8Bits(lower, i);
  }
}

void executeFromFloat8(Warp& warp, const Instruction& i, LaneMask mask) {
  const auto half = [&](std::uint32_t byte) {
    const float value = (i.floatFlags & kE5m2Flag) != 0 ? floatOfE5m2(byte) : floatOfE4m3(byte);
    const bool clamps = (i.floatFlags & kReluFlag) != 0 && std::signbit(value) && value == value;
    return f16FromFloat(clamps ? 0.0F : value);
  };
  for (const unsigned lane : lanesIn(mask)) {
    const std::uint32_t bytes = rowOf<std::uint32_t>(warp, i.a)[lane];
    rowOf<std::uint32_t>(warp, i.d)[lane] = half(bytes >> 8 & 0xffU) << 16 | half(bytes & 0xffU);
  }
}

}  // namespace fermata::ptx
