// Chooses among the next commands of the banks of a DRAM channel: first ready, first come first
// served (FR-FCFS; Rixner et al., ISCA 2000).
#pragma once

#include <fermata/models/memory/dram_queue.h>
#include <fermata/models/memory/dram_timing.h>
#include <fermata/models/vocabulary/cycle.h>

#include <algorithm>
#include <array>
#include <cstdint>

namespace fermata {

/// A command that goes to a bank.
struct DramIssue {
  Cycle at = kNever;
  unsigned bank = 0;
  DramCommand command = DramCommand::Precharge;
};

/// Holds one candidate per bank: the next command of that bank. Among candidates of one cycle,
/// columns go before rows, then those for older accesses before those for younger ones.
class DramScheduler {
 public:
  struct Candidate {
    DramCommand command;
    Cycle at;                ///< earliest cycle
    std::uint64_t age;       ///< DramQueue::Waiting::age
    std::uint32_t toServed;  ///< least cycles from the command until one that serves an access
  };

  explicit DramScheduler(unsigned banks);

  void set(unsigned bank, const Candidate& candidate);
  void remove(unsigned bank);
  /// Makes the candidate of the bank wait until cycle `at`.
  void delay(unsigned bank, Cycle at) { at_[bank] = std::max(at_[bank], at); }
  /// Bit b: the candidate of bank b is this command.
  std::uint64_t banksWith(DramCommand command) const { return with_[index(command)]; }

  /// Returns the first command to issue from cycle `from` on. Precondition: there is a candidate.
  DramIssue first(Cycle from) const;
  /// Chooses among `banks` only. Precondition: each of them has a candidate.
  DramIssue first(Cycle from, std::uint64_t banks) const;
  /// Returns a cycle before which no command issued from `from` on serves an access.
  Cycle earliestServed(Cycle from) const;

 private:
  static std::size_t index(DramCommand command) { return static_cast<std::size_t>(command); }
  DramIssue issueOf(std::uint64_t key, Cycle from) const;

  // One array per field: choosing a command scans all banks with vector instructions.
  using PerBank = std::array<std::uint64_t, DramQueue::kMostBanks>;

  unsigned scanned_;  ///< the banks, rounded up to whole vectors
  PerBank at_{};
  PerBank order_;  ///< within one cycle the least goes first
  PerBank toServed_;
  std::array<DramCommand, DramQueue::kMostBanks> command_{};
  std::array<std::uint64_t, 4> with_{};
};

}  // namespace fermata
