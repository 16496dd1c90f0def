// Decodes the forms with a carry: add.cc addc sub.cc subc mad.cc madc.
#include <fermata/stimuli/ptx/decoders.h>

namespace fermata::ptx {

void decodeCarry(Decoding& d) {
  const Type type = d.takeType();
  const std::string_view stem = d.mnemonic().substr(0, 3);
  const bool mad = stem == "mad";
  const bool takesCarry = d.mnemonic().size() > 3;
  CarryOp op = stem == "sub" ? CarryOp::Sub : CarryOp::Add;
  if (mad) {
    const std::string_view part = d.takeOneOf({"lo", "hi", "wide"});
    if (part.empty()) d.unsupported("expected .lo, .hi or .wide");
    if (part == "wide") d.unsupported(takesCarry ? "" : "'.cc' does not fit");
    op = part == "lo" ? CarryOp::MadLo : CarryOp::MadHi;
  }
  const bool gives = d.take("cc");
  d.finishModifiers();
  d.i.handler = d.require(carryHandler(op, type));
  d.i.carry = {takesCarry, gives};
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

}  // namespace fermata::ptx
