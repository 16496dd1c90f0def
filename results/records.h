// What a run leaves behind: plain figures, no file format. Whoever ran the model fills them; the
// writers (writers.h) turn them into tables. Derived figures are functions, so that no two fields
// can disagree.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fermata::results {

/// A named value that somebody chose: a workload parameter, or a changed platform parameter.
struct Setting {
  std::string name;   ///< for instance "stride" or "scratchpad.indexer"
  std::string value;  ///< for instance "32" or "ami 33"
};
using Settings = std::vector<Setting>;

/// "name=value;name=value" in the order given. A ';' or '\' within a name or a value gets a '\'
/// before it.
std::string text(const Settings& settings);

/// What tells one run from another: the first columns of every table.
struct RunIdentity {
  std::string workload;
  Settings parameters;  ///< of the workload
  std::string platform;
  Settings changes;  ///< platform parameters that differ from the platform file
};

/// Accesses counted by their conflict degree: the passes that an access needs (1: no conflict).
class DegreeHistogram {
 public:
  void add(unsigned degree, std::uint64_t accesses = 1);
  void add(const DegreeHistogram& other);
  /// Passes beyond one an access that are no conflict: of accesses served in several parts (half
  /// warps, wide accesses), one for each part after the first, summed.
  void addParts(std::uint64_t passes) { parts_ += passes; }

  std::uint64_t accesses() const;
  std::uint64_t passes() const;  ///< degrees summed
  /// Passes beyond the first of each access, or of each of its parts, summed.
  std::uint64_t conflictCycles() const;
  unsigned largest() const;            ///< 0 when there is no access
  std::optional<double> mean() const;  ///< passes / accesses; nothing when there is no access
  /// "1:100;32:20": 100 accesses of degree 1 and 20 of degree 32. Empty when there is no access.
  std::string text() const;

 private:
  std::vector<std::uint64_t> count_;  // by degree; the last entry is never zero
  std::uint64_t parts_ = 0;
};

/// Issue slots in which no instruction issued, by the reason.
struct StallCycles {
  std::uint64_t scoreboard =
      0;  ///< every candidate waits for a register, a branch's target or its next turn
  std::uint64_t barrier = 0;     ///< every candidate waits at a barrier
  std::uint64_t memoryPort = 0;  ///< the load/store port is held, for instance by conflict passes
  std::uint64_t pipeline = 0;    ///< the arithmetic pipeline takes no instruction yet
  std::uint64_t idle = 0;        ///< the scheduler has no warp
};

enum class Verification : std::uint8_t { Off, Passed, Failed };

/// One run of a workload on a platform.
struct RunRecord {
  RunIdentity identity;
  std::string indexer;      ///< text form of the scratchpad's bank mapping
  std::uint32_t banks = 0;  ///< of the scratchpad
  std::uint64_t launches = 0;
  std::uint64_t ctas = 0;
  std::uint64_t warpInstructions = 0;
  std::uint64_t threadInstructions = 0;  ///< active lanes of the warp instructions, summed
  std::uint64_t cycles = 0;
  std::uint64_t sharedLoads = 0;
  std::uint64_t sharedStores = 0;
  std::uint64_t sharedAtomics = 0;
  DegreeHistogram
      degrees;  ///< of the shared accesses: as many as loads, stores and atomics together
  std::uint64_t globalAccesses = 0;
  std::uint64_t globalSegments = 0;  ///< memory transactions after coalescing
  StallCycles stalls;
  double activeWarpsMean = 0;    ///< resident warps, averaged over the cycles
  double occupancy = 0;          ///< resident warps at best / warps the SM can hold
  std::string occupancyLimiter;  ///< ctas, warps, registers, shared or grid
  Verification verification = Verification::Off;
  double wallSeconds = 0;  ///< host time; written only when asked for

  std::uint64_t sharedAccesses() const { return sharedLoads + sharedStores + sharedAtomics; }
  /// Warp instructions a cycle; nothing when no cycle passed.
  std::optional<double> ipc() const;
};

/// One instruction (PC) of a kernel in a run.
struct InstructionRecord {
  std::string kernel;
  std::uint32_t pc = 0;          ///< index into the kernel's program
  std::string sourceFile;        ///< written without its folder; empty: unknown
  std::uint32_t line = 0;        ///< 0: unknown, an empty cell
  std::string opcode;            ///< for instance "ld.shared.f32"
  std::string opcodeClass;       ///< integer, float, special, double, branch, barrier, memory, exit
  std::uint64_t executions = 0;  ///< by warps
  std::uint64_t threadExecutions = 0;  ///< active lanes, summed
  DegreeHistogram degrees;             ///< of its shared accesses
  std::uint64_t stallCycles = 0;  ///< issue slots that its scheduler lost just before issuing it
};

/// One bank of the scratchpad in a run.
struct BankRecord {
  std::uint32_t bank = 0;
  std::uint64_t reads = 0;    ///< words read; lanes that share a word count once
  std::uint64_t writes = 0;   ///< words written
  std::uint64_t atomics = 0;  ///< words updated

  std::uint64_t accesses() const { return reads + writes + atomics; }
};

}  // namespace fermata::results
