// Decodes setp and set.
#include <fermata/stimuli/ptx/decoders.h>

namespace fermata::ptx {
namespace {

/// Modifiers of setp and set.
struct Comparison {
  Compare compare = Compare::Eq;
  Combine combine = Combine::None;
  bool unsignedOnly = false;
  bool flush = false;
};

Comparison takeComparison(Decoding& d) {
  Comparison comparison;
  auto relation = d.takeEnum<Compare>(
      {"eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"});
  if (!relation) {
    relation = d.takeEnum<Compare>({"lo", "ls", "hi", "hs"}, Compare::Lt);
    comparison.unsignedOnly = relation.has_value();
  }
  if (!relation) d.unsupported("expected a comparison such as .lt");
  comparison.compare = *relation;
  comparison.combine =
      d.takeEnum<Combine>({"and", "or", "xor"}, Combine::And).value_or(Combine::None);
  comparison.flush = d.take("ftz");
  return comparison;
}

/// Takes the sources, of this type, and the predicate that the comparison is combined with.
void takeSources(Decoding& d, const Comparison& comparison, Type type) {
  const bool combined = comparison.combine != Combine::None;
  d.expectOperands(combined ? 4 : 3);
  if (comparison.unsignedOnly && !isUnsigned(type))
    d.unsupported("the comparison needs an unsigned type");
  d.i.comparison = {comparison.compare, comparison.combine};
  d.i.floatFlags = comparison.flush ? kFlushFlag : 0;
  d.i.a = d.source(1, type);
  d.i.b = d.source(2, type);
  if (combined) d.i.p = d.predicate(d.operand(3));
}

InstructionClass classOf(Type type, InstructionClass ofFloat) {
  if (type == Type::F64) return InstructionClass::Double;
  return isHalf(type)        ? InstructionClass::Float
         : type == Type::F32 ? ofFloat
                             : InstructionClass::Integer;
}

}  // namespace

void decodeSetp(Decoding& d) {
  const Comparison comparison = takeComparison(d);
  const Type type = d.takeType();
  d.finishModifiers();
  d.i.handler =
      d.require(isHalf(type) ? halfPredicateHandler(type)
                             : laneTable().compare(comparison.compare, CompareResult::Predicate,
                                                   type, comparison.flush));
  takeSources(d, comparison, type);
  const Operand& result = d.operand(0);
  const bool pair = result.kind == Operand::Kind::Pair;
  d.i.pd = d.predicateDestination(pair ? result.elements[0] : result);
  if (pair) d.i.qd = d.predicateDestination(result.elements[1]);
  d.emit(classOf(type, InstructionClass::Float));
}

void decodeSet(Decoding& d) {
  const Comparison comparison = takeComparison(d);
  const Type result = d.takeType();
  const Type type = d.takeType();
  d.finishModifiers();
  const bool word = result == Type::U32 || result == Type::S32;
  if (isHalf(type)) {
    const bool single = bytesOf(type) == 2;
    const bool narrow = single && (result == Type::U16 || result == Type::S16);
    const bool brain = type == Type::Bf16 || type == Type::Bf16x2;
    if (result != type && !word && !narrow) d.unsupported();
    d.i.handler = halfSetHandler(type);
    d.i.offset = result == type ? (brain ? Bf16Format::kOne : F16Format::kOne)
                                : (single && word ? 0xffffffff : 0xffff);
  } else {
    if (!word && result != Type::F32) d.unsupported();
    const CompareResult kind = word ? CompareResult::Mask : CompareResult::One;
    d.i.handler = d.require(laneTable().compare(comparison.compare, kind, type, comparison.flush));
  }
  takeSources(d, comparison, type);
  d.i.d = d.destination(0, result);
  d.emit(classOf(type, InstructionClass::Integer));
}

}  // namespace fermata::ptx
