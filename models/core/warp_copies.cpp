// The part of the warp scheduler that handles asynchronous copies (async_copies.h).
#include <fermata/models/core/warp_scheduler.h>
#include <fermata/models/error.h>

#include <algorithm>
#include <utility>

namespace fermata {

bool WarpScheduler::awaitsCopies(unsigned slot, const StaticInstruction& next) const {
  if (copies_.count(slot) == 0) return false;
  const std::uint64_t groups = workload_->copyGroups(firstSlot_ + slot);
  return groups > next.groupsLeft && copies_.before(slot, groups - next.groupsLeft);
}

// Issues a copy, which takes an issue slot and the memory port like any load. A copy that reads
// nothing is there in the next cycle.
void WarpScheduler::executeCopy(unsigned slot, const StaticInstruction& instruction, IssueKind kind,
                                WarpAccess& access, Cycle now) {
  if (staged()) {
    throw BadInput("kernel '" + grid_->kernel + "', pc " + std::to_string(instruction.pc) +
                   ": an asynchronous copy, for which an in-order pipeline has no place; expected "
                   "organisation = \"decoupled\"");
  }
  // The access is pooled: the next producer must not find this number.
  const std::uint64_t number = std::exchange(access.instruction.copy, WarpInstruction::kNoCopy);
  const std::uint64_t sequence = access.sequence;
  if (reorder_.used()) reorder_.issue(slot, now + 1, sequence);
  lastCompletes_ = now + 1;
  if (number != WarpInstruction::kNoCopy) {
    ++pending_[slot];
    ++ctas_.ofSlot(slot).pending;
    lastCompletes_ = kNever;
    copies_.begin({slot, &instruction, number, workload_->copyGroups(firstSlot_ + slot), sequence});
  }
  if (lastActive_ == 0) {
    loadStore_.port.close(access);
    pipelines_.take(kind, now, 1);
    copies_.arrived(sequence, now + 1);
    return;
  }
  sign(access, slot, instruction, ctas_.ofSlot(slot));
  if (watch_ != nullptr) watch_->requested(access, now);
  const Cycle arrives = loadStore_.issue(access, kind, now);
  if (arrives != kNever) copies_.arrived(sequence, arrives);
}

// Starts the store of each arrived copy that may be stored and retires each stored one, oldest
// first.
void WarpScheduler::moveCopies(Cycle now) {
  for (std::size_t i = 0; i < copies_.all().size();) {
    AsyncCopies::Copy& copy = copies_.all()[i];
    if (copy.at > now) {
      ++i;
    } else if (!copy.stores) {
      if (copies_.mayStore(i) && !loadStore_.holdsMemory(copy.slot) &&
          pipelines_.free(IssueKind::Shared, now) == now)
        storeCopy(copy, now);
      ++i;
    } else {
      const AsyncCopies::Copy over = copy;
      copies_.end(i);
      --pending_[over.slot];
      --ctas_.ofSlot(over.slot).pending;
      complete(over.slot, *over.instruction, over.at);
      if (watch_ != nullptr) watch_->completed(over.slot, *over.instruction, over.at);
      holdChanged(over.slot);
    }
  }
}

void WarpScheduler::storeCopy(AsyncCopies::Copy& copy, Cycle now) {
  WarpAccess& access = loadStore_.port.open();
  access.instruction.hasData = false;
  access.instruction.takesOutcome = false;
  access.instruction.lock = LockStep::None;
  workload_->storeCopy(firstSlot_ + copy.slot, copy.number, access.instruction);
  sign(access, copy.slot, *copy.instruction, ctas_.ofSlot(copy.slot));
  copy.sequence = access.sequence;
  copy.stores = true;
  copy.at = kNever;
  const Cycle arrives = loadStore_.issue(access, IssueKind::Shared, now);
  if (arrives != kNever) copy.at = arrives;
}

Cycle WarpScheduler::copiesDue(Cycle from) const {
  Cycle due = kNever;
  for (std::size_t i = 0; i < copies_.all().size() && due != from; ++i) {
    const AsyncCopies::Copy& copy = copies_.all()[i];
    if (copy.at >= due) continue;  // skips most copies: hundreds are on their way
    const Cycle at = std::max(copy.at, from);
    if (copy.stores) {
      due = std::min(due, at);
    } else if (copies_.mayStore(i) && !loadStore_.holdsMemory(copy.slot)) {
      due = std::min(due, pipelines_.free(IssueKind::Shared, at));
    }
  }
  return due;
}

}  // namespace fermata
