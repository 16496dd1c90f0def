// Instructions that read constants: they end when the line of constants has come, and one that
// reads several lines takes the memory port for each.
#include <fermata/models/core/warp_scheduler.h>

#include <algorithm>
#include <array>

namespace fermata {

// Ends the instructions whose constants have come.
void WarpScheduler::takeConstants(Cycle now) {
  const Cycle at = now + parameters_.instructions.fetchLatency;
  const auto over = [&](const ColdConstant& one) {
    if (!instructions_.askConstants(gridOf_[one.slot]->program, one.instruction->pc, now))
      return false;
    end(one.slot, *one.instruction, at, at);
    if (warps_.readyAt(one.slot) == kNever || watch_ != nullptr) holdChanged(one.slot);
    return true;
  };
  coldConstants_.erase(std::remove_if(coldConstants_.begin(), coldConstants_.end(), over),
                       coldConstants_.end());
}

// True if the instruction that issues reads constants that have not come. It ends when they do
// (takeConstants). In-order pipelines and reorder buffers do not know such instructions: there it
// waits for nothing.
bool WarpScheduler::isCold(unsigned slot, const StaticInstruction& instruction, Cycle now) {
  if (!instructions_.exists() || !instructions_.fetchesConstants()) return false;
  const bool here = instructions_.askConstants(gridOf_[slot]->program, instruction.pc, now);
  if (here || ticks() || reorder_.used()) return false;
  coldConstants_.push_back({slot, &instruction});
  return true;
}

// Returns how many lines of constants the instruction that has just executed reads, beyond one.
Cycle WarpScheduler::furtherConstants(const StaticInstruction& instruction) const {
  if (instruction.space != MemorySpace::Constant) return 0;
  std::array<std::uint64_t, kWarpLanes> lines;
  unsigned count = 0;
  for (LaneMask m = scratch_.active; m != 0; m &= m - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctz(m));
    const std::uint64_t line = scratch_.address[lane] / parameters_.constantLine;
    const auto end = lines.begin() + count;
    if (std::find(lines.begin(), end, line) == end) lines[count++] = line;
  }
  return count == 0 ? 0 : count - 1;
}

// Sends an instruction that reads constants to the port, behind those that wait there.
void WarpScheduler::collectConstants(unsigned slot, const StaticInstruction& instruction,
                                     Cycle now) {
  const Cycle further = parameters_.constantLine == 0 ? 0 : furtherConstants(instruction);
  loadStore_.collectConstants(slot, instruction, 1 + further, now);
}

void WarpScheduler::readsConstants(unsigned slot, const StaticInstruction& instruction, Cycle lines,
                                   Cycle at) {
  if (isCold(slot, instruction, at)) return;
  const Cycle over = at + parameters_.constantLatency + lines - 1;
  end(slot, instruction, over, over);
  if (warps_.readyAt(slot) == kNever || watch_ != nullptr) holdChanged(slot);
}

}  // namespace fermata
