// What does each conflict cost? The run again, with the lanes of a line served as if they had none.
#pragma once

#include <fermata/platforms/program/run_workloads.h>
#include <fermata/results/progress.h>

#include <cstdint>
#include <string>
#include <vector>

namespace fermata::platforms {

/// A source line with conflicts, in every kernel and by every opcode; the instructions that are
/// about at a line; or an instruction whose line is not known.
struct ConflictCost {
  std::string place;    ///< "transpose.cu:20", "about transpose.cu:20", "k:pc 24"
  std::string named;    ///< in scratchpad.conflict_free: "transpose.cu@20", "k:24 k:31"
  std::string opcodes;  ///< separated by blanks
  std::uint64_t accesses = 0;
  unsigned degree = 0;               ///< the worst
  std::uint64_t conflictCycles = 0;  ///< for which its conflicts hold the banks
  std::uint64_t without = 0;         ///< cycles of the run without them
};

struct ConflictCosts {
  std::string workload;
  std::uint64_t cycles = 0;  ///< of the run as it is
  std::uint64_t conflictCycles = 0;
  std::uint64_t without = 0;        ///< cycles without any of the lines' conflicts
  std::vector<ConflictCost> lines;  ///< that conflict, in the order of the program
  /// Places that conflict and that scratchpad.conflict_free cannot name: their kernel's name has a
  /// blank or an @.
  std::vector<std::string> leftOut;
};

/// Of the (only) job of a request; each run in a process of its own. Throws what runs throw.
ConflictCosts conflictCosts(const RunRequest& request, results::Progress& progress);

}  // namespace fermata::platforms
