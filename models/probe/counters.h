// The totals of a run.
#pragma once

#include <array>
#include <vector>

#include <fermata/models/probe/figure.h>
#include <fermata/models/probe/probe.h>

namespace fermata {

class Counters : public Probe {
 public:
  struct Totals {
    std::uint64_t launches = 0;
    std::uint64_t ctas = 0;
    std::uint64_t warpInstructions = 0;
    std::uint64_t threadInstructions = 0;  ///< active lanes, summed over warp instructions
    std::uint64_t sharedLoads = 0;         ///< warp accesses
    std::uint64_t sharedStores = 0;
    std::uint64_t sharedAtomics = 0;
    std::uint64_t conflictPasses = 0;  ///< passes of shared accesses
    std::uint64_t freePasses = 0;      ///< ideal passes of shared accesses
    std::uint64_t mostPasses = 0;      ///< most passes of one shared access
    std::uint64_t globalAccesses = 0;  ///< warp accesses of global, local and texture memory
    std::uint64_t globalSegments = 0;
    std::array<std::uint64_t, kStallCauses> stalls{};  ///< empty issue slots, by StallCause
    std::uint64_t warpCycles = 0;                      ///< resident warps, summed over cycles

    std::uint64_t stalled(StallCause cause) const { return stalls[static_cast<unsigned>(cause)]; }
    /// Empty issue slots of an in-order pipeline whose front end is free while no warp may issue.
    std::uint64_t scheduleFails() const {
      return stalled(StallCause::Scoreboard) + stalled(StallCause::Barrier) +
             stalled(StallCause::SafeDistance);
    }
    std::uint64_t sharedAccesses() const { return sharedLoads + sharedStores + sharedAtomics; }
    /// Conflict cycles: passes beyond the ideal ones (WarpAccess::freePasses).
    std::uint64_t bankConflictCycles() const { return conflictPasses - freePasses; }
    /// Adds the totals of another multiprocessor that was told of the same launches.
    void add(const Totals& other);
  };

  /// Columns of a run: instructions executed. A table shows this group and the next ones apart.
  static const Figures<Totals>& workFigures();
  /// Columns of a run: accesses to memory.
  static const Figures<Totals>& accessFigures();
  /// Columns of a run: issue slots lost, by cause.
  static const Figures<Totals>& stallFigures();
  /// Columns of a core whose units are not decoupled: issue slots lost, by state of its pipeline.
  static const Figures<Totals>& pipelineStallFigures();

  const Totals& totals() const { return totals_; }
  void reset() {
    totals_ = {};
    parts_.clear();
  }
  /// Counts what instructions of each of so many programs do, too, until reset().
  void split(unsigned programs) { parts_.resize(programs); }
  /// Adds the figures of another multiprocessor that was told of the same launches.
  void add(const Counters& other);
  /// Takes over what instructions of one program of `whole` did. Precondition: split().
  void take(const Counters& whole, unsigned program) { totals_ = whole.parts_[program]; }
  /// Sets what is known of the launch of which take() took the figures.
  void describe(std::uint64_t ctas) {
    totals_.launches = 1;
    totals_.ctas = ctas;
  }

  unsigned events() const override {
    return Grids | Ctas | Issues | Stalls | SharedAccesses | GlobalAccesses;
  }
  void gridStarted(const Grid& grid, Cycle at) override;
  void ctaStarted(std::uint64_t cta, unsigned warps, Cycle at) override;
  void ctaEnded(std::uint64_t cta, unsigned warps, Cycle at) override;
  void issued(const IssueEvent& event) override;
  void stalled(StallCause cause, Cycle from, Cycle cycles, std::uint64_t slots) override;
  void sharedAccess(const WarpAccess& access) override;
  void globalAccess(const WarpAccess& access) override;

 private:
  /// Calls count(totals) for all programs together and, if they are counted apart, for this one.
  template <class Count>
  void count(unsigned program, Count count) {
    count(totals_);
    if (__builtin_expect(static_cast<long>(!parts_.empty()), 0) != 0) count(parts_[program]);
  }

  Totals totals_;
  std::vector<Totals> parts_;  ///< by program; empty: not counted apart
};

}  // namespace fermata
