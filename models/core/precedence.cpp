#include <fermata/models/core/precedence.h>

namespace fermata {

SlotMask Precedence::among(SlotMask ready, const WarpTable& warps) {
  if (const SlotMask found = urgentAmong(ready, warps); found != 0) return found;
  const SlotMask others = ready & ~pollsAmong(ready, warps);
  return others != 0 ? others : ready;
}

// Forgets warps whose next instruction is no longer urgent.
SlotMask Precedence::urgentAmong(SlotMask ready, const WarpTable& warps) {
  SlotMask found = 0;
  for (SlotMask m = urgent_ & ready; m != 0; m &= m - 1) {
    const unsigned slot = lowestSlot(m);
    if (warps.next(slot)->urgent) {
      found |= slotBit(slot);
    } else {
      urgent_ &= ~slotBit(slot);
    }
  }
  return found;
}

SlotMask Precedence::pollsAmong(SlotMask ready, const WarpTable& warps) const {
  SlotMask found = 0;
  for (SlotMask m = spinning_ & ready; m != 0; m &= m - 1) {
    if (warps.next(lowestSlot(m))->polls) found |= slotBit(lowestSlot(m));
  }
  return found;
}

void Precedence::polled(unsigned slot, const StaticInstruction& access, unsigned after) {
  const SlotMask bit = slotBit(slot);
  const bool again = access.polls && lastPoll_[slot] == access.pc;
  lastPoll_[slot] = access.polls ? access.pc : kNone;
  polling_ = access.polls ? polling_ | bit : polling_ & ~bit;
  spinning_ = again ? spinning_ | bit : spinning_ & ~bit;
  if (again) turn_ = after;
}

}  // namespace fermata
