// Atomics on shared memory as Fermi runs them: each atomic becomes the loop that the compiler wrote
// for it (van den Braak et al., Simulation and Architecture Improvements of Atomic Operations on
// GPU Scratchpad Memory, ICCD 2013, figure 1).
//
//   read     reads and locks; lanes that do not get their lock are left
//   update   arithmetic, for the lanes that have their lock
//   write    writes and unlocks, for these lanes
//   branch   back to the read while lanes are left
//
// The steps are instructions: each takes an issue slot and the units of its class, and begins when
// the previous step has ended. An update or a write without lanes is predicated off.
//
// Update and write of lanes that have their lock are urgent (StaticInstruction::urgent): they take
// slot, port and replay entry before instructions of other warps. Warps that loop for a lock can
// then never starve the warp that holds it, under any scheduling policy, so some lane always
// advances.
//
// The loop stands between the core and a workload: to the core its steps are like any other
// instruction. A lock unit in the path answers the reads and sees the writes.
//
// A lane's word is updated when its write issues: no other lane has the lock of the word then.
#pragma once

#include <fermata/models/vocabulary/warp_instruction.h>
#include <fermata/models/vocabulary/workload.h>

#include <array>
#include <memory>
#include <vector>

namespace fermata {

/// The workload `inner` with its atomics replaced by such loops.
class LockLoop final : public WorkloadDecorator {
 public:
  using WorkloadDecorator::WorkloadDecorator;

  void setWarpSlots(unsigned slots) override;
  const Grid* nextGrid() override;
  const StaticInstruction* peek(unsigned slot) override;
  void execute(unsigned slot, WarpInstruction& out) override;
  void responded(unsigned slot, const TryOutcome& outcome) override;
  std::uint64_t idleInstructions() const override { return idle_ + inner_.idleInstructions(); }

 private:
  enum class Step : std::uint8_t { None, Read, Update, Write, Branch };
  static constexpr unsigned kSteps = 5;

  /// The steps as the core sees them, by Step; None: the first read, whose space may not be known
  /// yet. The second half holds the steps of a round in which no lane has its lock.
  using Steps = std::array<StaticInstruction, 2 * kSteps>;

  struct Warp {
    Step step = Step::None;  ///< next step; None: the warp is not in a loop
    LaneMask left = 0;       ///< lanes whose word has not been updated
    LaneMask locked = 0;     ///< lanes of `left` that have their lock
    const Steps* steps = nullptr;
    std::uint32_t pc = 0;
    std::uint8_t bytesPerLane = 0;
    std::array<std::uint64_t, kWarpLanes> address;

    const StaticInstruction& next() const {
      const unsigned round = locked != 0 ? 0 : kSteps;
      return (*steps)[round + static_cast<unsigned>(step)];
    }
  };

  static bool isLoop(const StaticInstruction& next) {
    return next.operation == MemoryOperation::Atomic &&
           (next.space == MemorySpace::Shared || next.space == MemorySpace::Generic);
  }
  const Steps& stepsOf(const StaticInstruction& atomic);
  Steps makeSteps(const StaticInstruction& atomic) const;
  void lost(unsigned slot);
  void begin(unsigned slot, Warp& warp, WarpInstruction& out);
  void write(unsigned slot, Warp& warp, WarpInstruction& out);
  static void access(const Warp& warp, LaneMask lanes, MemoryOperation operation, LockStep step,
                     WarpInstruction& out);

  Grid grid_;
  std::uint64_t idle_ = 0;
  std::vector<Warp> warps_;                                 ///< by warp slot
  std::vector<std::vector<std::unique_ptr<Steps>>> steps_;  ///< [program][pc]; null: not met yet
};

}  // namespace fermata
