// Instructions that read constants: they end when the line of constants has come, and one that
// reads several lines takes the memory port for each.
#include <fermata/models/core/warp_scheduler.h>

#include <algorithm>

namespace fermata {

// Ends the instructions whose constants have come.
void WarpScheduler::takeConstants(Cycle now) {
  const Cycle at = now + parameters_.instructions.fetchLatency;
  const auto over = [&](const ColdConstant& one) {
    const auto here = [&](std::uint64_t line) { return instructions_.hasTable(line); };
    if (!one.lines.empty()
            ? !std::all_of(one.lines.begin(), one.lines.end(), here)
            : !instructions_.askConstants(gridOf_[one.slot]->program, one.instruction->pc, now))
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
  coldConstants_.push_back({slot, &instruction, {}});
  return true;
}

// Collects the lines of constants that the instruction which has just executed reads.
void WarpScheduler::constantLines(ConstantLines& lines) const {
  for (LaneMask m = scratch_.active; m != 0; m &= m - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctz(m));
    const std::uint64_t line = scratch_.address[lane] / parameters_.constantLine;
    if (std::find(lines.begin(), lines.end(), line) == lines.end()) lines.push_back(line);
  }
}

// Returns how many lines of constants the instruction that has just executed reads, beyond one.
Cycle WarpScheduler::furtherConstants(const StaticInstruction& instruction) {
  if (instruction.space != MemorySpace::Constant || parameters_.constantLine == 0) return 0;
  linesRead_.clear();
  constantLines(linesRead_);
  return linesRead_.empty() ? 0 : linesRead_.size() - 1;
}

// Returns when the constants come that the instruction which has just executed reads: at `at`, if
// all lines are there. `behind`: cycles that it holds the unit for lines beyond one.
Cycle WarpScheduler::constantsCome(unsigned slot, const StaticInstruction& instruction, Cycle at,
                                   Cycle behind, Cycle now) {
  if (behind != 0) pipelines_.keep(IssueKind::Constant, now, behind);
  if (isCold(slot, instruction, now)) return kNever;
  if (!constants_.exists() || instruction.space != MemorySpace::Constant) return at;
  Cycle come = at;
  for (const std::uint64_t line : linesRead_)
    come = std::max(come, constants_.read(line, at, at + parameters_.constantMiss));
  return come;
}

// Sends an instruction that reads constants to the port, behind those that wait there. Reorder
// buffers know an instruction without an access by its latency: with them it does not wait.
void WarpScheduler::collectConstants(unsigned slot, const StaticInstruction& instruction,
                                     Cycle now) {
  const Cycle further = furtherConstants(instruction);
  if (readsTable(instruction)) tableReads_.push(linesRead_);
  loadStore_.collectConstants(slot, instruction, 1 + further, now);
}

bool WarpScheduler::readsConstants(unsigned slot, const StaticInstruction& instruction, Cycle lines,
                                   Cycle at) {
  if (readsTable(instruction)) {
    const ConstantTables::Answer answer = readTable(slot, instruction, at);
    if (answer != ConstantTables::Answer::Here) return answer != ConstantTables::Answer::Full;
  } else if (isCold(slot, instruction, at)) {
    return true;
  }
  const Cycle over = at + parameters_.constantLatency + lines - 1;
  end(slot, instruction, over, over);
  if (warps_.readyAt(slot) == kNever || watch_ != nullptr) holdChanged(slot);
  return true;
}

// True if the instruction reads lines of the constant space that may be absent.
bool WarpScheduler::readsTable(const StaticInstruction& instruction) const {
  return instruction.space == MemorySpace::Constant && parameters_.constantLine != 0 &&
         instructions_.fetchesTables();
}

// Looks up the lines of the oldest instruction that reads the constant space, from the first that
// it has not looked up yet. Full: one of them finds no MSHR; Coming: it waits for some.
ConstantTables::Answer WarpScheduler::readTable(unsigned slot, const StaticInstruction& instruction,
                                                Cycle now) {
  ConstantLines& lines = tableReads_.front();
  while (!lines.empty()) {
    const ConstantTables::Answer answer =
        instructions_.askTable(lines.back(), gridOf_[slot]->program, instruction.pc, now);
    if (answer == ConstantTables::Answer::Full) return answer;
    if (answer != ConstantTables::Answer::Here) tableWaits_.push_back(lines.back());
    lines.pop_back();
  }
  tableReads_.pop();
  if (tableWaits_.empty()) return ConstantTables::Answer::Here;
  coldConstants_.push_back({slot, &instruction, std::move(tableWaits_)});
  tableWaits_ = {};
  return ConstantTables::Answer::Coming;
}

}  // namespace fermata
