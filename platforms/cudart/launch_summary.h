// The launches of a program by kernel: what a person wants to see at once.
#pragma once

#include <fermata/platforms/compose/run_outcome.h>

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

namespace fermata::cudart {

class LaunchSummary {
 public:
  void add(const std::string& kernel, const platforms::RunOutcome& outcome);
  /// Without time.
  void add(const std::string& kernel, std::uint64_t warpInstructions);
  /// In the order of their first launches.
  void print(std::ostream& out) const;

 private:
  struct Entry {
    std::string kernel;
    std::uint64_t launches = 0;
    std::uint64_t warpInstructions = 0;
    bool timed = false;  ///< at least one; the figures below are of those
    std::uint64_t timedInstructions = 0;
    std::uint64_t cycles = 0;
    std::uint64_t sharedAccesses = 0;
    std::uint64_t conflictCycles = 0;
  };
  Entry& entryOf(const std::string& kernel);

  std::vector<Entry> entries_;
};

}  // namespace fermata::cudart
