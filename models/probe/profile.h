// Where a kernel loses its cycles: figures by program and PC, and accesses by bank.
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
    InstructionClass instructionClass = InstructionClass::Integer;
    std::uint64_t executions = 0;        ///< by warps
    std::uint64_t threadExecutions = 0;  ///< by lanes
    std::uint64_t lost = 0;              ///< empty issue slots just before its issues
    PassHistogram passes;                ///< of its shared accesses
  };

  /// The columns of an instruction.
  static const Figures<Entry>& figures();

  /// entries()[program][pc]; a PC that was never issued has zero executions or lies beyond the end.
  const std::vector<std::vector<Entry>>& entries() const { return entries_; }
  void reset() { entries_.clear(); }

  unsigned events() const override { return Grids | Issues | SharedAccesses; }
  void gridStarted(const Grid& grid, Cycle at) override;
  void issued(const IssueEvent& event) override;
  void sharedAccess(const WarpAccess& access) override;

 private:
  std::vector<std::vector<Entry>> entries_;
};

class BankHistogram : public Probe {
 public:
  struct Bank {
    std::uint64_t reads = 0;  ///< words read: lanes that merge count once
    std::uint64_t writes = 0;
    std::uint64_t atomics = 0;

    std::uint64_t accesses() const { return reads + writes + atomics; }
  };

  /// The columns of a bank.
  static const Figures<Bank>& figures();

  explicit BankHistogram(std::uint32_t banks) : banks_(banks) {}
  /// Counted so far.
  std::vector<Bank> banks() const;
  void reset() {
    banks_.assign(banks_.size(), Bank{});
    same_.fill(SameBanks{});
  }

  unsigned events() const override { return SharedTries; }
  void sharedTry(const WarpAccess& access) override;

 private:
  static std::uint64_t Bank::*counter(MemoryOperation operation);

  std::vector<Bank> banks_;
  /// Tries without a conflict that took a word from each of the same banks, counted together.
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
