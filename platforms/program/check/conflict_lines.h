// Shared accesses per source line: the unit that `fermata check` judges.
#pragma once

#include <fermata/models/probe/by_instruction.h>
#include <fermata/models/probe/probe.h>
#include <fermata/platforms/compose/run_outcome.h>
#include <fermata/platforms/program/check/source_paths.h>
#include <fermata/platforms/program/workloads.h>

#include <cstdint>
#include <string>
#include <vector>

namespace fermata::platforms {

/// Records the degree per instruction: the most distinct words that a bank had to deliver to one
/// lane group.
class WorstDegree : public Probe {
 public:
  unsigned of(std::uint32_t program, std::uint32_t pc) const;
  void reset() { degrees_.reset(); }

  unsigned events() const override { return Grids | SharedTries; }
  void gridStarted(const Grid& grid, Cycle at) override;
  void sharedTry(const WarpAccess& access) override;

 private:
  ByInstruction<unsigned> degrees_;
};

/// The shared accesses of one opcode on one line, in one run. The words are Nsight Compute's: a
/// wavefront is a pass; ideal wavefronts are those without conflicts, one per lane group that asks;
/// excessive ones are the rest.
struct ConflictLine {
  std::string workload;
  std::string kernel;
  std::string file;                ///< path from the root of SourcePaths; empty: unknown
  std::string source;              ///< text of the line without the blanks around it; may be empty
  std::uint32_t line = 0;          ///< 0: unknown
  bool about = false;              ///< `line` is InstructionText::nearLine
  std::vector<std::uint32_t> pcs;  ///< of the line; only one if the line is unknown
  std::string opcode;
  std::uint64_t accesses = 0;  ///< by warps
  std::uint64_t wavefronts = 0;
  std::uint64_t ideal = 0;
  unsigned degree = 0;  ///< of the worst access; 1: no access takes more than its ideal passes

  std::uint64_t excessive() const { return wavefronts - ideal; }
  /// Percent of the wavefronts that are excessive.
  double excessPercent() const {
    return wavefronts == 0
               ? 0
               : 100 * static_cast<double>(excessive()) / static_cast<double>(wavefronts);
  }
  /// Returns "transpose.cu:20", "about transpose.cu:20", or, if the source is unknown,
  /// "transpose_32_0:pc 24".
  std::string place() const;
};

/// Returns the lines of a workload that has run, in the order of the program. Each instruction
/// without a line number is an entry of its own.
std::vector<ConflictLine> conflictLines(const OpenWorkload& open, const RunOutcome& outcome,
                                        const WorstDegree& degrees,
                                        const SourcePaths& paths = SourcePaths());

}  // namespace fermata::platforms
