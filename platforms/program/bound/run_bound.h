// Bound of a run: its issue slots by what took or lost them, and the cycles that no cure of
// conflicts can save.
#pragma once

#include <fermata/platforms/compose/parameters.h>
#include <fermata/platforms/compose/run_outcome.h>
#include <fermata/platforms/program/bound/operand_sources.h>
#include <fermata/results/rows.h>

#include <array>
#include <cstdint>
#include <string>

namespace fermata::platforms {

inline constexpr const char* kBoundFile = "bound.csv";

/// Use of an issue slot of a scheduler.
enum class SlotUse : std::uint8_t {
  Issue,       ///< a warp instruction
  Scratchpad,  ///< lost to shared memory: its port, its data, replays of its conflicts
  Global,      ///< lost to global memory: its port, its data, other replays
  Arithmetic,  ///< lost: warps wait for a result of arithmetic, a constant or a branch
  Barrier,     ///< lost: warps wait at barriers
  Units,       ///< lost: an arithmetic unit takes nothing
  NoWarp,      ///< lost: the scheduler has no warp
};
inline constexpr unsigned kSlotUses = 7;

struct RunBound {
  std::array<std::uint64_t, kSlotUses> slots{};  ///< issue-slot cycles, by SlotUse
  std::uint64_t cycles = 0;
  /// Cycles that the same instructions take at least, on the same platform without any conflict.
  std::uint64_t leastCycles = 0;
  std::uint64_t conflictCycles = 0;
  unsigned sms = 1;
  std::uint64_t warpCycles = 0;  ///< resident warps, summed over cycles and SMs
  std::uint64_t longest = 0;     ///< cycles of the longest run; the members below are its
  unsigned residentWarps = 0;    ///< most warps resident on an SM
  unsigned warpSlots = 0;        ///< limit of warps per SM
  OccupancyLimiter limiter = OccupancyLimiter::Grid;  ///< of the resident warps
  bool registersEstimated = false;  ///< the kernel's registers per thread are an estimate

  /// Adds a run of the same kernel. What limits its warps is that of the longest run.
  RunBound& operator+=(const RunBound& other);

  std::uint64_t allSlots() const;
  std::uint64_t of(SlotUse use) const { return slots[static_cast<unsigned>(use)]; }
  /// Returns the use that takes the most slots.
  SlotUse largest() const;
  /// Returns how many times as fast the run would be at most without conflicts; 1 without any.
  double mostSpeedup() const;
  /// Returns what bounds the run: "bound by issue (53% of issue slots; ...".
  std::string text() const;

 private:
  std::string limitText() const;
};

/// Requires that `sources` listened to the run.
///
/// The lost slots are the model's, by their cause. Two causes are divided: waits for registers by
/// the sources of the operands of the instructions that waited, waits for the memory port by the
/// cycles that the port served each memory.
RunBound boundOf(const RunOutcome& run, const PlatformParameters& platform,
                 const OperandSources& sources);

/// Returns the columns of bound.csv that follow those of a run's identity.
results::Columns boundColumns();
results::Row boundRow(const RunBound& bound);

}  // namespace fermata::platforms
