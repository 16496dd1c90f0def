// Predicate logic, packing, address conversion, parameters of functions, and conversions with
// registers wider than the types.
#include <fermata/stimuli/ptx/bits.h>
#include <fermata/stimuli/ptx/handlers.h>
#include <fermata/stimuli/ptx/memory_access.h>

namespace fermata::ptx {
namespace {

/// Sets d of each lane of the mask to value(lane).
template <class Value>
void setLanes(const Warp& warp, const Instruction& i, LaneMask mask, Value value) {
  for (const unsigned lane : lanesIn(mask)) setLane(warp, i.d, i.wideData, lane, value(lane));
}

std::uint64_t lowBytes(std::uint64_t value, unsigned bytes) {
  return extended(value, 8 * bytes, false);
}

}  // namespace

void executeClock(Warp& warp, const Instruction& i, LaneMask mask) {
  const Machine& machine = *warp.machine;
  std::uint64_t now = machine.executed;
  if (machine.time != nullptr)
    now = i.clock.nanoseconds ? machine.time->nanoseconds() : machine.time->cycles();
  if (i.clock.upperHalf) now >>= 32;
  setLanes(warp, i, mask, [&](unsigned) { return now; });
}

void executeUnpack(Warp& warp, const Instruction& i, LaneMask mask) {
  for (const unsigned lane : lanesIn(mask)) {
    const std::uint64_t whole = laneValue(warp, i.a, i.wideData, lane);
    for (unsigned e = 0; e < i.elements; ++e) {
      setLane(warp, i.vector[e], false, lane,
              lowBytes(whole >> (8U * i.elementBytes * e), i.elementBytes));
    }
  }
}

void executePack(Warp& warp, const Instruction& i, LaneMask mask) {
  setLanes(warp, i, mask, [&](unsigned lane) {
    std::uint64_t whole = 0;
    for (unsigned e = 0; e < i.elements; ++e) {
      whole |= lowBytes(laneValue(warp, i.vector[e], false, lane), i.elementBytes)
               << (8U * i.elementBytes * e);
    }
    return whole;
  });
}

void executeAddOffset(Warp& warp, const Instruction& i, LaneMask mask) {
  setLanes(warp, i, mask, [&](unsigned lane) {
    return laneValue(warp, i.a, i.wideBase, lane) + static_cast<std::uint64_t>(i.offset);
  });
}

void executeMapAddress(Warp& warp, const Instruction& i, LaneMask mask) {
  setLanes(warp, i, mask, [&](unsigned lane) {
    const std::uint32_t rank = rowOf<std::uint32_t>(warp, i.b)[lane];
    if (rank != 0) failAt(warp, i, lane, "CTA {} of the cluster; expected 0, its only one", rank);
    return laneValue(warp, i.a, i.wideBase, lane);
  });
}

void executeIsSpace(Warp& warp, const Instruction& i, LaneMask mask) {
  const LaneMask result = lanesWhere(kAllLanes, [&](unsigned lane) {
    const std::uint64_t address = laneValue(warp, i.a, i.wideBase, lane);
    if (i.asked == MemorySpace::Shared || i.asked == MemorySpace::Local ||
        i.asked == MemorySpace::Parameter)
      return spaceOfGeneric(address) == i.asked;
    const Allocation* allocation = warp.machine->memory->find(address);
    const bool constant = allocation != nullptr && allocation->name.compare(0, 7, ".const ") == 0;
    return allocation != nullptr && constant == (i.asked == MemorySpace::Constant);
  });
  writePredicate(warp, i.pd, result, mask);
}

void executeFrameLoad(Warp& warp, const Instruction& i, LaneMask mask) {
  setLanes(warp, i, mask, [&](unsigned lane) {
    std::uint64_t value = rowOf<std::uint32_t>(warp, i.vector[0])[lane];
    if (i.bytesPerLane == 8)
      value |= std::uint64_t{rowOf<std::uint32_t>(warp, i.vector[1])[lane]} << 32;
    return lowBytes(extended(value >> 8 * i.offset, 8U * i.bytesPerLane, i.signExtend),
                    i.registerBytes);
  });
}

void executeFrameStore(Warp& warp, const Instruction& i, LaneMask mask) {
  for (const unsigned lane : lanesIn(mask)) {
    const std::uint64_t value = laneValue(warp, i.a, i.wideData, lane);
    std::uint32_t& low = rowOf<std::uint32_t>(warp, i.vector[0])[lane];
    if (i.bytesPerLane == 8)
      rowOf<std::uint32_t>(warp, i.vector[1])[lane] = static_cast<std::uint32_t>(value >> 32);
    const auto keep =
        static_cast<std::uint32_t>(lowBytes(~std::uint64_t{0}, i.bytesPerLane) << (8 * i.offset));
    low = (low & ~keep) | (static_cast<std::uint32_t>(value << (8 * i.offset)) & keep);
  }
}

void executeWideConvert(Warp& warp, const Instruction& i, LaneMask mask) {
  Instruction plain = i;
  plain.d = i.b;
  if (i.wideBase) {
    plain.a = i.c;
    for (const unsigned lane : lanesIn(mask))
      setLane(warp, i.c, false, lane, rowOf<std::uint64_t>(warp, i.a)[lane]);
  }
  i.inner(warp, plain, mask);
  const unsigned bytes = bytesOf(i.conversion.to);
  setLanes(warp, i, mask, [&](unsigned lane) {
    const std::uint64_t value = laneValue(warp, i.b, bytes == 8, lane);
    return lowBytes(extended(value, 8 * bytes, i.signExtend), i.registerBytes);
  });
}

}  // namespace fermata::ptx
