// mbarrier: barriers of any number of threads that are words of shared memory. Lanes act one after
// another in rising order, each on the word that the one before left. No data are carried, since
// polling is a race: a replay may bring its load to the banks behind a later store.
#include <fermata/stimuli/ptx/decoders.h>
#include <fermata/stimuli/ptx/handlers.h>
#include <fermata/stimuli/ptx/mbarrier.h>
#include <fermata/stimuli/ptx/memory_access.h>
#include <fermata/stimuli/ptx/warp.h>

namespace fermata::ptx {

enum class MBarrierOp : std::uint8_t {
  Init,
  Invalidate,
  Arrive,
  ExpectArrive,
  Expect,
  Complete,
  Increment
};

namespace {

LaneMask barrierAddresses(Warp& warp, const Instruction& i, LaneMask mask, WarpInstruction& out) {
  mask = laneAddresses(warp, i, mask, out);
  out.hasData = false;
  if (out.space != MemorySpace::Shared)
    failAt(warp, i, firstLane(mask), "an mbarrier outside of shared memory");
  return mask;
}

MBarrier barrierAt(const Warp& warp, const Instruction& i, unsigned lane, std::uint64_t word) {
  const MBarrier barrier(word);
  if (!barrier.valid())
    failAt(warp, i, lane, "no mbarrier there; expected one after mbarrier.init");
  return barrier;
}

std::uint64_t arrived(const Warp& warp, const Instruction& i, unsigned lane, MBarrier barrier,
                      std::uint32_t count) {
  const bool completes = count == barrier.pending();
  const bool phase = barrier.phase();
  if (!barrier.arrive(count, i.mbarrier.drops)) {
    failAt(warp, i, lane, "{} arrivals at an mbarrier; expected 1 to {}, which are pending", count,
           barrier.pending());
  }
  if (i.mbarrier.noComplete && (completes || barrier.phase() != phase))
    failAt(warp, i, lane, "an arrival with .noComplete that completes the phase");
  return barrier.word();
}

std::uint64_t changed(const Warp& warp, const Instruction& i, unsigned lane, std::uint64_t word) {
  const auto operand = [&] { return rowOf<std::uint32_t>(warp, i.vector[0])[lane]; };
  const auto op = i.mbarrier.op;
  if (op == MBarrierOp::Invalidate) return 0;
  if (op == MBarrierOp::Init) {
    const std::uint32_t count = operand();
    if (count == 0 || count > MBarrier::kMostArrivals)
      failAt(warp, i, lane, "an mbarrier of {} arrivals; expected 1 to 1048575", count);
    return MBarrier::initialised(count).word();
  }
  MBarrier barrier = barrierAt(warp, i, lane, word);
  if (op == MBarrierOp::Arrive) return arrived(warp, i, lane, barrier, operand());
  bool fits = true;
  if (op == MBarrierOp::Increment) fits = barrier.increment();
  if (op == MBarrierOp::Complete) fits = barrier.complete(operand());
  if (op == MBarrierOp::Expect || op == MBarrierOp::ExpectArrive) fits = barrier.expect(operand());
  if (!fits) failAt(warp, i, lane, "an mbarrier overflows; expected counts up to 1048575");
  if (op == MBarrierOp::ExpectArrive) return arrived(warp, i, lane, barrier, 1);
  return barrier.word();
}

/// Returns the phase of the barrier that a lane tests.
bool phaseAt(const Warp& warp, const Instruction& i, unsigned lane, const WarpInstruction& out) {
  const std::uint64_t address = out.address[lane];
  if (namesRank(address) && rankNamed(address) != warp.cta->rank)
    failAt(warp, i, lane, "a wait at an mbarrier of CTA {} of the cluster; expected one of its own",
           rankNamed(address));
  const Window window = laneWindow(warp, i, lane, out);
  std::uint64_t word = 0;
  readLane(window, address, lane, 8, reinterpret_cast<std::uint8_t*>(&word));
  return barrierAt(warp, i, lane, word).phase();
}

// A token names the phase in which it was taken, a parity the parity of that phase. That phase is
// over when the barrier's phase differs. Most often all lanes test one barrier.
LaneMask lanesOver(const Warp& warp, const Instruction& i, LaneMask mask,
                   const WarpInstruction& out) {
  std::uint64_t last = 0;
  bool known = false, phase = false;
  return lanesWhere(mask, [&](unsigned lane) {
    if (!known || out.address[lane] != last) {
      phase = phaseAt(warp, i, lane, out);
      last = out.address[lane];
      known = true;
    }
    const bool asked = i.mbarrier.byParity
                           ? (rowOf<std::uint32_t>(warp, i.vector[0])[lane] & 1U) != 0
                           : MBarrier(rowOf<std::uint64_t>(warp, i.vector[0])[lane]).phase();
    return phase != asked;
  });
}

void executeMBarrierTest(Warp& warp, const Instruction& i, LaneMask mask) {
  WarpInstruction& out = *warp.machine->out;
  mask = barrierAddresses(warp, i, mask, out);
  writePredicate(warp, i.pd, lanesOver(warp, i, mask, out), mask);
}

void executePendingCount(Warp& warp, const Instruction& i, LaneMask mask) {
  for (const unsigned lane : lanesIn(mask)) {
    rowOf<std::uint32_t>(warp, i.d)[lane] =
        MBarrier(rowOf<std::uint64_t>(warp, i.a)[lane]).pending();
  }
}

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

// Lanes that arrive at one mbarrier merge, as those that count do: on an H100 a barrier takes as
// long whether each thread or one per warp arrives (results/silicon/cluster.csv).
void emitChange(Decoding& d, MBarrierOp op, MemoryOperation operation = MemoryOperation::Atomic) {
  d.i.mbarrier.op = op;
  if (operation == MemoryOperation::Atomic) {
    d.form = AtomicForm::Count;
    d.arrives = true;
  }
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
  const bool hints = d.operandCount() == 4;
  if (hints) d.i.vector[1] = d.source(3, Type::U32);
  d.i.observes = true;
  d.suspends = hints;
  emitAccess(d, &executeMBarrierTest, MemoryOperation::Load);
}

void decodePendingCount(Decoding& d) {
  if (d.takeType() != Type::B64) d.unsupported();
  d.finish(&executePendingCount, {Type::U32, Type::B64});
}

}  // namespace

void executeMBarrier(Warp& warp, const Instruction& i, LaneMask mask) {
  WarpInstruction& out = *warp.machine->out;
  mask = barrierAddresses(warp, i, mask, out);
  for (const unsigned lane : lanesIn(mask)) {
    const Window window = laneWindow(warp, i, lane, out);
    std::uint64_t before = 0;
    readLane(window, out.address[lane], lane, 8, reinterpret_cast<std::uint8_t*>(&before));
    const std::uint64_t after = changed(warp, i, lane, before);
    writeLane(window, out.address[lane], lane, 8, reinterpret_cast<const std::uint8_t*>(&after));
    if (i.mbarrier.returnsState) rowOf<std::uint64_t>(warp, i.d)[lane] = before;
  }
}

// Without a time of its own a try_wait answers at once: on an H100 a loop of them sees the end of a
// copy in steps of 41 cycles, which the loop takes (results/silicon/cluster.csv). Lanes that wait
// for different phases go on with the first: others may depend on them.
std::uint64_t sleepAtMBarriers(Warp& warp, const Instruction& i, LaneMask mask) {
  WarpInstruction& out = warp.machine->unseen;
  out.space = i.space;
  out.bytesPerLane = i.bytesPerLane;
  mask = barrierAddresses(warp, i, mask, out);
  if (lanesOver(warp, i, mask, out) != 0) return 0;
  return rowOf<std::uint32_t>(warp, i.vector[1])[firstLane(mask)];
}

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

void emitBytes(Decoding& d, std::size_t k, unsigned bytes) {
  d.address(d.addressOperand(k), MemorySpace::Shared);
  d.i.vector[0] = d.builder().constant(std::uint64_t{bytes}, false);
  emitChange(d, MBarrierOp::Complete);
}

void emitArrival(Decoding& d, std::size_t k, CopyStep step) {
  d.address(d.addressOperand(k), MemorySpace::Shared);
  d.i.b = d.i.a;
  d.i.copy.sharedOffset = static_cast<std::uint32_t>(d.i.offset);
  d.i.wideData = d.i.wideBase;
  d.i.copyStep = step;
  d.i.operation = MemoryOperation::Store;
  d.i.bytesPerLane = 8;
  d.emit(InstructionClass::Memory);
}

// Decodes an optional increment, an access by itself, and the arrival, which follows the copies
// (async_copies.cpp).
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
  emitArrival(d, 0, CopyStep::Arrive);
}

}  // namespace fermata::ptx
