// Counts retries of accesses that had lanes left, by cause: issue slots that a replaying core
// spends on instructions that it has issued before.
//
//   issued_instructions = warp instructions + replays + squashes
#pragma once

#include <array>

#include <fermata/models/probe/by_instruction.h>
#include <fermata/models/probe/figure.h>
#include <fermata/models/probe/probe.h>
#include <fermata/models/vocabulary/try_outcome.h>

namespace fermata {

class ReplayCounters : public Probe {
 public:
  struct Counts {
    std::uint64_t instructions = 0;                    ///< warp instructions
    std::array<std::uint64_t, kLeftCauses> retries{};  ///< by the LeftCause of the try before

    std::uint64_t of(LeftCause cause) const { return retries[static_cast<unsigned>(cause)]; }
    std::uint64_t squashes() const { return of(LeftCause::Order); }
    std::uint64_t replays() const { return issued() - instructions - squashes(); }
    std::uint64_t issued() const;
    void add(const Counts& other);
  };

  static const Figures<Counts>& figures();

  const ByInstruction<Counts>& counts() const { return counts_; }
  void reset() { counts_.reset(); }
  /// Adds the figures of another multiprocessor.
  void add(const ReplayCounters& other) { counts_.add(other.counts_); }
  /// Takes over the figures of one program of `whole`.
  void take(const ReplayCounters& whole, std::uint32_t program) {
    counts_ = whole.counts_.only(program);
  }

  unsigned events() const override { return Grids | Issues | Retries; }
  void gridStarted(const Grid& grid, Cycle at) override;
  void issued(const IssueEvent& event) override;
  void retried(const WarpAccess& access, Cycle at) override;

 private:
  ByInstruction<Counts> counts_;
};

}  // namespace fermata
