// The launches of a program, summed by kernel for a person to read.
#pragma once

#include <fermata/platforms/compose/run_outcome.h>
#include <fermata/platforms/cudart/sampled_launch.h>
#include <fermata/platforms/exec/launch_groups.h>
#include <fermata/platforms/program/bound/run_bound.h>

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

namespace fermata::cudart {

class LaunchSummary {
 public:
  void add(const std::string& kernel, const platforms::RunOutcome& outcome,
           const platforms::RunBound& bound);
  /// Adds a launch that ran beside others, of which no bound is known.
  void addBeside(const std::string& kernel, const platforms::RunOutcome& outcome);
  /// Adds a launch that ran without time.
  void add(const std::string& kernel, std::uint64_t warpInstructions);
  /// Adds a launch of a sampled run. `bound`: of its timed part; null: none of it was timed.
  void add(const std::string& kernel, const SampledLaunch& launch,
           const platforms::RunBound* bound);
  /// Prints the kernels in the order of their first launches, and what bounds each. `groups`: of a
  /// sampled run, for its errors; null: the run is not sampled.
  void print(std::ostream& out, const exec::LaunchGroups* groups) const;

 private:
  struct Entry {
    std::string kernel;
    std::uint64_t launches = 0;
    std::uint64_t warpInstructions = 0;
    bool timed = false;  ///< the fields below sum the launches that were timed or estimated
    std::uint64_t timedInstructions = 0;
    std::uint64_t cycles = 0;
    std::uint64_t sharedAccesses = 0;
    std::uint64_t conflictCycles = 0;
    platforms::RunBound bound;
    bool bounded = false;  ///< a timed launch has told `bound`
  };
  /// Share of a run that a sample has timed.
  struct Coverage {
    std::uint64_t launches = 0;      ///< of which at least a part was timed
    std::uint64_t sampled = 0;       ///< all that were timed or estimated
    std::uint64_t instructions = 0;  ///< warp instructions that were timed
    std::uint64_t allInstructions = 0;
  };
  Entry& entryOf(const std::string& kernel);
  void printTotal(std::ostream& out, const exec::LaunchGroups& groups) const;

  std::vector<Entry> entries_;
  Coverage coverage_;
};

}  // namespace fermata::cudart
