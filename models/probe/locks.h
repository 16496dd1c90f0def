// Counts lanes that tried to get a lock, by outcome: totals, and by instruction.
#pragma once

#include <fermata/models/probe/by_instruction.h>
#include <fermata/models/probe/figure.h>
#include <fermata/models/probe/probe.h>

namespace fermata {

class LockCounters : public Probe {
 public:
  struct Counts {
    std::uint64_t tries = 0;
    std::uint64_t position = 0;
    std::uint64_t alias = 0;
    std::uint64_t otherWarp = 0;
    std::uint64_t rounds = 0;

    void add(const Counts& other);
  };

  static const Figures<Counts>& figures();

  const ByInstruction<Counts>& counts() const { return counts_; }
  void reset() { counts_.reset(); }
  /// Adds the figures of another multiprocessor.
  void add(const LockCounters& other) { counts_.add(other.counts_); }
  /// Takes over the figures of one program of `whole`.
  void take(const LockCounters& whole, std::uint32_t program) {
    counts_ = whole.counts_.only(program);
  }

  unsigned events() const override { return Grids | Locks; }
  void gridStarted(const Grid& grid, Cycle) override {
    counts_.prepare(grid.program, grid.instructionCount);
  }
  void locked(const LockEvent& event) override;

 private:
  ByInstruction<Counts> counts_;
};

}  // namespace fermata
