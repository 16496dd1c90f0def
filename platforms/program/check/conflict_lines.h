// Shared accesses by line of the source: what `fermata check` judges.
#pragma once

#include <fermata/models/probe/by_instruction.h>
#include <fermata/models/probe/probe.h>
#include <fermata/platforms/compose/run_outcome.h>
#include <fermata/platforms/program/workloads.h>

#include <cstdint>
#include <string>
#include <vector>

namespace fermata::platforms {

/// The largest number of distinct words that a bank had to deliver to one group of lanes, by
/// instruction.
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

/// The shared accesses of one opcode on one line, in one run. In the words of Nsight Compute: a
/// wavefront is a pass; ideal ones are those without a conflict, one of each group of lanes that
/// asks; the others are excessive.
struct ConflictLine {
  std::string workload;
  std::string kernel;
  std::string file;                ///< empty: unknown
  std::uint32_t line = 0;          ///< 0: unknown
  bool about = false;              ///< `line` is InstructionText::nearLine
  std::vector<std::uint32_t> pcs;  ///< instructions of the line; one where the line is unknown
  std::string opcode;
  std::uint64_t accesses = 0;  ///< by warps
  std::uint64_t wavefronts = 0;
  std::uint64_t ideal = 0;
  unsigned degree = 0;  ///< the worst of one access; 1: none takes a pass beyond the ideal ones

  std::uint64_t excessive() const { return wavefronts - ideal; }
  /// Of the wavefronts.
  double excessPercent() const {
    return wavefronts == 0
               ? 0
               : 100 * static_cast<double>(excessive()) / static_cast<double>(wavefronts);
  }
  /// "transpose.cu:20", "about transpose.cu:20", or "transpose_32_0:pc 24" where the source is not
  /// known.
  std::string place() const;
};

/// Of a workload that has run, in the order of the program. A source that lies beside its launch
/// file is named as it is found from here. Instructions of a line that has no number stand alone.
std::vector<ConflictLine> conflictLines(const OpenWorkload& open, const RunOutcome& outcome,
                                        const WorstDegree& degrees);

}  // namespace fermata::platforms
