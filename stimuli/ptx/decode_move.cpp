// Decodes mov, cvt, cvta, isspacep.
#include <optional>

#include <fermata/stimuli/ptx/address_space.h>
#include <fermata/stimuli/ptx/decoders.h>

namespace fermata::ptx {
namespace {

bool isClock(const Operand& operand) {
  return operand.kind == Operand::Kind::Special &&
         (operand.name.substr(0, 6) == "%clock" || operand.name.substr(0, 12) == "%globaltimer");
}

void moveClock(Decoding& d, Type type) {
  const std::string_view name = d.operand(1).name;
  const bool is64 = name == "%clock64" || name == "%globaltimer";
  if (isFloat(type) || bytesOf(type) != (is64 ? 8U : 4U))
    d.unsupported("'" + std::string(name) + "' has " + (is64 ? "64" : "32") + " bits");
  d.i.handler = &executeClock;
  d.i.wideData = is64;
  d.i.clock.upperHalf = name == "%clock_hi" || name == "%globaltimer_hi";
  d.i.clock.nanoseconds = name.substr(0, 6) != "%clock";
  d.i.d = d.destination(0, type);
  d.emit(InstructionClass::Integer);
}

Type elementType(Decoding& d, Type whole, std::size_t elements) {
  const std::size_t bytes = elements == 2 || elements == 4 ? bytesOf(whole) / elements : 0;
  if (bytes == 2) return Type::B16;
  if (bytes == 4) return Type::B32;
  d.unsupported("a vector of " + std::to_string(elements) + " elements");
}

// Decodes mov.b64 {lo, hi}, whole and mov.b64 whole, {lo, hi}.
void moveVector(Decoding& d, Type type) {
  const bool unpack = d.operand(0).kind == Operand::Kind::Vector;
  const Operand& vector = d.operand(unpack ? 0 : 1);
  if (isFloat(type)) d.unsupported();
  const Type element = elementType(d, type, vector.elements.size());
  d.i.elements = static_cast<std::uint8_t>(vector.elements.size());
  d.i.elementBytes = static_cast<std::uint8_t>(bytesOf(element));
  d.i.wideData = bytesOf(type) == 8;
  for (std::size_t e = 0; e < vector.elements.size(); ++e) {
    d.i.vector[e] =
        unpack ? d.destination(vector.elements[e], element) : d.source(vector.elements[e], element);
  }
  if (unpack) {
    d.i.handler = &executeUnpack;
    d.i.a = d.source(1, type);
  } else {
    d.i.handler = &executePack;
    d.i.d = d.destination(0, type);
  }
  d.emit(InstructionClass::Integer);
}

/// Rounding of a cvt: to an integer, in a direction, or (if neither) to nearest.
struct ConvertRounding {
  Rounding integer = Rounding::None;
  std::optional<Direction> direction;
};

ConvertRounding takeRounding(Decoding& d, Type to, Type from) {
  ConvertRounding rounding;
  const std::string_view name = d.takeOneOf({"rni", "rzi", "rmi", "rpi", "rn", "rz", "rm", "rp"});
  const bool toInteger = isFloat(from) && !isFloat(to);
  const bool sameFloat = isFloat(from) && to == from;
  if (name.size() == 3) {
    if (!toInteger && !sameFloat) d.unsupported("rounding to an integer does not fit these types");
    rounding.integer = name == "rni"   ? Rounding::Nearest
                       : name == "rzi" ? Rounding::Zero
                       : name == "rmi" ? Rounding::Down
                                       : Rounding::Up;
    return rounding;
  }
  if (toInteger) d.unsupported("expected .rni, .rzi, .rmi or .rpi");
  const bool inexact = isFloat(to) && (!isFloat(from) || bytesOf(to) < bytesOf(from));
  if (name.empty() == inexact)
    d.unsupported(inexact ? "expected a rounding such as .rn" : "no rounding fits these types");
  if (name == "rz") rounding.direction = Direction::Zero;
  if (name == "rm") rounding.direction = Direction::Down;
  if (name == "rp") rounding.direction = Direction::Up;
  return rounding;
}

unsigned registerBytes(Decoding& d, const Operand& operand, Type type) {
  const std::optional<Type> held = d.registerType(operand);
  if (!held || *held == Type::Pred) return bytesOf(type) < 2 ? 4 : bytesOf(type);
  return bytesOf(*held);
}

/// Returns the type under which to take a register that may be wider than the instruction's type.
Type heldType(Decoding& d, const Operand& operand, Type type) {
  const std::optional<Type> held = d.registerType(operand);
  if (held && *held != Type::Pred && !isFloat(type) && !isFloat(*held) &&
      bytesOf(*held) > bytesOf(type))
    return *held;
  return bytesOf(type) < 2 ? Type::B32 : type;
}

std::uint64_t windowOfSpace(Decoding& d) {
  const std::string_view space =
      d.takeOneOf({"global", "shared", "shared::cta", "local", "const", "param", "param::entry"});
  d.take("cta");
  if (space.empty()) d.unsupported("expected a state space");
  if (space.substr(0, 6) == "shared") return kSharedWindow;
  if (space == "local") return kLocalWindow;
  return space.substr(0, 5) == "param" ? kParameterWindow : 0;
}

}  // namespace

void decodeMov(Decoding& d) {
  const Type type = d.takeType();
  d.finishModifiers();
  d.expectOperands(2);
  if (type == Type::Pred) return decodeRegular(d, type);
  if (isClock(d.operand(1))) return moveClock(d, type);
  if (d.operand(0).kind == Operand::Kind::Vector || d.operand(1).kind == Operand::Kind::Vector)
    return moveVector(d, type);
  if (isHalf(type)) d.unsupported();
  decodeRegular(d, type);
}

void decodeCvt(Decoding& d) {
  const bool flush = d.take("ftz");
  const bool saturate = d.take("sat");
  const Type to = d.takeType();
  const Type from = d.takeType();
  const ConvertRounding rounding = takeRounding(d, to, from);
  d.finishModifiers();
  d.expectOperands(2);
  if (flush && to != Type::F32 && from != Type::F32) d.unsupported();
  if (isBits(to) || isBits(from) || isHalf(to) || isHalf(from)) d.unsupported();
  const bool clampsAnyway = isFloat(from) && !isFloat(to);
  d.i.floatFlags = static_cast<std::uint8_t>((flush ? kFlushFlag : 0) |
                                             (saturate && isFloat(to) ? kSaturateFlag : 0));
  Handler handler = laneTable().convert(to, from, rounding.integer, saturate && !clampsAnyway);
  if (rounding.direction) handler = directedConvertHandler(to, from);
  d.require(handler);
  const Type target = heldType(d, d.operand(0), to);
  const Type origin = heldType(d, d.operand(1), from);
  d.i.d = d.destination(0, target);
  d.i.a = d.source(1, origin);
  const bool widerResult =
      registerBytes(d, d.operand(0), to) > bytesOf(to) && (isSigned(to) || bytesOf(target) == 8);
  const bool widerSource = bytesOf(origin) == 8 && bytesOf(from) < 8;
  if (widerResult || widerSource) {
    d.i.wideBase = widerSource;
    d.i.inner = handler;
    d.i.handler = &executeWideConvert;
    d.i.c = widerSource ? d.builder().scratchRow(false) : d.i.a;
    d.i.b = d.builder().scratchRow(bytesOf(to) == 8);
    d.i.wideData = bytesOf(target) == 8;
    d.i.registerBytes = static_cast<std::uint8_t>(registerBytes(d, d.operand(0), to));
    d.i.signExtend = isSigned(to);
    d.i.conversion.to = to;
    if (rounding.direction) d.unsupported("registers wider than the types");
  } else {
    d.i.handler = handler;
    if (rounding.direction) d.i.direction = *rounding.direction;
  }
  const bool twice = to == Type::F64 || from == Type::F64;
  d.emit(twice ? InstructionClass::Double : InstructionClass::Integer);
}

// Decodes cvta between a space and generic addressing: adds or subtracts the base of the window.
void decodeCvta(Decoding& d) {
  const bool back = d.take("to");
  const std::uint64_t base = windowOfSpace(d);
  const Type type = d.takeType();
  d.finishModifiers();
  if (type != Type::U32 && type != Type::U64) d.unsupported();
  d.expectOperands(2);
  d.i.d = d.destination(0, type);
  d.i.a = d.source(1, type);
  d.i.handler = base == 0 ? regularHandler("mov", type) : &executeAddOffset;
  d.i.wideBase = d.i.wideData = type == Type::U64;
  d.i.offset = back ? -static_cast<std::int64_t>(base) : static_cast<std::int64_t>(base);
  d.emit(InstructionClass::Integer);
}

void decodeIsSpace(Decoding& d) {
  const std::string_view name =
      d.takeOneOf({"global", "shared", "shared::cta", "local", "const", "param", "param::entry"});
  d.finishModifiers();
  if (name.empty()) d.unsupported("expected a state space");
  MemorySpace space = MemorySpace::Global;
  if (name.substr(0, 6) == "shared") space = MemorySpace::Shared;
  if (name == "local") space = MemorySpace::Local;
  if (name == "const") space = MemorySpace::Constant;
  if (name.substr(0, 5) == "param") space = MemorySpace::Parameter;
  d.expectOperands(2);
  d.i.handler = &executeIsSpace;
  d.i.asked = space;
  d.i.pd = d.predicateDestination(d.operand(0));
  const std::optional<Type> held = d.registerType(d.operand(1));
  d.i.wideBase = held ? bytesOf(*held) == 8 : d.builder().code().addressBits64;
  d.i.a = d.source(1, d.i.wideBase ? Type::B64 : Type::B32);
  d.emit(InstructionClass::Integer);
}

}  // namespace fermata::ptx
