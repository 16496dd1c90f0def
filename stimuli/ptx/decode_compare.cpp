// Decodes setp set selp slct testp.
#include <array>
#include <optional>

#include <fermata/stimuli/ptx/decoders.h>

namespace fermata::ptx {
namespace {

struct Named {
  std::string_view name;
  Compare compare;
};
constexpr std::array<Named, 18> kCompares = {{
    {"eq", Compare::Eq},
    {"ne", Compare::Ne},
    {"lt", Compare::Lt},
    {"le", Compare::Le},
    {"gt", Compare::Gt},
    {"ge", Compare::Ge},
    {"equ", Compare::Equ},
    {"neu", Compare::Neu},
    {"ltu", Compare::Ltu},
    {"leu", Compare::Leu},
    {"gtu", Compare::Gtu},
    {"geu", Compare::Geu},
    {"num", Compare::Num},
    {"nan", Compare::Nan},
    {"lo", Compare::Lt},
    {"ls", Compare::Le},
    {"hi", Compare::Gt},
    {"hs", Compare::Ge},  // from "lo" on: unsigned integers
}};

void sources(Decoding& d, const Comparison& comparison, Type type) {
  const bool combined = comparison.combine != Combine::None;
  d.expectOperands(combined ? 4 : 3);
  d.i.comparison = {comparison.compare, comparison.combine};
  d.i.a = d.source(1, type);
  d.i.b = d.source(2, type);
  if (combined) d.i.p = d.predicate(d.operand(3));
}

}  // namespace

Comparison takeComparison(Decoding& d) {
  Comparison comparison;
  bool found = false;
  for (std::size_t k = 0; k < kCompares.size() && !found; ++k) {
    if (!d.take(kCompares[k].name)) continue;
    comparison.compare = kCompares[k].compare;
    comparison.unsignedOnly = k >= 14;
    found = true;
  }
  if (!found) d.unsupported("expected a comparison such as .lt");
  const std::string_view combine = d.takeOneOf({"and", "or", "xor"});
  if (combine == "and") comparison.combine = Combine::And;
  if (combine == "or") comparison.combine = Combine::Or;
  if (combine == "xor") comparison.combine = Combine::Xor;
  comparison.flush = d.take("ftz");
  return comparison;
}

void decodeSetp(Decoding& d) {
  const Comparison comparison = takeComparison(d);
  const Type type = d.takeType();
  d.finishModifiers();
  if (comparison.unsignedOnly && !isUnsigned(type))
    d.unsupported("the comparison needs an unsigned type");
  d.i.handler = d.require(
      laneTable().compare(comparison.compare, CompareResult::Predicate, type, comparison.flush));
  sources(d, comparison, type);
  const Operand& result = d.operand(0);
  if (result.kind == Operand::Kind::Pair) {
    d.i.pd = d.predicateDestination(result.elements[0]);
    d.i.qd = d.predicateDestination(result.elements[1]);
  } else {
    d.i.pd = d.predicateDestination(result);
  }
  d.emit(type == Type::F64   ? InstructionClass::Double
         : type == Type::F32 ? InstructionClass::Float
                             : InstructionClass::Integer);
}

void decodeSet(Decoding& d) {
  const Comparison comparison = takeComparison(d);
  const Type result = d.takeType();
  const Type type = d.takeType();
  d.finishModifiers();
  if (comparison.unsignedOnly && !isUnsigned(type))
    d.unsupported("the comparison needs an unsigned type");
  if (result != Type::U32 && result != Type::S32 && result != Type::F32) d.unsupported();
  const CompareResult kind = result == Type::F32 ? CompareResult::One : CompareResult::Mask;
  d.i.handler = d.require(laneTable().compare(comparison.compare, kind, type, comparison.flush));
  sources(d, comparison, type);
  d.i.d = d.destination(0, result);
  d.emit(type == Type::F64 ? InstructionClass::Double : InstructionClass::Integer);
}

void decodeSlct(Decoding& d) {
  const bool flush = d.take("ftz");
  const Type type = d.takeType();
  const Type selector = d.takeType();
  d.finishModifiers();
  if ((selector != Type::S32 && selector != Type::F32) || (flush && selector != Type::F32) ||
      isHalf(type))
    d.unsupported();
  d.i.handler = d.require(regularHandler("slct", type));
  d.i.selector = selector == Type::S32 ? Selector::Integer
                 : flush               ? Selector::FlushedFloat
                                       : Selector::Float;
  d.expectOperands(4);
  d.i.d = d.destination(0, type);
  d.i.a = d.source(1, type);
  d.i.b = d.source(2, type);
  d.i.c = d.source(3, selector);
  d.emit(InstructionClass::Integer);
}

void decodeTestp(Decoding& d) {
  constexpr std::array<std::string_view, 6> kNames = {"finite",     "infinite", "number",
                                                      "notanumber", "normal",   "subnormal"};
  std::optional<TestProperty> property;
  for (std::size_t k = 0; k < kNames.size(); ++k) {
    if (d.take(kNames[k])) property = static_cast<TestProperty>(k);
  }
  if (!property) d.unsupported("expected a property such as .finite");
  const Type type = d.takeType();
  d.finishModifiers();
  d.i.handler = d.require(testPropertyHandler(type));
  d.i.property = *property;
  d.expectOperands(2);
  d.i.pd = d.predicateDestination(d.operand(0));
  d.i.a = d.source(1, type);
  d.emit(type == Type::F64 ? InstructionClass::Double : InstructionClass::Float);
}

}  // namespace fermata::ptx
