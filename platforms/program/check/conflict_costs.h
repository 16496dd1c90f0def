// The cost of each conflict: the run is repeated with a line's lanes served without conflicts.
#pragma once

#include <fermata/platforms/program/run_workloads.h>
#include <fermata/results/progress.h>

#include <cstdint>
#include <string>
#include <vector>

namespace fermata::platforms {

/// A place with conflicts: a source line, over all kernels and opcodes; the instructions near a
/// line (InstructionText::nearLine); or one instruction whose line is unknown.
struct ConflictCost {
  std::string place;    ///< "transpose.cu:20", "about transpose.cu:20", "k:pc 24"
  std::string named;    ///< as scratchpad.conflict_free names it: "transpose.cu@20", "k:24 k:31"
  std::string opcodes;  ///< separated by blanks
  std::uint64_t accesses = 0;
  unsigned degree = 0;               ///< of the worst access
  std::uint64_t conflictCycles = 0;  ///< cycles for which its conflicts hold the banks
  std::uint64_t without = 0;         ///< cycles of the run without its conflicts
};

struct ConflictCosts {
  std::string workload;
  std::uint64_t cycles = 0;  ///< of the unmodified run
  std::uint64_t conflictCycles = 0;
  std::uint64_t without = 0;        ///< cycles without the conflicts of any of `lines`
  std::vector<ConflictCost> lines;  ///< places that conflict, in the order of the program
  /// Places with conflicts that scratchpad.conflict_free cannot name: the kernel's name contains a
  /// blank or an @.
  std::vector<std::string> leftOut;
};

/// Measures the costs for the request's only job, each run in its own process. Throws what runs
/// throw.
ConflictCosts conflictCosts(const RunRequest& request, results::Progress& progress);

}  // namespace fermata::platforms
