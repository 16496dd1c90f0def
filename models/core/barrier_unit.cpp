#include <fermata/models/core/barrier_unit.h>

#include <fermata/models/transaction/warp_instruction.h>

namespace fermata {

SlotMask BarrierUnit::arrive(unsigned first, unsigned slot, unsigned number, unsigned threads,
                             bool waits) {
  Cta& cta = ctas_[first];
  Barrier& barrier = cta.barriers[number];
  ++barrier.arrived;
  barrier.expected = (threads + kWarpLanes - 1) / kWarpLanes;
  if (waits) barrier.waiting |= SlotMask{1} << slot;
  return releaseIfComplete(cta, barrier);
}

SlotMask BarrierUnit::exit(unsigned first) {
  Cta& cta = ctas_[first];
  --cta.live;
  SlotMask freed = 0;
  for (Barrier& barrier : cta.barriers) {
    if (barrier.arrived != 0) freed |= releaseIfComplete(cta, barrier);
  }
  return freed;
}

SlotMask BarrierUnit::releaseIfComplete(const Cta& cta, Barrier& barrier) {
  const unsigned expected = barrier.expected != 0 ? barrier.expected : cta.live;
  if (barrier.arrived < expected) return 0;
  const SlotMask freed = barrier.waiting;
  barrier = Barrier{};
  return freed;
}

}  // namespace fermata
