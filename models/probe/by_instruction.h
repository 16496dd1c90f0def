// Counts of a run: totals, and by instruction.
#pragma once

#include <cstdint>
#include <vector>

namespace fermata {

/// `Counts`: a struct whose value initialisation means that nothing was counted. Only add() of
/// another ByInstruction needs Counts::add().
template <class Counts>
class ByInstruction {
 public:
  /// Makes room for a program with `instructions` instructions, which is about to run.
  void prepare(std::uint32_t program, std::uint32_t instructions) {
    if (counts_.size() <= program) counts_.resize(program + 1);
    if (counts_[program].size() < instructions) counts_[program].resize(instructions);
  }
  void reset() {
    totals_ = {};
    counts_.clear();
  }
  /// Adds counts of the same programs.
  void add(const ByInstruction& other) {
    totals_.add(other.totals_);
    for (std::uint32_t program = 0; program < other.counts_.size(); ++program) {
      const std::vector<Counts>& more = other.counts_[program];
      prepare(program, static_cast<std::uint32_t>(more.size()));
      for (std::size_t pc = 0; pc < more.size(); ++pc) counts_[program][pc].add(more[pc]);
    }
  }
  /// Returns the counts of one program alone.
  ByInstruction only(std::uint32_t program) const {
    ByInstruction part;
    if (program >= counts_.size()) return part;
    part.counts_.resize(program + 1);
    part.counts_[program] = counts_[program];
    for (const Counts& counts : counts_[program]) part.totals_.add(counts);
    return part;
  }
  const Counts& totals() const { return totals_; }
  /// Returns the counts of an instruction; null: it was not prepared.
  const Counts* of(std::uint32_t program, std::uint32_t pc) const {
    if (program >= counts_.size() || pc >= counts_[program].size()) return nullptr;
    return &counts_[program][pc];
  }
  /// Calls count(counts) for the totals and for the instruction. Precondition: it was prepared.
  template <class Count>
  void add(std::uint32_t program, std::uint32_t pc, Count count) {
    count(totals_);
    count(counts_[program][pc]);
  }

 private:
  Counts totals_{};
  std::vector<std::vector<Counts>> counts_;  ///< by program and PC
};

}  // namespace fermata
