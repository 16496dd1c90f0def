// Decodes ld st mov atom of b128. ld, st and mov become ld.v2.b64, st.v2.b64 and two mov.b64 of the
// halves; atom has a handler of its own.
#include <fermata/stimuli/ptx/decoders.h>
#include <fermata/stimuli/ptx/wide_registers.h>

namespace fermata::ptx {
namespace {

bool isWide(Decoding& d, const Operand& operand) {
  return operand.kind == Operand::Kind::Register &&
         d.frame().function->registers[operand.index].type == Type::B128;
}

/// Returns operand k. Throws InputError unless it is a register of 128 bits.
const Operand& wideOperand(Decoding& d, std::size_t k) {
  const Operand& operand = d.operand(k);
  if (!isWide(d, operand)) d.fail(operand.at, "expected a register of type .b128");
  return operand;
}

/// Returns a half of an operand of mov: of a 128-bit register, or of two 64-bit ones in braces.
Operand halfAt(Decoding& d, const Operand& operand, unsigned half) {
  if (isWide(d, operand)) return halfOf(operand, half);
  if (operand.kind != Operand::Kind::Vector || operand.elements.size() != 2)
    d.fail(operand.at, "expected a register of type .b128");
  return operand.elements[half];
}

/// Decodes the statement with other operands, and with these modifiers instead of b128.
void decodeAs(Decoding& d, const std::vector<Operand>& operands,
              std::initializer_list<std::string_view> modifiers) {
  Statement statement = d.statement();
  statement.operands = operands;
  Decoding other(d.builder(), d.frame(), statement);
  other.take("b128");
  for (const std::string_view modifier : modifiers) other.put(modifier);
  decodeStatement(other);
}

}  // namespace

void decodeWideAccess(Decoding& d) {
  const std::size_t data = d.mnemonic() == "ld" ? 0 : 1;
  d.expectOperands(2, 3);
  if (d.has("v2") || d.has("v4")) d.unsupported("an access of more than 16 bytes");
  const Operand& wide = wideOperand(d, data);
  std::vector<Operand> operands = d.statement().operands;
  Operand both;
  both.kind = Operand::Kind::Vector;
  both.at = wide.at;
  for (unsigned half = 0; half < 2; ++half) both.elements.push_back(halfOf(wide, half));
  operands[data] = both;
  decodeAs(d, operands, {"v2", "b64"});
}

void decodeWideMove(Decoding& d) {
  d.expectOperands(2);
  if (!isWide(d, d.operand(0)) && !isWide(d, d.operand(1)))
    d.fail(d.operand(0).at, "expected a register of type .b128");
  for (unsigned half = 0; half < 2; ++half)
    decodeAs(d, {halfAt(d, d.operand(0), half), halfAt(d, d.operand(1), half)}, {"b64"});
}

void decodeWideAtomic(Decoding& d) {
  const MemorySpace space = takeAtomicSpace(d);
  const bool swaps = d.take("cas");
  if (!swaps && !d.take("exch")) d.unsupported("expected .exch or .cas");
  takeQualifiers(d);
  d.take("b128");
  const bool hinted = d.take("L2::cache_hint");
  d.finishModifiers();
  d.expectOperands((swaps ? 4U : 3U) + (hinted ? 1 : 0));
  if (hinted) d.source(d.operandCount() - 1, Type::B64);
  d.i.handler = wideAtomicHandler(swaps ? AtomicOp::Cas : AtomicOp::Exch);
  d.i.operation = MemoryOperation::Atomic;
  if (swaps) d.form = AtomicForm::Swap;
  d.i.bytesPerLane = 16;
  d.address(d.addressOperand(1), space);
  for (unsigned k = 0; k < (swaps ? 4U : 2U); ++k)
    d.i.vector[k] = d.source(halfOf(wideOperand(d, 2 + k / 2), k % 2), Type::B64);
  const bool unused = d.operand(0).kind == Operand::Kind::Sink;
  d.i.d = d.destination(unused ? d.operand(0) : halfOf(wideOperand(d, 0), 0), Type::B64);
  d.i.c = d.destination(unused ? d.operand(0) : halfOf(wideOperand(d, 0), 1), Type::B64);
  d.i.writesResult = true;
  d.emit(InstructionClass::Memory);
}

}  // namespace fermata::ptx
