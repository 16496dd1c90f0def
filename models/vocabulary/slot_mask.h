// Sets of warp slots.
#pragma once

#include <cstdint>

namespace fermata {

/// Upper limit of the warp slots of a streaming multiprocessor, which fit one mask: bit i stands
/// for slot i.
inline constexpr unsigned kMaxWarpSlots = 64;
using SlotMask = std::uint64_t;

constexpr SlotMask slotBit(unsigned slot) {
  return SlotMask{1} << slot;
}
/// Returns the lowest slot of `mask`. Precondition: mask != 0.
constexpr unsigned lowestSlot(SlotMask mask) {
  return static_cast<unsigned>(__builtin_ctzll(mask));
}
/// Returns the first slot of `mask` after `last`, around the end. Precondition: mask != 0.
constexpr unsigned nextSlotAfter(SlotMask mask, unsigned last) {
  const SlotMask after = last + 1 >= kMaxWarpSlots ? 0 : mask & (~SlotMask{0} << (last + 1));
  return lowestSlot(after != 0 ? after : mask);
}

}  // namespace fermata
