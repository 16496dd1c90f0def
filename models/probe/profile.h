// Shows where a kernel loses its cycles: figures by program and PC, and accesses by bank.
#pragma once

#include <vector>

#include <fermata/models/probe/figure.h>
#include <fermata/models/probe/pass_histogram.h>
#include <fermata/models/probe/probe.h>

namespace fermata {

class PcProfile : public Probe {
 public:
  /// One PC of one program.
  struct Entry {
    /// Class of the latest issue: a PC may stand for a loop of instructions (atomic_loop.h).
    InstructionClass instructionClass = InstructionClass::Integer;
    Cycle latest = 0;                    ///< cycle of the latest issue
    std::uint64_t executions = 0;        ///< warp instructions issued
    std::uint64_t threadExecutions = 0;  ///< active lanes, summed over the executions
    std::uint64_t lost = 0;              ///< empty issue slots just before its issues
    PassHistogram passes;                ///< passes of its shared accesses

    /// Adds the entry of a multiprocessor with a higher number.
    void add(const Entry& other);
  };

  /// The columns of a table by instruction.
  static const Figures<Entry>& figures();

  /// entries()[program][pc]; a PC that was never issued has zero executions or lies beyond the end.
  const std::vector<std::vector<Entry>>& entries() const { return entries_; }
  void reset() { entries_.clear(); }
  /// Adds the figures of another multiprocessor. Add several by rising number: of two issues in one
  /// cycle the later in this order is the latest.
  void add(const PcProfile& other);
  /// Takes over the figures of one program of `whole`.
  void take(const PcProfile& whole, std::uint32_t program) {
    entries_.assign(program + 1, {});
    if (program < whole.entries_.size()) entries_[program] = whole.entries_[program];
  }

  unsigned events() const override { return Grids | Issues | SharedAccesses; }
  void gridStarted(const Grid& grid, Cycle) override {
    prepare(grid.program, grid.instructionCount);
  }
  void issued(const IssueEvent& event) override;
  void sharedAccess(const WarpAccess& access) override;

 private:
  void prepare(std::uint32_t program, std::uint32_t instructions);

  std::vector<std::vector<Entry>> entries_;
};

class BankHistogram : public Probe {
 public:
  struct Bank {
    std::uint64_t reads = 0;  ///< words read: lanes that merge count once
    std::uint64_t writes = 0;
    std::uint64_t atomics = 0;

    std::uint64_t accesses() const { return reads + writes + atomics; }
    void add(const Bank& other) {
      reads += other.reads;
      writes += other.writes;
      atomics += other.atomics;
    }
  };

  /// The columns of a table by bank.
  static const Figures<Bank>& figures();

  explicit BankHistogram(std::uint32_t banks) : banks_(banks) {}
  /// Returns the counts so far.
  std::vector<Bank> banks() const;
  void reset() {
    banks_.assign(banks_.size(), Bank{});
    same_.fill(SameBanks{});
  }
  /// Adds the figures of another multiprocessor with as many banks.
  void add(const BankHistogram& other);

  unsigned events() const override { return SharedTries; }
  void sharedTry(const WarpAccess& access) override;

 private:
  static std::uint64_t Bank::*counter(MemoryOperation operation);

  std::vector<Bank> banks_;
  /// Counts tries without a conflict that took one word from each bank of one set of banks.
  struct SameBanks {
    std::uint64_t banks = 0;  ///< bit b: bank b
    Bank tries;
  };
  static constexpr unsigned kSameBanks = 8;

  void addAlike(std::uint64_t banks, std::uint64_t Bank::*counts);
  static void spread(const SameBanks& same, std::vector<Bank>& banks);

  std::array<SameBanks, kSameBanks> same_;
};

}  // namespace fermata
