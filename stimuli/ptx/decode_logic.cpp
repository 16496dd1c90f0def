// Decodes and or xor not cnot shl shr popc clz brev bfind bfe bfi prmt lop3 shf dp4a, with .pred
// where PTX has it.
#include <algorithm>
#include <array>

#include <fermata/stimuli/ptx/decoding.h>

namespace fermata::ptx {
namespace {

struct Form {
  std::string_view mnemonic;
  IntegerOp op;
  PredicateOp predicate;
};
constexpr std::array<Form, 4> kLogic = {{{"and", IntegerOp::And, PredicateOp::And},
                                         {"or", IntegerOp::Or, PredicateOp::Or},
                                         {"xor", IntegerOp::Xor, PredicateOp::Xor},
                                         {"not", IntegerOp::Not, PredicateOp::Not}}};

void decodeLogic(Decoding& d) {
  const auto form = std::find_if(kLogic.begin(), kLogic.end(),
                                 [&](const Form& f) { return f.mnemonic == d.mnemonic(); });
  const bool isNot = form->op == IntegerOp::Not;
  const Type type = d.takeType();
  d.finishModifiers();
  d.expectOperands(isNot ? 2 : 3);
  if (type == Type::Pred) {
    d.i.handler = &executePredicate;
    d.i.mode = static_cast<std::uint8_t>(form->predicate);
    d.i.pd = d.predicateDestination(d.operand(0));
    d.i.p = d.predicate(d.operand(1));
    if (!isNot) {
      const PredicateOperand second = d.predicate(d.operand(2));
      d.i.target = second.number;
      d.i.reconverge = second.flip;
    }
    d.emit(InstructionClass::Integer);
    return;
  }
  d.i.handler = d.require(laneTable().integer(form->op, type));
  d.i.d = d.destination(0, type);
  d.i.a = d.source(1, type);
  if (!isNot) d.i.b = d.source(2, type);
  d.emit(InstructionClass::Integer);
}

void decodeShift(Decoding& d) {
  const Type type = d.takeType();
  d.finishModifiers();
  d.i.handler =
      d.require(laneTable().integer(d.mnemonic() == "shl" ? IntegerOp::Shl : IntegerOp::Shr, type));
  d.expectOperands(3);
  d.i.d = d.destination(0, type);
  d.i.a = d.source(1, type);
  d.i.b = d.source(2, Type::U32);
  d.emit(InstructionClass::Integer);
}

void decodeCount(Decoding& d) {
  const bool shift = d.mnemonic() == "bfind" && d.take("shiftamt");
  const Type type = d.takeType();
  d.finishModifiers();
  IntegerOp op = IntegerOp::Popc;
  if (d.mnemonic() == "clz") op = IntegerOp::Clz;
  if (d.mnemonic() == "bfind") op = shift ? IntegerOp::BfindShift : IntegerOp::Bfind;
  d.i.handler = d.require(laneTable().integer(op, type));
  d.expectOperands(2);
  d.i.d = d.destination(0, Type::U32);
  d.i.a = d.source(1, type);
  d.emit(InstructionClass::Integer);
}

void decodeUnary(Decoding& d) {
  const Type type = d.takeType();
  d.finishModifiers();
  d.i.handler = d.require(
      laneTable().integer(d.mnemonic() == "brev" ? IntegerOp::Brev : IntegerOp::Cnot, type));
  d.expectOperands(2);
  d.i.d = d.destination(0, type);
  d.i.a = d.source(1, type);
  d.emit(InstructionClass::Integer);
}

void decodeBitField(Decoding& d) {
  const bool insert = d.mnemonic() == "bfi";
  const Type type = d.takeType();
  d.finishModifiers();
  d.i.handler = d.require(laneTable().integer(insert ? IntegerOp::Bfi : IntegerOp::Bfe, type));
  d.expectOperands(insert ? 5 : 4);
  d.i.d = d.destination(0, type);
  d.i.a = d.source(1, type);
  if (insert) {
    d.i.b = d.source(2, type);
    d.i.c = d.source(3, Type::U32);
    d.i.vector[0] = d.source(4, Type::U32);
  } else {
    d.i.b = d.source(2, Type::U32);
    d.i.c = d.source(3, Type::U32);
  }
  d.emit(InstructionClass::Integer);
}

void wordOperands(Decoding& d, Type a, Type b, Type c) {
  d.i.d = d.destination(0, c);
  d.i.a = d.source(1, a);
  d.i.b = d.source(2, b);
  d.i.c = d.source(3, c);
}

void decodePrmt(Decoding& d) {
  const Type type = d.takeType();
  const std::string_view mode = d.takeOneOf({"f4e", "b4e", "rc8", "ecl", "ecr", "rc16"});
  d.finishModifiers();
  IntegerOp op = IntegerOp::Prmt;
  if (mode == "f4e") op = IntegerOp::PrmtF4e;
  if (mode == "b4e") op = IntegerOp::PrmtB4e;
  if (mode == "rc8") op = IntegerOp::PrmtRc8;
  if (mode == "ecl") op = IntegerOp::PrmtEcl;
  if (mode == "ecr") op = IntegerOp::PrmtEcr;
  if (mode == "rc16") op = IntegerOp::PrmtRc16;
  d.i.handler = d.require(laneTable().integer(op, type));
  d.expectOperands(4);
  wordOperands(d, type, type, type);
  d.emit(InstructionClass::Integer);
}

void decodeLop3(Decoding& d) {
  const Type type = d.takeType();
  d.finishModifiers();
  d.i.handler = d.require(laneTable().integer(IntegerOp::Lop3, type));
  d.expectOperands(5);
  wordOperands(d, type, type, type);
  d.i.offset =
      static_cast<std::int64_t>(d.immediate(d.operand(4), 255, "the look-up table of lop3"));
  d.emit(InstructionClass::Integer);
}

void decodeFunnel(Decoding& d) {
  const Type type = d.takeType();
  const std::string_view direction = d.takeOneOf({"l", "r"});
  const std::string_view mode = d.takeOneOf({"clamp", "wrap"});
  d.finishModifiers();
  if (direction.empty() || mode.empty()) d.unsupported("expected .l or .r, and .clamp or .wrap");
  const bool wrap = mode == "wrap";
  const IntegerOp op = direction == "l"
                           ? (wrap ? IntegerOp::ShfLeftWrap : IntegerOp::ShfLeftClamp)
                           : (wrap ? IntegerOp::ShfRightWrap : IntegerOp::ShfRightClamp);
  d.i.handler = d.require(laneTable().integer(op, type));
  d.expectOperands(4);
  wordOperands(d, type, type, Type::U32);
  d.emit(InstructionClass::Integer);
}

void decodeDp4a(Decoding& d) {
  const Type a = d.takeType();
  const Type b = d.takeType();
  d.finishModifiers();
  const bool fits = (a == Type::U32 || a == Type::S32) && (b == Type::U32 || b == Type::S32);
  if (!fits) d.unsupported();
  const bool sa = a == Type::S32;
  const bool sb = b == Type::S32;
  const IntegerOp op = sa ? (sb ? IntegerOp::Dp4aSS : IntegerOp::Dp4aSU)
                          : (sb ? IntegerOp::Dp4aUS : IntegerOp::Dp4aUU);
  d.i.handler = laneTable().integer(op, Type::B32);
  d.expectOperands(4);
  wordOperands(d, Type::B32, Type::B32, Type::B32);
  d.emit(InstructionClass::Integer);
}

struct Entry {
  std::string_view mnemonic;
  FamilyDecoder decoder;
};
constexpr std::array<Entry, 17> kEntries = {{
    {"and", &decodeLogic},
    {"or", &decodeLogic},
    {"xor", &decodeLogic},
    {"not", &decodeLogic},
    {"cnot", &decodeUnary},
    {"shl", &decodeShift},
    {"shr", &decodeShift},
    {"popc", &decodeCount},
    {"clz", &decodeCount},
    {"bfind", &decodeCount},
    {"brev", &decodeUnary},
    {"bfe", &decodeBitField},
    {"bfi", &decodeBitField},
    {"prmt", &decodePrmt},
    {"lop3", &decodeLop3},
    {"shf", &decodeFunnel},
    {"dp4a", &decodeDp4a},
}};

}  // namespace

FamilyDecoder logicDecoder(std::string_view mnemonic) {
  for (const Entry& entry : kEntries) {
    if (entry.mnemonic == mnemonic) return entry.decoder;
  }
  return nullptr;
}

}  // namespace fermata::ptx
