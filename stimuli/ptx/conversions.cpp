// cvt: between integers, f32 and f64 (by lane_convert.inl) and registers wider than these types; of
// f16 and bf16, alone and in pairs; of pairs of e4m3 and e5m2; to tf32.
#include <algorithm>
#include <cmath>
#include <optional>

#include <fermata/stimuli/ptx/decoders.h>
#include <fermata/stimuli/ptx/float8.h>
#include <fermata/stimuli/ptx/handlers.h>
#include <fermata/stimuli/ptx/warp.h>

namespace fermata::ptx {
namespace {

// Instruction::floatFlags of pairs of 8-bit floats, besides kReluFlag.
constexpr std::uint8_t kE5m2Flag = 8;
constexpr std::uint8_t kPairSourceFlag = 16;  ///< a holds both values as f16x2
/// Halves: what is too large becomes the largest finite number.
constexpr std::uint8_t kFiniteFlag = 32;

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
  if (has(i, kFiniteFlag)) {
    const double most = i.conversion.to == Type::F16 ? 65504.0 : 0x1.fep127;
    if (value == value) value = std::clamp(value, -most, most);
  }
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

/// Narrows a (wideBase: 64-bit) to a row, converts between the rows c -> b with `inner`, and
/// extends b, of type conversion.to, to d. signExtend.
void executeWideConvert(Warp& warp, const Instruction& i, LaneMask mask) {
  Instruction plain = i;
  plain.d = i.b;
  if (i.wideBase) {
    plain.a = i.c;
    for (const unsigned lane : lanesIn(mask))
      setLane(warp, i.c, false, lane, rowOf<std::uint64_t>(warp, i.a)[lane]);
  }
  i.inner(warp, plain, mask);
  const unsigned bytes = bytesOf(i.conversion.to);
  for (const unsigned lane : lanesIn(mask)) {
    const std::uint64_t value = laneValue(warp, i.b, bytes == 8, lane);
    setLane(warp, i.d, i.wideData, lane,
            extended(extended(value, 8 * bytes, i.signExtend), 8U * i.registerBytes, false));
  }
}

/// Rounding of a cvt: `whole` to an integer, `digits` (not None) to the digits of the result.
struct ConvertRounding {
  Rounding whole = Rounding::None;
  Rounding digits = Rounding::Nearest;
};

ConvertRounding takeRounding(Decoding& d, Type to, Type from) {
  const bool toInteger = isFloat(from) && !isFloat(to);
  if (const auto whole = d.takeEnum<Rounding>({"rni", "rzi", "rmi", "rpi"}, Rounding::Nearest)) {
    if (!toInteger && !(isFloat(from) && to == from))
      d.unsupported("rounding to an integer does not fit these types");
    return {*whole, Rounding::Nearest};
  }
  if (toInteger) d.unsupported("expected .rni, .rzi, .rmi or .rpi");
  const auto digits = takeDirection(d);
  const bool narrows = bytesOf(to) < bytesOf(from) || (isHalf(to) && isHalf(from) && to != from);
  const bool inexact = isFloat(to) && (!isFloat(from) || narrows);
  if (digits.has_value() != inexact)
    d.unsupported(inexact ? "expected a rounding such as .rn" : "no rounding fits these types");
  return {Rounding::None, digits.value_or(Rounding::Nearest)};
}

/// Decodes cvt.f16x2.f32 and cvt.bf16x2.f32: the halves are b and, above, a.
void decodePack(Decoding& d, Type to) {
  const auto rounding = d.takeEnum<Rounding>({"rn", "rz"}, Rounding::Nearest);
  if (!rounding || d.takeType() != Type::F32) d.unsupported();
  if (d.take("relu")) d.i.floatFlags |= kReluFlag;
  if (d.take("satfinite")) d.i.floatFlags |= kFiniteFlag;
  d.i.conversion.to = to == Type::F16x2 ? Type::F16 : Type::Bf16;
  d.i.conversion.rounding = *rounding;
  d.finish(&executeHalfPack, {to, Type::F32, Type::F32});
}

/// Chooses the handler of integers, f32 and f64, whose fields are set.
void plainConversion(Decoding& d, const ConvertRounding& rounding, bool saturate) {
  const auto [to, from] = std::pair(d.i.conversion.to, d.i.conversion.from);
  const bool clampsAnyway = isFloat(from) && !isFloat(to);
  d.i.handler = d.require(laneTable().convert(to, from, rounding.whole, saturate && !clampsAnyway));
  const bool widerResult = d.i.registerBytes > bytesOf(to) && (isSigned(to) || d.i.wideData);
  const bool widerSource = d.i.wideBase && bytesOf(from) < 8;
  if (widerResult || widerSource) {
    if (rounding.digits != Rounding::Nearest) d.unsupported("registers wider than the types");
    d.i.wideBase = widerSource;
    d.i.inner = d.i.handler;
    d.i.handler = &executeWideConvert;
    d.i.c = widerSource ? d.builder().scratchRow(false) : d.i.a;
    d.i.b = d.builder().scratchRow(bytesOf(to) == 8);
    d.i.signExtend = isSigned(to);
  } else if (rounding.digits != Rounding::Nearest) {
    roundTo(d.i, rounding.digits);
  }
}

}  // namespace

Type heldType(Decoding& d, const Operand& operand, Type type, Type narrowest) {
  const std::optional<Type> held = d.registerType(operand);
  const bool wider = held && *held != Type::Pred && bytesOf(*held) > bytesOf(type);
  if (wider && !isFloat(type) && !isFloat(*held)) return *held;
  if (held && bytesOf(type) == 1 && bytesOf(*held) == 1) return *held;
  return bytesOf(type) < 2 ? narrowest : type;
}

void decodeCvt(Decoding& d) {
  const bool flush = d.take("ftz"), saturate = d.take("sat");
  const Type to = d.takeType();
  d.i.floatFlags = static_cast<std::uint8_t>((flush ? kFlushFlag : 0) |
                                             (saturate && isFloat(to) ? kSaturateFlag : 0));
  if (to == Type::F16x2 || to == Type::Bf16x2) return decodePack(d, to);
  const Type from = d.takeType();
  const bool halves = isHalf(to) || isHalf(from);
  const bool relu = halves && d.take("relu");
  if (isHalf(to) && d.take("satfinite")) d.i.floatFlags |= kFiniteFlag;
  const ConvertRounding rounding = takeRounding(d, to, from);
  d.finishModifiers();
  d.expectOperands(2);
  for (const Type type : {to, from}) {
    constexpr TypeSet kNone = setOf(Type::F16x2, Type::Bf16x2, Type::F32x2, Type::Pred);
    if (isBits(type) || contains(kNone, type)) d.unsupported();
  }
  if ((flush && to != Type::F32 && from != Type::F32) || (relu && !isFloat(to))) d.unsupported();
  if (relu) d.i.floatFlags |= kReluFlag;
  if (halves && !isFloat(to)) d.i.floatFlags = 0;  // integers are clamped in any case
  const Type target = heldType(d, d.operand(0), to, Type::B32);
  const Type origin = heldType(d, d.operand(1), from, Type::B32);
  d.i.conversion.to = to;
  d.i.conversion.from = from;
  d.i.d = d.destination(0, target);
  d.i.a = d.source(1, origin);
  d.i.wideData = bytesOf(target) == 8;
  d.i.wideBase = bytesOf(origin) == 8;
  const std::optional<Type> held = d.registerType(d.operand(0));
  d.i.registerBytes = static_cast<std::uint8_t>(bytesOf(held.value_or(target)));
  if (halves) {
    d.i.conversion.rounding = rounding.digits;
    d.i.conversion.whole = rounding.whole;
    d.i.handler = halfConvertHandler(d.i);
  } else {
    plainConversion(d, rounding, saturate);
  }
  const bool twice = to == Type::F64 || from == Type::F64;
  d.emit(twice ? InstructionClass::Double : InstructionClass::Integer);
}

void decodeToTf32(Decoding& d) {
  if (!d.take("tf32") || !d.take("rna") || d.takeType() != Type::F32) d.unsupported();
  d.finish(&executeToTf32, {Type::B32, Type::F32});
}

/// Decodes cvt.rn.satfinite{.relu}.e4m3x2.{f32|f16x2} and cvt.rn{.relu}.f16x2.e4m3x2, also for
/// e5m2x2.
void decodeFloat8(Decoding& d) {
  const std::string_view opcode = d.statement().opcode;
  const bool wide = d.take("e5m2x2");
  if (!wide) d.take("e4m3x2");
  const bool from = opcode.substr(opcode.rfind('.') + 1) == (wide ? "e5m2x2" : "e4m3x2");
  const std::optional<Type> other = d.tryType();
  const bool pair = other == Type::F16x2;
  const bool forms =
      d.take("rn") && (from || d.take("satfinite")) && (pair || (other == Type::F32 && !from));
  if (d.take("relu")) d.i.floatFlags |= kReluFlag;
  d.finishModifiers();
  if (!forms) d.unsupported();
  d.expectOperands(pair ? 2 : 3);
  d.i.handler = from ? &executeFromFloat8 : &executeToFloat8;
  if (wide) d.i.floatFlags |= kE5m2Flag;
  if (pair) d.i.floatFlags |= kPairSourceFlag;
  d.i.d = d.destination(0, from ? Type::F16x2 : Type::B16);
  d.i.a = d.source(1, from ? Type::B16 : *other);
  d.i.b = pair ? d.i.a : d.source(2, Type::F32);
  d.emit(InstructionClass::Integer);
}

}  // namespace fermata::ptx
