// Describes in words what the warps of a scheduler wait for, for a run that stops early.
#include <fermata/models/core/warp_scheduler.h>

#include <algorithm>

namespace fermata {

std::string WarpScheduler::describeWait() const {
  std::string text;
  for (SlotMask m = warps_.live(); m != 0; m &= m - 1) {
    const unsigned slot = lowestSlot(m);
    const StaticInstruction& next = *warps_.next(slot);
    text += "; warp slot " + std::to_string(slot) + " waits " + waitOf(slot, next) + ", next pc " +
            std::to_string(next.pc);
    if ((leftWhole_ & slotBit(slot)) != 0) text += ", its last round for locks served no lane";
  }
  return text;
}

std::string WarpScheduler::waitOf(unsigned slot, const StaticInstruction& next) const {
  const SlotMask bit = slotBit(slot);
  if ((warps_.waiting() & bit) != 0) return "at a barrier";
  if ((unanswered_ & bit) != 0) return "for the outcome of its access";
  if (pending_[slot] != 0 && held(slot, next)) return "behind its own accesses";
  if (reorder_.used() && reorder_.free(slot) == kNever) return "for its reorder buffer";
  const Cycle ready = std::max(notBefore_[slot], scoreboard_.ready(slot, next));
  if (ready == kNever) return "for a register";
  return "for its turn, a unit or the memory port since cycle " +
         std::to_string(ready > started_ ? ready - started_ : 0);
}

}  // namespace fermata
