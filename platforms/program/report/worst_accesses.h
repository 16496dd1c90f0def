// The worst shared access of each instruction: which lane asked which bank for which word.
#pragma once

#include <fermata/models/core/workload.h>
#include <fermata/models/probe/by_instruction.h>
#include <fermata/models/probe/probe.h>
#include <fermata/models/transaction/lane_groups.h>
#include <fermata/models/transaction/warp_access.h>
#include <fermata/results/rows.h>

#include <cstdint>
#include <memory>
#include <vector>

namespace fermata::platforms {

inline constexpr const char* kAccessesFile = "accesses.csv";

/// Of several that are equally bad the first.
class WorstAccesses : public Probe {
 public:
  /// `groups`: the lanes that the banks are offered together.
  explicit WorstAccesses(LaneGrouping groups) : groups_(std::move(groups)) {}

  unsigned events() const override { return Grids | SharedTries; }
  void gridStarted(const Grid& grid, Cycle at) override;
  void sharedTry(const WarpAccess& access) override;
  void reset() {
    worst_.reset();
    programs_ = 0;
  }

  /// Columns of accesses.csv, behind those of a run's identity.
  static results::Columns columns();
  /// A row a lane and word of the worst access of each instruction that has a conflict, in the
  /// order of the program.
  std::vector<results::Row> rows(const Workload& workload) const;

 private:
  struct Worst {
    unsigned degree = 0;
    std::shared_ptr<const WarpAccess> access;  ///< null: none had a conflict
  };

  LaneGrouping groups_;
  ByInstruction<Worst> worst_;
  std::uint32_t programs_ = 0;
};

}  // namespace fermata::platforms
