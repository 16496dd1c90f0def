// The launches of a program, summed by kernel for a person to read.
#pragma once

#include <fermata/platforms/compose/run_outcome.h>
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
  /// Adds a launch that ran without time.
  void add(const std::string& kernel, std::uint64_t warpInstructions);
  /// Prints the kernels in the order of their first launches, and what bounds each.
  void print(std::ostream& out) const;

 private:
  struct Entry {
    std::string kernel;
    std::uint64_t launches = 0;
    std::uint64_t warpInstructions = 0;
    bool timed = false;  ///< at least one launch was timed; the fields below sum the timed launches
    std::uint64_t timedInstructions = 0;
    std::uint64_t cycles = 0;
    std::uint64_t sharedAccesses = 0;
    std::uint64_t conflictCycles = 0;
    platforms::RunBound bound;
  };
  Entry& entryOf(const std::string& kernel);

  std::vector<Entry> entries_;
};

}  // namespace fermata::cudart
