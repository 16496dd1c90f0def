// Knows from which cycle each warp slot is ready, so that no cycle has to look at all slots. It
// holds a wheel of slot masks, one for each of the next 64 cycles, and a mask of the slots whose
// cycle is further away.
#pragma once

#include <fermata/models/vocabulary/cycle.h>
#include <fermata/models/vocabulary/slot_mask.h>

#include <algorithm>
#include <array>
#include <utility>

namespace fermata {

class WakeCalendar {
 public:
  WakeCalendar() { at_.fill(kNever); }

  /// Makes the slot ready from cycle `at` on; kNever: not before the next set().
  void set(unsigned slot, Cycle at) {
    remove(slot);
    at_[slot] = at;
    place(slot, at);
  }
  /// Goes on to cycle `now`. Precondition: `now` never falls.
  void advance(Cycle now) {
    if (now <= now_) return;
    collect(now);
    now_ = now;
    if (farEarliest_ < now + kWindow) moveNear();
  }
  Cycle at(unsigned slot) const { return at_[slot]; }
  /// Returns the slots that are ready in the cycle of advance().
  SlotMask ready() const { return ready_; }
  /// Calls visit(cycle, slots) for the slots that become ready later but before cycle `end`, in
  /// rising order of cycles, until it returns false.
  template <class Visit>
  void upcoming(Cycle end, Visit visit) const {
    if (end <= now_ + 1) return;
    for (std::uint64_t soon = rotated(occupied_, now_ + 1); soon != 0; soon &= soon - 1) {
      const Cycle at = now_ + 1 + lowestSlot(soon);
      if (at >= end || !visit(at, wheel_[at % kWindow])) return;
    }
    SlotMask rest = farEarliest_ < end ? far_ : 0;
    while (rest != 0) {
      const Cycle at = earliest(rest);
      const SlotMask slots = thoseAt(at, rest);
      if (at >= end || !visit(at, slots)) return;
      rest &= ~slots;
    }
  }

 private:
  static constexpr Cycle kWindow = 64;

  static std::uint64_t rotated(std::uint64_t bits, Cycle by) {
    const unsigned n = by % kWindow;
    return n == 0 ? bits : bits >> n | bits << (kWindow - n);
  }
  void remove(unsigned slot) {
    const SlotMask others = ~slotBit(slot);
    const Cycle at = at_[slot];
    ready_ &= others;
    far_ &= others;
    if (at <= now_ || at - now_ >= kWindow) return;
    SlotMask& bucket = wheel_[at % kWindow];
    bucket &= others;
    if (bucket == 0) occupied_ &= ~(std::uint64_t{1} << at % kWindow);
  }
  void place(unsigned slot, Cycle at) {
    if (at <= now_) {
      ready_ |= slotBit(slot);
    } else if (at - now_ < kWindow) {
      wheel_[at % kWindow] |= slotBit(slot);
      occupied_ |= std::uint64_t{1} << at % kWindow;
    } else if (at != kNever) {
      far_ |= slotBit(slot);
      farEarliest_ = std::min(farEarliest_, at);
    }
  }
  /// Makes the slots of the cycles up to `now` ready.
  void collect(Cycle now) {
    const Cycle passed = now - now_;
    const std::uint64_t window =
        passed >= kWindow ? ~std::uint64_t{0} : (std::uint64_t{1} << passed) - 1;
    for (std::uint64_t due = rotated(occupied_, now_ + 1) & window; due != 0; due &= due - 1) {
      const std::size_t bucket = (now_ + 1 + lowestSlot(due)) % kWindow;
      ready_ |= wheel_[bucket];
      wheel_[bucket] = 0;
      occupied_ &= ~(std::uint64_t{1} << bucket);
    }
  }
  void moveNear() {
    farEarliest_ = kNever;
    for (SlotMask m = std::exchange(far_, 0); m != 0; m &= m - 1)
      place(lowestSlot(m), at_[lowestSlot(m)]);
  }
  Cycle earliest(SlotMask slots) const {
    Cycle least = kNever;
    for (; slots != 0; slots &= slots - 1) least = std::min(least, at_[lowestSlot(slots)]);
    return least;
  }
  SlotMask thoseAt(Cycle at, SlotMask slots) const {
    SlotMask found = 0;
    for (; slots != 0; slots &= slots - 1) {
      if (at_[lowestSlot(slots)] == at) found |= slotBit(lowestSlot(slots));
    }
    return found;
  }

  Cycle now_ = 0;
  SlotMask ready_ = 0;
  std::uint64_t occupied_ = 0;  ///< bit i: wheel_[i] is not empty
  std::array<SlotMask, kWindow> wheel_{};
  SlotMask far_ = 0;
  Cycle farEarliest_ = kNever;  ///< lower bound on the cycles of the slots in far_
  std::array<Cycle, kMaxWarpSlots> at_;
};

}  // namespace fermata
