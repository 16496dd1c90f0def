// The outlook of a staged pipeline: its next events, and its stalls since the last issue.
#include <fermata/models/core/staged_pipeline.h>

namespace fermata {

Cycle StagedPipeline::free() const {
  if (!blocked_) return free_;
  const Cycle move = nextMove(nextOfPaths());  // EXE is blocked until then
  return move == kNever ? kNever : std::max(free_, cycle_ + 1) + (move - cycle_);
}

StagedPipeline::Front StagedPipeline::front(Cycle at) const {
  Cycle until = kNever;
  for (const Blocked& b : blockedSince_) {
    if (at >= b.to) continue;
    if (at >= b.from) return {b.cause, b.to};
    until = b.from;
    break;
  }
  if (at < busyUntil_) return {StallCause::Pipeline, std::min(until, busyUntil_)};
  return {StallCause::Idle, until};
}

Cycle StagedPipeline::nextAccess() const {
  if (reached_) return cycle_;
  const Cycle busy = inMemory_ == kNone ? cycle_ : memoryLast_;
  if (busy == kNever) return kNever;
  const bool queued = !premem_.empty() && premem_[premem_.size() - 1] != inMemory_;
  if (queued) return leavesMemory() + 1;
  for (std::size_t k = 0; k < front_.size(); ++k) {
    const Fetched& one = front_[k];
    const bool entered = k == 0 && executed_ != 0 && instructions_[one.id].entered != 0;
    if (one.access && !entered) return std::max({arrivalOf(one, 0), busy, cycle_}) + 1;
  }
  return kNever;
}

Cycle StagedPipeline::nextCommit() const {
  Cycle least = std::min({nextOfMemory(), nextOfOthers(), nextOfFront()});
  if (!returns_.empty()) {
    const Returning& first = returns_.front();
    const Cycle cycles = (first.left - 1) / parameters_.writebackPorts;
    least = std::min(least, std::max(first.at, cycle_) + cycles + 2);
  }
  return least;
}

// Returns the last cycle in MEM0 of the instruction in MEM0. Precondition: memoryLast_ is known.
Cycle StagedPipeline::leavesMemory() const {
  const Instruction& i = instructions_[inMemory_];
  Cycle last = std::max(memoryLast_, cycle_);
  for (unsigned s = i.entered; s < subwarps_; ++s) last += i.passes[s];
  return last;
}

// Returns the first cycle in which the last subwarp of a warp is at the end of the path, among
// warps for which isTold() holds; kNever: none.
Cycle StagedPipeline::endOfWarp(const Path& path) const {
  for (std::size_t i = 0; i < path.moving.size(); ++i) {
    const Moving& one = path.moving[i];
    if (one.last && isTold(instructions_[one.id])) return one.end + path.delay;
  }
  return kNever;
}

Cycle StagedPipeline::nextOfMemory() const {
  Cycle least = kNever;
  if (const Cycle end = endOfWarp(memory_); end != kNever) least = std::max(end, cycle_) + 2;
  if (inMemory_ == kNone || memoryLast_ == kNever) return least;
  if (!isTold(instructions_[inMemory_])) return least;
  return std::min(least, leavesMemory() + parameters_.memoryStages - 1 + 2);
}

Cycle StagedPipeline::nextOfOthers() const {
  if (const Cycle end = endOfWarp(others_); end != kNever) return std::max(end, cycle_) + 2;
  for (std::size_t i = 0; i < nonmem_.size(); ++i) {
    if (nonmem_[i].last) return cycle_ + i / parameters_.writebackPorts + 2;
  }
  return kNever;
}

// Returns a lower bound on the commits of instructions in the front end and in EXE. Only the first
// one that goes to memory and the first one that does not matter, each as if nothing held it up.
Cycle StagedPipeline::nextOfFront() const {
  Cycle least = kNever;
  bool memory = false;
  bool others = unified_;
  for (std::size_t k = 0; k < front_.size() && !(memory && others); ++k) {
    const Fetched& one = front_[k];
    const bool in = one.id == inMemory_;
    bool& seen = one.memory ? memory : others;
    if (seen || in) continue;
    seen = true;
    const Cycle last = std::max(arrivalOf(one, subwarps_ - 1), cycle_);
    least = std::min(least, last + (elastic_ && !one.memory ? 0 : parameters_.memoryStages) + 2);
  }
  return least;
}

}  // namespace fermata
