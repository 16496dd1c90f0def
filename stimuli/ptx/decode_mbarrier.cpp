// Decodes mbarrier: barriers of any number of threads that are words of shared memory.
#include <fermata/stimuli/ptx/decoders.h>

namespace fermata::ptx {
namespace {

struct MBarrierForm {
  MemorySpace space = MemorySpace::Generic;
  bool noComplete = false, expects = false, parity = false;
};

MBarrierForm takeForm(Decoding& d) {
  MBarrierForm form;
  form.noComplete = d.take("noComplete");
  form.expects = d.take("expect_tx");
  form.parity = d.take("parity");
  d.takeOneOf({"release", "acquire", "relaxed"});
  d.takeOneOf({"cta", "cluster"});
  if (!d.takeOneOf({"shared", "shared::cta", "shared::cluster"}).empty())
    form.space = MemorySpace::Shared;
  if (d.takeType() != Type::B64) d.unsupported();
  d.finishModifiers();
  return form;
}

void emitAccess(Decoding& d, Handler handler, MemoryOperation operation) {
  d.i.handler = handler;
  d.i.operation = operation;
  d.i.bytesPerLane = 8;
  d.emit(InstructionClass::Memory);
}

void emitChange(Decoding& d, MBarrierOp op, MemoryOperation operation = MemoryOperation::Atomic) {
  d.i.mbarrier.op = op;
  emitAccess(d, &executeMBarrier, operation);
}

void requirePlain(Decoding& d, const MBarrierForm& form) {
  if (form.noComplete || form.expects || form.parity) d.unsupported();
}

/// Decodes init, expect_tx, complete_tx: [address], count, and inval: [address].
void decodeChange(Decoding& d, MBarrierOp op) {
  const MBarrierForm form = takeForm(d);
  requirePlain(d, form);
  const bool counts = op != MBarrierOp::Invalidate;
  d.expectOperands(counts ? 2 : 1);
  d.address(d.addressOperand(0), form.space);
  if (counts) d.i.vector[0] = d.source(1, Type::U32);
  const bool sets = op == MBarrierOp::Init || !counts;
  emitChange(d, op, sets ? MemoryOperation::Store : MemoryOperation::Atomic);
}

/// Decodes an arrival: state, [address]{, count}; with .expect_tx: state, [address], bytes.
void decodeArrive(Decoding& d, bool drops) {
  const MBarrierForm form = takeForm(d);
  if (form.parity || (form.noComplete && form.expects)) d.unsupported();
  d.expectOperands(form.noComplete || form.expects ? 3 : 2, 3);
  if (d.operand(0).kind != Operand::Kind::Sink) {
    d.i.d = d.destination(0, Type::B64);
    d.i.mbarrier.returnsState = true;
  }
  d.address(d.addressOperand(1), form.space);
  d.i.vector[0] = d.operandCount() == 3 ? d.source(2, Type::U32)
                                        : d.builder().constant(std::uint64_t{1}, false);
  d.i.elements = 1;
  d.i.mbarrier.drops = drops;
  d.i.mbarrier.noComplete = form.noComplete;
  emitChange(d, form.expects ? MBarrierOp::ExpectArrive : MBarrierOp::Arrive);
}

/// Decodes a test: predicate, [address], state or parity{, hint}.
void decodeTest(Decoding& d, bool mayHint) {
  const MBarrierForm form = takeForm(d);
  if (form.noComplete || form.expects) d.unsupported();
  d.expectOperands(3, mayHint ? 4 : 3);
  d.i.pd = d.predicateDestination(d.operand(0));
  d.address(d.addressOperand(1), form.space);
  d.i.vector[0] = d.source(2, form.parity ? Type::U32 : Type::B64);
  d.i.mbarrier.byParity = form.parity;
  if (d.operandCount() == 4) d.source(3, Type::U32);
  d.i.observes = true;
  emitAccess(d, &executeMBarrierTest, MemoryOperation::Load);
}

void decodePendingCount(Decoding& d) {
  if (d.takeType() != Type::B64) d.unsupported();
  d.finish(&executePendingCount, {Type::U32, Type::B64});
}

}  // namespace

void decodeMBarrier(Decoding& d) {
  if (d.take("init")) return decodeChange(d, MBarrierOp::Init);
  if (d.take("inval")) return decodeChange(d, MBarrierOp::Invalidate);
  if (d.take("complete_tx")) return decodeChange(d, MBarrierOp::Complete);
  if (d.take("arrive")) return decodeArrive(d, false);
  if (d.take("arrive_drop")) return decodeArrive(d, true);
  if (d.take("expect_tx")) return decodeChange(d, MBarrierOp::Expect);
  if (d.take("test_wait")) return decodeTest(d, false);
  if (d.take("try_wait")) return decodeTest(d, true);
  if (d.take("pending_count")) return decodePendingCount(d);
  d.unsupported();
}

void emitArrival(Decoding& d, std::size_t k) {
  d.address(d.addressOperand(k), MemorySpace::Shared);
  d.i.b = d.i.a;
  d.i.copy.sharedOffset = static_cast<std::uint32_t>(d.i.offset);
  d.i.wideData = d.i.wideBase;
  d.i.copyStep = CopyStep::Arrive;
  d.i.operation = MemoryOperation::Store;
  d.i.bytesPerLane = 8;
  d.emit(InstructionClass::Memory);
}

// Decodes an optional increment, an access by itself, and the arrival, which follows the copies
// (copy_ops.cpp).
void decodeCopyArrival(Decoding& d) {
  if (!d.take("arrive")) d.unsupported();
  const bool increments = !d.take("noinc");
  const MBarrierForm form = takeForm(d);
  requirePlain(d, form);
  if (form.space != MemorySpace::Shared) d.unsupported("expected .shared");
  d.expectOperands(1);
  if (increments) {
    d.address(d.addressOperand(0), form.space);
    emitChange(d, MBarrierOp::Increment);
  }
  d.i.handler = &executeCopyArrival;
  emitArrival(d, 0);
}

}  // namespace fermata::ptx
