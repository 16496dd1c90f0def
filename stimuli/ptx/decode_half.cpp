// Decodes the forms with f16, f16x2, bf16 or bf16x2 of add sub mul fma min max neg abs ex2 tanh
// setp set cvt, and cvt of tf32 and of pairs of 8-bit floats.
#include <algorithm>
#include <array>
#include <optional>

#include <fermata/stimuli/ptx/decoders.h>

namespace fermata::ptx {
namespace {

struct HalfForm {
  std::string_view mnemonic;
  HalfOp op;
  unsigned sources;
};
constexpr std::array<HalfForm, 10> kForms = {{{"add", HalfOp::Add, 2},
                                              {"sub", HalfOp::Sub, 2},
                                              {"mul", HalfOp::Mul, 2},
                                              {"fma", HalfOp::Fma, 3},
                                              {"min", HalfOp::Min, 2},
                                              {"max", HalfOp::Max, 2},
                                              {"neg", HalfOp::Neg, 1},
                                              {"abs", HalfOp::Abs, 1},
                                              {"ex2", HalfOp::Ex2, 1},
                                              {"tanh", HalfOp::Tanh, 1}}};

/// Takes the modifiers that the operation has. .rn is the only rounding of f16.
std::uint8_t takeFlags(Decoding& d, HalfOp op) {
  std::uint8_t flags = 0;
  const bool sums = op <= HalfOp::Fma;
  const bool extremes = op == HalfOp::Min || op == HalfOp::Max;
  if (op != HalfOp::Tanh && d.take("ftz")) flags |= kFlushFlag;
  if (sums && d.take("sat")) flags |= kSaturateFlag;
  if (op == HalfOp::Fma && d.take("relu")) flags |= kReluFlag;
  if (extremes && d.take("NaN")) flags |= kNanFlag;
  if (extremes && d.has("xorsign") && d.take("abs")) {
    d.take("xorsign");
    flags |= kXorSignFlag;
  }
  const bool rounded = sums && d.take("rn");
  if (op == HalfOp::Fma && !rounded) d.unsupported("expected .rn");
  if ((op == HalfOp::Ex2 || op == HalfOp::Tanh) && !d.take("approx"))
    d.unsupported("expected .approx");
  return flags;
}

/// Throws InputError if the flags do not fit the type: .sat and .ftz need f16, except that ex2 of
/// bf16 requires .ftz.
void checkFlags(const Decoding& d, HalfOp op, Type type, std::uint8_t flags) {
  const bool brain = type == Type::Bf16 || type == Type::Bf16x2;
  const bool flushes = (flags & kFlushFlag) != 0;
  if (brain && (flags & kSaturateFlag) != 0) d.unsupported();
  if (brain && flushes != (op == HalfOp::Ex2)) d.unsupported();
  if ((flags & kReluFlag) != 0 && (flags & kSaturateFlag) != 0) d.unsupported();
}

void comparisonSources(Decoding& d, const Comparison& comparison, Type type) {
  const bool combined = comparison.combine != Combine::None;
  d.expectOperands(combined ? 4 : 3);
  if (comparison.unsignedOnly) d.unsupported("the comparison needs an unsigned type");
  d.i.comparison = {comparison.compare, comparison.combine};
  d.i.floatFlags = comparison.flush ? kFlushFlag : 0;
  d.i.a = d.source(1, type);
  d.i.b = d.source(2, type);
  if (combined) d.i.p = d.predicate(d.operand(3));
}

/// Returns the type under which to take a register that may be wider than the instruction's type.
Type heldType(Decoding& d, const Operand& operand, Type type) {
  const std::optional<Type> held = d.registerType(operand);
  const bool wider = held && *held != Type::Pred && bytesOf(*held) > bytesOf(type);
  if (wider && !isFloat(type) && !isFloat(*held)) return *held;
  return bytesOf(type) < 2 ? Type::B32 : type;
}

void decodePack(Decoding& d, Type to) {
  const std::string_view rounding = d.takeOneOf({"rn", "rz"});
  if (rounding.empty() || d.takeType() != Type::F32) d.unsupported();
  if (d.take("relu")) d.i.floatFlags |= kReluFlag;
  d.finishModifiers();
  d.expectOperands(3);
  d.i.handler = &executeHalfPack;
  d.i.conversion.to = to == Type::F16x2 ? Type::F16 : Type::Bf16;
  d.i.conversion.rounding = rounding == "rn" ? HalfRounding::Nearest : HalfRounding::Zero;
  d.i.d = d.destination(0, to);
  d.i.a = d.source(1, Type::F32);
  d.i.b = d.source(2, Type::F32);
  d.emit(InstructionClass::Integer);
}

void takeRounding(Decoding& d, Type to, Type from) {
  const std::string_view name = d.takeOneOf({"rni", "rzi", "rmi", "rpi", "rn", "rz", "rm", "rp"});
  const bool toInteger = !isFloat(to);
  const bool narrows =
      isHalf(to) && to != from && (!isHalf(from) || to == Type::Bf16 || from == Type::Bf16);
  if (name.size() == 3) {
    if (!toInteger && to != from) d.unsupported("rounding to an integer does not fit these types");
    d.i.conversion.whole = name == "rni"   ? Rounding::Nearest
                           : name == "rzi" ? Rounding::Zero
                           : name == "rmi" ? Rounding::Down
                                           : Rounding::Up;
    return;
  }
  d.i.conversion.whole = Rounding::None;
  if (toInteger) d.unsupported("expected .rni, .rzi, .rmi or .rpi");
  if (name.empty() == narrows)
    d.unsupported(narrows ? "expected a rounding such as .rn" : "no rounding fits these types");
  d.i.conversion.rounding = name == "rz"   ? HalfRounding::Zero
                            : name == "rm" ? HalfRounding::Down
                            : name == "rp" ? HalfRounding::Up
                                           : HalfRounding::Nearest;
}

}  // namespace

void decodeHalf(Decoding& d) {
  const auto form = std::find_if(kForms.begin(), kForms.end(),
                                 [&](const HalfForm& f) { return f.mnemonic == d.mnemonic(); });
  const std::uint8_t flags = takeFlags(d, form->op);
  const Type type = d.takeType();
  d.finishModifiers();
  checkFlags(d, form->op, type, flags);
  d.i.handler = d.require(halfHandler(form->op, type));
  d.i.floatFlags = flags;
  d.expectOperands(form->sources + 1);
  d.i.d = d.destination(0, type);
  d.i.a = d.source(1, type);
  d.i.b = form->sources > 1 ? d.source(2, type) : d.i.a;
  d.i.c = form->sources > 2 ? d.source(3, type) : d.i.a;
  const bool special = form->op == HalfOp::Ex2 || form->op == HalfOp::Tanh;
  d.emit(special ? InstructionClass::Special : InstructionClass::Float);
}

void decodeHalfSetp(Decoding& d) {
  const Comparison comparison = takeComparison(d);
  const Type type = d.takeType();
  d.finishModifiers();
  d.i.handler = d.require(halfPredicateHandler(type));
  comparisonSources(d, comparison, type);
  const Operand& result = d.operand(0);
  const bool pair = result.kind == Operand::Kind::Pair;
  d.i.pd = d.predicateDestination(pair ? result.elements[0] : result);
  if (pair) d.i.qd = d.predicateDestination(result.elements[1]);
  d.emit(InstructionClass::Float);
}

void decodeHalfSet(Decoding& d) {
  const Comparison comparison = takeComparison(d);
  const Type result = d.takeType();
  const Type type = d.takeType();
  d.finishModifiers();
  if (!isHalf(type)) d.unsupported();
  const bool two = bytesOf(type) == 4;
  const bool value = result == type;
  const bool mask = result == Type::U32 || result == Type::S32 ||
                    (!two && (result == Type::U16 || result == Type::S16));
  if (!value && !mask) d.unsupported();
  const bool brain = type == Type::Bf16 || type == Type::Bf16x2;
  d.i.handler = halfSetHandler(type);
  comparisonSources(d, comparison, type);
  d.i.elements = two ? 2 : 1;
  d.i.offset = value                         ? (brain ? 0x3f80 : 0x3c00)
               : two || bytesOf(result) == 2 ? 0xffff
                                             : 0xffffffff;
  d.i.d = d.destination(0, result);
  d.emit(InstructionClass::Float);
}

void decodeHalfCvt(Decoding& d) {
  if (d.take("ftz")) d.i.floatFlags |= kFlushFlag;
  if (d.take("sat")) d.i.floatFlags |= kSaturateFlag;
  const Type to = d.takeType();
  if (to == Type::F16x2 || to == Type::Bf16x2) return decodePack(d, to);
  const Type from = d.takeType();
  if (d.take("relu")) d.i.floatFlags |= kReluFlag;
  takeRounding(d, to, from);
  d.finishModifiers();
  d.expectOperands(2);
  const bool pairs = from == Type::F16x2 || from == Type::Bf16x2;
  if (isBits(to) || isBits(from) || to == Type::Pred || from == Type::Pred || pairs)
    d.unsupported();
  if ((d.i.floatFlags & kFlushFlag) != 0 && to != Type::F32 && from != Type::F32) d.unsupported();
  if (!isFloat(to)) {
    if ((d.i.floatFlags & kReluFlag) != 0) d.unsupported();
    d.i.floatFlags = 0;  // integers are clamped in any case
  }
  const Type target = heldType(d, d.operand(0), to);
  const Type origin = heldType(d, d.operand(1), from);
  d.i.conversion.to = to;
  d.i.conversion.from = from;
  d.i.d = d.destination(0, target);
  d.i.a = d.source(1, origin);
  d.i.wideData = bytesOf(target) == 8;
  d.i.wideBase = bytesOf(origin) == 8;
  const std::optional<Type> held = d.registerType(d.operand(0));
  d.i.registerBytes = static_cast<std::uint8_t>(held ? bytesOf(*held) : bytesOf(target));
  d.i.handler = halfConvertHandler(d.i);
  const bool twice = to == Type::F64 || from == Type::F64;
  d.emit(twice ? InstructionClass::Double : InstructionClass::Integer);
}

void decodeToTf32(Decoding& d) {
  const bool forms = d.take("tf32") && d.take("rna") && d.takeType() == Type::F32;
  d.finishModifiers();
  if (!forms) d.unsupported();
  d.expectOperands(2);
  d.i.handler = &executeToTf32;
  d.i.d = d.destination(0, Type::B32);
  d.i.a = d.source(1, Type::F32);
  d.emit(InstructionClass::Integer);
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
