// The causes of empty issue slots, and in words what each warp waits for.
#include <fermata/models/core/warp_scheduler.h>

#include <algorithm>

namespace fermata {

// Blames the warps before the first cycle in which one of them has its operands, and the units from
// then on.
IssueWait WarpScheduler::why(unsigned scheduler, Cycle from, Cycle to) const {
  SlotMask live = picker_.slotsOf(scheduler) & warps_.live();
  if (from >= allStarted_) return why(live, from, to);
  Cycle next = kNever;  // the next start of a warp
  for (SlotMask m = live; m != 0; m &= m - 1) {
    const unsigned slot = lowestSlot(m);
    if (starts_[slot] <= from) continue;
    live &= ~slotBit(slot);
    next = std::min(next, starts_[slot]);
  }
  IssueWait wait = why(live, from, to);
  wait.until = std::min(wait.until, next);
  return wait;
}

IssueWait WarpScheduler::why(SlotMask live, Cycle from, Cycle to) const {
  if (live == 0) return {};
  const IssueWait front = ticks() ? execution_->front(from) : IssueWait();
  if (front.cause != StallCause::Idle) return front;
  const SlotMask running = live & ~warps_.waiting();
  if (running == 0) return {StallCause::Barrier, front.until};
  const WarpTable::Ready ready = warps_.earliestReady(running, from, to);
  if (ready.at > from) return {StallCause::Scoreboard, std::min(ready.at, front.until)};
  return {warps_.blockedBy(ready.slots, pipelines_, from), front.until};
}

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
  if (instructions_.waits(slot)) return "for its instruction to be fetched";
  if ((asleep_ & bit) != 0) return "for an mbarrier's phase, or its sleep's end";
  if (pending_[slot] != 0 && held(slot, next)) return "behind its own accesses";
  if (reorder_.used() && reorder_.free(slot) == kNever) return "for its reorder buffer";
  const Cycle ready = std::max(notBefore_[slot], scoreboard_.ready(slot, next));
  if (ready == kNever) return "for a register";
  return "for its turn, a unit or the memory port since cycle " +
         std::to_string(ready > started_ ? ready - started_ : 0);
}

}  // namespace fermata
