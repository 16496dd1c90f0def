// The folder of a sweep: its plan, and a result a point, under the point's key.
//
//   plan.csv  study.toml      what is to be done; never changed
//   results/ab/KEY.csv        the run's row, one file per point
//   failed/ab/KEY             why a point cannot be run
//                             both end in a line "sha256 HASH": of the key and the lines above it
//   tmp/                      what is being written
//   merged/                   all of it, in the order of the plan
//   program/ slurm/ log/      of 'sweep submit': the program, its jobs, and what they say
//
// Several processes and hosts may work in it at a time, without locks: plan and results are written
// to tmp, made durable, and linked to their names, which never replaces another file. The one that
// is replaced is a result whose hash says that it is damaged.
#pragma once

#include <fermata/platforms/program/sweep/sweep_plan.h>

#include <filesystem>
#include <stdexcept>
#include <string>

namespace fermata::platforms {

/// A point gave other bytes when it ran again.
class TwoResults : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class SweepStore {
 public:
  /// Damaged: a file is there, and its hash is not that of its bytes.
  enum class State { Missing, Done, Failed, Damaged };

  /// Makes the folder, with this plan. Throws InputError where it holds another, also one that a
  /// second process writes at the same time.
  static void create(const std::filesystem::path& folder, const std::string& studyText,
                     const SweepPlan& plan);
  /// Throws InputError for a folder without a plan. collectOrphans() is called.
  explicit SweepStore(std::filesystem::path folder);

  /// A name in tmp of this process's own, which is removed once the process is no more.
  static std::filesystem::path temporaryFor(const std::filesystem::path& folder,
                                            const std::string& name);

  const SweepPlan& plan() const { return plan_; }
  const std::filesystem::path& folder() const { return folder_; }
  State state(const SweepPoint& point) const;
  /// True for Done and Failed: the point need not run.
  bool hasResult(const SweepPoint& point) const;

  /// Both are harmless where the same is there already, and replace a damaged file. Other bytes are
  /// an error of the model (not deterministic): TwoResults, and both are kept. Throws
  /// files::OutputError or OutputRefused.
  void storeResult(const SweepPoint& point, const std::string& row) const;
  void storeFailure(const SweepPoint& point, const std::string& message) const;
  /// Precondition: Done, Failed. Throw InputError where the file has been damaged since.
  std::string result(const SweepPoint& point) const;
  std::string failure(const SweepPoint& point) const;
  /// The file to name. Precondition: Damaged.
  std::filesystem::path damagedFile(const SweepPoint& point) const;
  /// Removes what dead processes of this host were writing.
  void collectOrphans() const;
  /// It is to be tried again.
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
