// The folder of a sweep: its plan, and one result per point, stored under the point's key.
//
//   plan.csv  study.toml      the points and their source; never changed
//   results/ failed/ tmp/     a store of results: the run's row, or why a point cannot be run
//   merged/                   all results, in the order of the plan
//   program/ slurm/ log/      of 'sweep submit': the program, its jobs, and their output
#pragma once

#include <fermata/platforms/program/sweep/sweep_plan.h>
#include <fermata/platforms/program/work/result_store.h>

#include <filesystem>
#include <string>

namespace fermata::platforms {

class SweepStore : public ResultStore {
 public:
  /// Makes the folder, with this plan. Throws InputError if it holds another plan, even one that a
  /// second process writes at the same time.
  static void create(const std::filesystem::path& folder, const std::string& studyText,
                     const SweepPlan& plan);
  /// Opens a folder. Throws InputError for a folder without a plan.
  explicit SweepStore(const std::filesystem::path& folder);

  const SweepPlan& plan() const { return plan_; }

 private:
  SweepPlan plan_;
};

}  // namespace fermata::platforms
