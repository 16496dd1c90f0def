// The folder of a sweep: its plan, and one result per point, stored under the point's key.
//
//   plan.csv  study.toml      the points and their source; never changed
//   results/ab/KEY.csv        the run's row, one file per point
//   failed/ab/KEY             why a point cannot be run
//                             both end in a line "sha256 HASH": of the key and the lines above it
//   tmp/                      files being written
//   merged/                   all results, in the order of the plan
//   program/ slurm/ log/      of 'sweep submit': the program, its jobs, and their output
//
// Several processes and hosts may work in the folder at the same time, without locks. Plan and
// results are written to tmp, made durable, and linked to their names; a link never replaces
// another file. Only a result with a hash that shows damage is replaced.
#pragma once

#include <fermata/platforms/program/sweep/sweep_plan.h>

#include <filesystem>
#include <stdexcept>
#include <string>

namespace fermata::platforms {

/// Thrown if a point gave other bytes when it ran again.
class TwoResults : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class SweepStore {
 public:
  /// Damaged: the file exists, but its hash does not match its bytes.
  enum class State { Missing, Done, Failed, Damaged };

  /// Makes the folder, with this plan. Throws InputError if it holds another plan, even one that a
  /// second process writes at the same time.
  static void create(const std::filesystem::path& folder, const std::string& studyText,
                     const SweepPlan& plan);
  /// Opens a folder and calls collectOrphans(). Throws InputError for a folder without a plan.
  explicit SweepStore(std::filesystem::path folder);

  /// Returns a name in tmp that belongs to this process. The file is removed after the process has
  /// ended.
  static std::filesystem::path temporaryFor(const std::filesystem::path& folder,
                                            const std::string& name);

  const SweepPlan& plan() const { return plan_; }
  const std::filesystem::path& folder() const { return folder_; }
  State state(const SweepPoint& point) const;
  /// Returns true for Done and Failed: the point need not run.
  bool hasResult(const SweepPoint& point) const;

  /// Both store the outcome of a point. They do nothing if it is stored already, and replace a
  /// damaged file. If other bytes are stored, the model is not deterministic: they keep both and
  /// throw TwoResults. Also throw files::OutputError or OutputRefused.
  void storeResult(const SweepPoint& point, const std::string& row) const;
  void storeFailure(const SweepPoint& point, const std::string& message) const;
  /// Precondition of both: state Done or Failed. Throw InputError if the file has been damaged
  /// since.
  std::string result(const SweepPoint& point) const;
  std::string failure(const SweepPoint& point) const;
  /// Returns the damaged file, to name it. Precondition: state Damaged.
  std::filesystem::path damagedFile(const SweepPoint& point) const;
  /// Removes the unfinished files of dead processes of this host.
  void collectOrphans() const;
  /// Removes the failure, so that the point is tried again.
  void forgetFailure(const SweepPoint& point) const;

 private:
  std::filesystem::path place(const char* kind, const SweepPoint& point) const;
  std::string stored(const char* kind, const SweepPoint& point) const;
  void store(const std::filesystem::path& to, const SweepPoint& point,
             const std::string& bytes) const;

  std::filesystem::path folder_;
  SweepPlan plan_;
};

}  // namespace fermata::platforms
