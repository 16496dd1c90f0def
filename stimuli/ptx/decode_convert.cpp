// Decodes cvt: integers, floats and halves; two f32 to a pair of halves; tf32; pairs of 8-bit
// floats.
#include <optional>

#include <fermata/stimuli/ptx/decoders.h>

namespace fermata::ptx {
namespace {

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
