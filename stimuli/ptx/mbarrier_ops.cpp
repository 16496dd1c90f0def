// mbarrier: lanes act one after another in rising order, each on the word that the one before left.
// No data are carried, since polling is a race: a replay may bring its load to the banks behind a
// later store.
#include <fermata/stimuli/ptx/handlers.h>
#include <fermata/stimuli/ptx/mbarrier.h>
#include <fermata/stimuli/ptx/memory_access.h>
#include <fermata/stimuli/ptx/warp.h>

namespace fermata::ptx {
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

// A token names the phase in which it was taken, a parity the parity of that phase. That phase is
// over when the barrier's phase differs.
void executeMBarrierTest(Warp& warp, const Instruction& i, LaneMask mask) {
  WarpInstruction& out = *warp.machine->out;
  mask = barrierAddresses(warp, i, mask, out);
  const LaneMask over = lanesWhere(mask, [&](unsigned lane) {
    const Window window = laneWindow(warp, i, lane, out);
    std::uint64_t word = 0;
    readLane(window, out.address[lane], lane, 8, reinterpret_cast<std::uint8_t*>(&word));
    const bool phase = barrierAt(warp, i, lane, word).phase();
    const bool asked = i.mbarrier.byParity
                           ? (rowOf<std::uint32_t>(warp, i.vector[0])[lane] & 1U) != 0
                           : MBarrier(rowOf<std::uint64_t>(warp, i.vector[0])[lane]).phase();
    return phase != asked;
  });
  writePredicate(warp, i.pd, over, mask);
}

void executePendingCount(Warp& warp, const Instruction& i, LaneMask mask) {
  for (const unsigned lane : lanesIn(mask)) {
    rowOf<std::uint32_t>(warp, i.d)[lane] =
        MBarrier(rowOf<std::uint64_t>(warp, i.a)[lane]).pending();
  }
}

}  // namespace fermata::ptx
