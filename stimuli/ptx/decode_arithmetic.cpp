// Decodes add sub mul mad fma div rem min max abs neg sad mul24 mad24 sqrt rcp rsqrt sin cos ex2
// lg2 tanh copysign and the carry forms: integer or floating point by their type.
#include <algorithm>
#include <array>
#include <optional>

#include <fermata/stimuli/ptx/decoding.h>

namespace fermata::ptx {
namespace {

InstructionClass classOf(Type type) {
  if (type == Type::F64) return InstructionClass::Double;
  return type == Type::F32 ? InstructionClass::Float : InstructionClass::Integer;
}

void threeOperands(Decoding& d, Type result, Type a, Type b) {
  d.expectOperands(3);
  d.i.d = d.destination(0, result);
  d.i.a = d.source(1, a);
  d.i.b = d.source(2, b);
}

std::optional<Direction> takeDirection(Decoding& d) {
  if (d.take("rz")) return Direction::Zero;
  if (d.take("rm")) return Direction::Down;
  if (d.take("rp")) return Direction::Up;
  return std::nullopt;
}

std::uint8_t takeFlags(Decoding& d) {
  std::uint8_t flags = 0;
  if (d.take("ftz")) flags |= kFlushFlag;
  if (d.take("sat")) flags |= kSaturateFlag;
  return flags;
}

/// One mnemonic with its operation rounded to nearest and in another direction.
struct FloatForm {
  std::string_view mnemonic;
  FloatOp op;
  DirectedOp directed;
  unsigned sources;
};
constexpr std::array<FloatForm, 8> kRounded = {{
    {"add", FloatOp::Add, DirectedOp::Add, 2},
    {"sub", FloatOp::Sub, DirectedOp::Sub, 2},
    {"mul", FloatOp::Mul, DirectedOp::Mul, 2},
    {"div", FloatOp::Div, DirectedOp::Div, 2},
    {"fma", FloatOp::Fma, DirectedOp::Fma, 3},
    {"mad", FloatOp::Fma, DirectedOp::Fma, 3},
    {"sqrt", FloatOp::Sqrt, DirectedOp::Sqrt, 1},
    {"rcp", FloatOp::Rcp, DirectedOp::Rcp, 1},
}};

void floatOperands(Decoding& d, Type type, unsigned sources) {
  d.expectOperands(sources + 1);
  d.i.d = d.destination(0, type);
  d.i.a = d.source(1, type);
  if (sources > 1) d.i.b = d.source(2, type);
  if (sources > 2) d.i.c = d.source(3, type);
}

/// Returns the class of an instruction that only changes a sign. The double unit applies signs to
/// its operands itself, so no instruction of its class is needed.
InstructionClass classOfSign(Type type) {
  return type == Type::F64 ? InstructionClass::Integer : classOf(type);
}

bool isSpecialFunction(std::string_view mnemonic) {
  return mnemonic == "div" || mnemonic == "sqrt" || mnemonic == "rcp";
}

// mad.f32 is evaluated as fma (PTX ISA: from sm_20 on).
void decodeRounded(Decoding& d, Type type) {
  const auto form = std::find_if(kRounded.begin(), kRounded.end(),
                                 [&](const FloatForm& f) { return f.mnemonic == d.mnemonic(); });
  const std::uint8_t flags = takeFlags(d);
  const bool nearest = d.take("rn");
  const std::optional<Direction> direction = nearest ? std::nullopt : takeDirection(d);
  if (isSpecialFunction(d.mnemonic()) && !nearest && !direction)
    d.unsupported("expected a rounding such as .rn or .approx");
  if (d.mnemonic() == "fma" && !nearest && !direction)
    d.unsupported("expected a rounding such as .rn");
  d.finishModifiers();
  if (type == Type::F64 && flags != 0) d.unsupported();
  if (isSpecialFunction(d.mnemonic()) && (flags & kSaturateFlag) != 0) d.unsupported();
  if (direction) {
    d.i.handler = d.require(directedHandler(form->directed, type));
    d.i.mode = static_cast<std::uint8_t>(*direction);
    d.i.flags = flags;
  } else {
    d.i.handler = d.require(laneTable().floating(form->op, type, (flags & kFlushFlag) != 0,
                                                 (flags & kSaturateFlag) != 0));
  }
  floatOperands(d, type, form->sources);
  d.emit(type == Type::F32 && isSpecialFunction(d.mnemonic()) ? InstructionClass::Special
                                                              : classOf(type));
}

struct IntegerForm {
  std::string_view mnemonic;
  IntegerOp op;
};
constexpr std::array<IntegerForm, 6> kBinary = {{{"add", IntegerOp::Add},
                                                 {"sub", IntegerOp::Sub},
                                                 {"div", IntegerOp::Div},
                                                 {"rem", IntegerOp::Rem},
                                                 {"min", IntegerOp::Min},
                                                 {"max", IntegerOp::Max}}};

void carryForm(Decoding& d, CarryOp op, Type type, bool takesCarry) {
  const bool gives = d.take("cc");
  d.finishModifiers();
  d.i.handler = d.require(carryHandler(op, type));
  d.i.flags = static_cast<std::uint8_t>((takesCarry ? 1 : 0) | (gives ? 2 : 0));
  const bool mad = op == CarryOp::MadLo || op == CarryOp::MadHi;
  d.expectOperands(mad ? 4 : 3);
  d.i.d = d.destination(0, type);
  d.i.a = d.source(1, type);
  d.i.b = d.source(2, type);
  if (mad) d.i.c = d.source(3, type);
  const RegisterId carry = d.builder().carryRegister(d.statement().at);
  if (takesCarry) d.reads(carry);
  if (gives) d.writes(carry);
  d.emit(InstructionClass::Integer);
}

void decodeSimple(Decoding& d) {
  const Type type = d.takeType();
  if (isFloat(type)) return decodeRounded(d, type);
  const bool isAdd = d.mnemonic() == "add";
  const bool isSub = d.mnemonic() == "sub";
  if ((isAdd || isSub) && d.has("cc"))
    return carryForm(d, isAdd ? CarryOp::Add : CarryOp::Sub, type, false);
  if ((isAdd || isSub) && type == Type::S32 && d.take("sat")) {
    d.i.handler = saturatingHandler(isAdd ? CarryOp::Add : CarryOp::Sub);
  } else {
    const auto form = std::find_if(kBinary.begin(), kBinary.end(), [&](const IntegerForm& f) {
      return f.mnemonic == d.mnemonic();
    });
    d.i.handler = d.require(laneTable().integer(form->op, type));
  }
  d.finishModifiers();
  threeOperands(d, type, type, type);
  const bool divides = d.mnemonic() == "div" || d.mnemonic() == "rem";
  d.emit(divides ? InstructionClass::Division : InstructionClass::Integer);
}

void decodeAddc(Decoding& d) {
  const Type type = d.takeType();
  carryForm(d, d.mnemonic() == "addc" ? CarryOp::Add : CarryOp::Sub, type, true);
}

void decodeMinMax(Decoding& d) {
  const bool isMin = d.mnemonic() == "min";
  const bool nan = d.has("NaN");
  Decoding& form = d;
  const Type type = form.takeType();
  if (!isFloat(type)) {
    form.i.handler =
        form.require(laneTable().integer(isMin ? IntegerOp::Min : IntegerOp::Max, type));
  } else {
    form.take("NaN");
    const bool flush = form.take("ftz");
    if (type == Type::F32 && form.has("xorsign") && form.take("abs")) {
      form.take("xorsign");
      form.i.flags = static_cast<std::uint8_t>(flush ? kFlushFlag : 0);
      form.i.mode = static_cast<std::uint8_t>((isMin ? 1 : 0) | (nan ? 2 : 0));
      form.i.handler = &executeXorSignExtreme;
      form.finishModifiers();
      threeOperands(form, type, type, type);
      form.emit(InstructionClass::Float);
      return;
    }
    const FloatOp op =
        isMin ? (nan ? FloatOp::MinNan : FloatOp::Min) : (nan ? FloatOp::MaxNan : FloatOp::Max);
    form.i.handler = form.require(laneTable().floating(op, type, flush, false));
  }
  form.finishModifiers();
  threeOperands(form, type, type, type);
  form.emit(classOf(type));
}

Type widened(Decoding& d, Type type) {
  switch (type) {
    case Type::U16:
      return Type::U32;
    case Type::S16:
      return Type::S32;
    case Type::U32:
      return Type::U64;
    case Type::S32:
      return Type::S64;
    default:
      d.unsupported(".wide needs a 16- or 32-bit type");
  }
}

void decodeMul(Decoding& d) {
  const Type type = d.takeType();
  if (isFloat(type)) return decodeRounded(d, type);
  const std::string_view part = d.takeOneOf({"lo", "hi", "wide"});
  if (part.empty()) d.unsupported("expected .lo, .hi or .wide");
  d.finishModifiers();
  const IntegerOp op = part == "lo"   ? IntegerOp::MulLo
                       : part == "hi" ? IntegerOp::MulHi
                                      : IntegerOp::MulWide;
  d.i.handler = d.require(laneTable().integer(op, type));
  threeOperands(d, part == "wide" ? widened(d, type) : type, type, type);
  d.emit(InstructionClass::Integer);
}

void decodeMad(Decoding& d) {
  const Type type = d.takeType();
  if (isFloat(type)) {
    if (!d.has("rn") && !d.has("rz") && !d.has("rm") && !d.has("rp") && type == Type::F64)
      d.unsupported("expected a rounding such as .rn");
    return decodeRounded(d, type);
  }
  const std::string_view part = d.takeOneOf({"lo", "hi", "wide"});
  if (part.empty()) d.unsupported("expected .lo, .hi or .wide");
  const bool takesCarry = d.mnemonic() == "madc";
  if ((takesCarry || d.has("cc")) && part != "wide")
    return carryForm(d, part == "lo" ? CarryOp::MadLo : CarryOp::MadHi, type, takesCarry);
  if (takesCarry) d.unsupported();
  const IntegerOp op = part == "lo"   ? IntegerOp::MadLo
                       : part == "hi" ? IntegerOp::MadHi
                                      : IntegerOp::MadWide;
  d.i.handler = part == "hi" && type == Type::S32 && d.take("sat")
                    ? saturatingHandler(CarryOp::MadHi)
                    : laneTable().integer(op, type);
  d.require(d.i.handler);
  d.finishModifiers();
  const Type result = part == "wide" ? widened(d, type) : type;
  d.expectOperands(4);
  d.i.d = d.destination(0, result);
  d.i.a = d.source(1, type);
  d.i.b = d.source(2, type);
  d.i.c = d.source(3, result);
  d.emit(InstructionClass::Integer);
}

void decode24(Decoding& d) {
  const Type type = d.takeType();
  const bool mad = d.mnemonic() == "mad24";
  const std::string_view part = d.takeOneOf({"lo", "hi"});
  if (part.empty()) d.unsupported("expected .lo or .hi");
  d.finishModifiers();
  const bool low = part == "lo";
  const IntegerOp op = mad ? (low ? IntegerOp::Mad24Lo : IntegerOp::Mad24Hi)
                           : (low ? IntegerOp::Mul24Lo : IntegerOp::Mul24Hi);
  d.i.handler = d.require(laneTable().integer(op, type));
  d.expectOperands(mad ? 4 : 3);
  d.i.d = d.destination(0, type);
  d.i.a = d.source(1, type);
  d.i.b = d.source(2, type);
  if (mad) d.i.c = d.source(3, type);
  d.emit(InstructionClass::Integer);
}

void decodeSad(Decoding& d) {
  const Type type = d.takeType();
  d.finishModifiers();
  d.i.handler = d.require(laneTable().integer(IntegerOp::Sad, type));
  d.expectOperands(4);
  d.i.d = d.destination(0, type);
  d.i.a = d.source(1, type);
  d.i.b = d.source(2, type);
  d.i.c = d.source(3, type);
  d.emit(InstructionClass::Integer);
}

void decodeSign(Decoding& d) {
  const bool isNeg = d.mnemonic() == "neg";
  const Type type = d.takeType();
  const bool flush = isFloat(type) && d.take("ftz");
  d.finishModifiers();
  d.i.handler = d.require(
      isFloat(type) ? laneTable().floating(isNeg ? FloatOp::Neg : FloatOp::Abs, type, flush, false)
                    : laneTable().integer(isNeg ? IntegerOp::Neg : IntegerOp::Abs, type));
  d.expectOperands(2);
  d.i.d = d.destination(0, type);
  d.i.a = d.source(1, type);
  d.emit(classOfSign(type));
}

void decodeCopySign(Decoding& d) {
  const Type type = d.takeType();
  d.finishModifiers();
  d.i.handler = d.require(laneTable().floating(FloatOp::CopySign, type, false, false));
  threeOperands(d, type, type, type);
  d.emit(classOfSign(type));
}

struct ApproximateForm {
  std::string_view mnemonic;
  Approximate function;
};
constexpr std::array<ApproximateForm, 9> kApproximate = {{
    {"sin", Approximate::Sin},
    {"cos", Approximate::Cos},
    {"ex2", Approximate::Ex2},
    {"lg2", Approximate::Lg2},
    {"rsqrt", Approximate::Rsqrt},
    {"sqrt", Approximate::Sqrt},
    {"rcp", Approximate::Rcp},
    {"div", Approximate::Div},
    {"tanh", Approximate::Tanh},
}};

void decodeApproximate(Decoding& d) {
  const auto form =
      std::find_if(kApproximate.begin(), kApproximate.end(),
                   [&](const ApproximateForm& f) { return f.mnemonic == d.mnemonic(); });
  const bool full = d.mnemonic() == "div" && d.take("full");
  if (!full && !d.take("approx")) d.unsupported("expected .approx");
  const bool flush = d.take("ftz");
  const Type type = d.takeType();
  d.finishModifiers();
  Approximate function = form->function;
  if (type == Type::F64 && function == Approximate::Rsqrt)
    function = Approximate::RsqrtF64;
  else if (type == Type::F64 && function == Approximate::Rcp && flush)
    function = Approximate::RcpF64;
  else if (type != Type::F32)
    d.unsupported();
  d.i.handler = approximateHandler(function);
  d.i.flags = flush ? kFlushFlag : 0;
  d.i.mode = full ? 1 : 0;
  floatOperands(d, type, d.mnemonic() == "div" ? 2 : 1);
  d.emit(InstructionClass::Special);
}

// Decodes div, sqrt and rcp, which have approximate and rounded forms.
void decodeEither(Decoding& d) {
  if (d.has("approx") || d.has("full")) return decodeApproximate(d);
  if (d.mnemonic() == "div") return decodeSimple(d);
  const Type type = d.takeType();
  if (!isFloat(type)) d.unsupported();
  decodeRounded(d, type);
}

void decodeFma(Decoding& d) {
  const Type type = d.takeType();
  if (!isFloat(type)) d.unsupported();
  decodeRounded(d, type);
}

struct Entry {
  std::string_view mnemonic;
  FamilyDecoder decoder;
};
constexpr std::array<Entry, 26> kEntries = {{
    {"add", &decodeSimple},        {"sub", &decodeSimple},      {"rem", &decodeSimple},
    {"addc", &decodeAddc},         {"subc", &decodeAddc},       {"min", &decodeMinMax},
    {"max", &decodeMinMax},        {"mul", &decodeMul},         {"mad", &decodeMad},
    {"madc", &decodeMad},          {"mul24", &decode24},        {"mad24", &decode24},
    {"sad", &decodeSad},           {"abs", &decodeSign},        {"neg", &decodeSign},
    {"copysign", &decodeCopySign}, {"sin", &decodeApproximate}, {"cos", &decodeApproximate},
    {"ex2", &decodeApproximate},   {"lg2", &decodeApproximate}, {"rsqrt", &decodeApproximate},
    {"tanh", &decodeApproximate},  {"sqrt", &decodeEither},     {"rcp", &decodeEither},
    {"div", &decodeEither},        {"fma", &decodeFma},
}};

}  // namespace

FamilyDecoder arithmeticDecoder(std::string_view mnemonic) {
  for (const Entry& entry : kEntries) {
    if (entry.mnemonic == mnemonic && !mnemonic.empty()) return entry.decoder;
  }
  return nullptr;
}

}  // namespace fermata::ptx
