// Decodes griddepcontrol setmaxnreg createpolicy. A grid follows the one before, registers are
// allocated for a launch, and cache policies change nothing.
#include <fermata/stimuli/ptx/decoders.h>

namespace fermata::ptx {

void emitNothing(Decoding& d) {
  d.i.handler = &executeNothing;
  d.emit(InstructionClass::Integer);
}

void decodeDependentGrids(Decoding& d) {
  if (d.takeOneOf({"launch_dependents", "wait"}).empty()) d.unsupported();
  d.finish(&executeNothing, {});
}

void decodeRegisterCount(Decoding& d) {
  if (d.takeOneOf({"inc", "dec"}).empty() || !d.take("sync") || !d.take("aligned") ||
      d.takeType() != Type::U32)
    d.unsupported();
  d.finishModifiers();
  d.expectOperands(1);
  const std::uint64_t count = d.immediate(d.operand(0), 256, "the number of registers");
  if (count < 24 || count % 8 != 0)
    d.fail(d.operand(0).at, "expected a multiple of 8 from 24 to 256");
  emitNothing(d);
}

void decodePolicy(Decoding& d) {
  const bool ofRange = d.take("range");
  if (!ofRange && !d.take("fractional")) d.unsupported("expected .fractional or .range");
  if (ofRange) d.take("global");
  unsigned priorities = 0;
  while (
      !d.takeOneOf({"L2::evict_last", "L2::evict_normal", "L2::evict_first", "L2::evict_unchanged"})
           .empty())
    ++priorities;
  if (priorities < 1 || priorities > 2 || d.takeType() != Type::B64) d.unsupported();
  d.finishModifiers();
  if (ofRange) {
    d.expectOperands(4);
    d.address(d.operand(1), MemorySpace::Global);
    d.source(2, Type::U32);
    d.source(3, Type::U32);
    d.i = {};
  } else {
    d.expectOperands(1, 2);
    if (d.operandCount() == 2) d.source(1, Type::F32);
  }
  d.i.handler = regularHandler("mov", Type::U64);
  d.i.a = d.builder().constant(std::uint64_t{0}, true);
  d.i.d = d.destination(0, Type::B64);
  d.emit(InstructionClass::Integer);
}

}  // namespace fermata::ptx
