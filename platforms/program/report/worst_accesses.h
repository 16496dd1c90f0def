// The worst shared access of each instruction: which lane asked which bank for which word.
#pragma once

#include <fermata/models/probe/by_instruction.h>
#include <fermata/models/probe/probe.h>
#include <fermata/models/transaction/lane_groups.h>
#include <fermata/models/transaction/warp_access.h>
#include <fermata/models/vocabulary/workload.h>
#include <fermata/results/rows.h>

#include <cstdint>
#include <memory>
#include <vector>

namespace fermata::platforms {

inline constexpr const char* kAccessesFile = "accesses.csv";

/// Records the access of highest degree per instruction; at a tie the first one,
/// with epochs that of the multiprocessor with the lowest number.
class WorstAccesses : public Probe {
 public:
  /// `groups`: the lane groups of the platform.
  explicit WorstAccesses(LaneGrouping groups) : groups_(std::move(groups)) {}

  unsigned events() const override { return Grids | SharedTries; }
  void gridStarted(const Grid& grid, Cycle at) override;
  void sharedTry(const WarpAccess& access) override;
  std::unique_ptr<Probe> ofOne() const override { return std::make_unique<WorstAccesses>(groups_); }
  void join(Probe& one) override;
  void reset() {
    worst_.reset();
    programs_ = 0;
  }

  /// Returns the columns of accesses.csv that follow those of a run's identity.
  static results::Columns columns();
  /// Returns one row per lane and word of each instruction's worst access, in the order of the
  /// program. Instructions without a conflict have none.
  std::vector<results::Row> rows(const Workload& workload) const;

 private:
  struct Worst {
    unsigned degree = 0;
    std::shared_ptr<const WarpAccess> access;  ///< null: no access had a conflict
    LaneGroups groups;                         ///< of `access`

    void add(const Worst& other) {
      if (other.degree > degree) *this = other;
    }
  };

  LaneGrouping groups_;
  ByInstruction<Worst> worst_;
  std::uint32_t programs_ = 0;
};

}  // namespace fermata::platforms
