// Atomics on shared memory as Fermi runs them: each atomic becomes the loop that the compiler wrote
// for it (van den Braak et al., Simulation and Architecture Improvements of Atomic Operations on
// GPU Scratchpad Memory, ICCD 2013, figure 1).
//
//   read     reads and locks; lanes that do not get their lock are left
//   update   arithmetic, for the lanes that have their lock
//   write    writes and unlocks, for these lanes
//   branch   back to the read while lanes are left
//
// An update or a write without lanes is predicated off.
//
// Update and write of lanes that have their lock are urgent (StaticInstruction::urgent): they take
// slot, port and replay entry before instructions of other warps. Warps that loop for a lock can
// then never starve the warp that holds it, under any scheduling policy, so some lane always
// advances.
//
// A lock unit in the path answers the reads and sees the writes.
//
// A lane's word is updated when its write issues: no other lane has the lock of the word then.
#pragma once

#include <fermata/models/core/atomic_loop.h>

namespace fermata {

/// The workload `inner` with its atomics replaced by such loops.
class LockLoop final : public AtomicLoop {
 public:
  using AtomicLoop::AtomicLoop;

  void setWarpSlots(unsigned slots) override;
  const StaticInstruction* peek(unsigned slot) override;
  void execute(unsigned slot, WarpInstruction& out) override;
  void responded(unsigned slot, const TryOutcome& outcome) override;

 private:
  /// The steps in their order; None: the first read, whose space may not be known yet. A second
  /// half holds the steps of a round in which no lane has its lock.
  enum class Step : std::uint8_t { None, Read, Update, Write, Branch };
  static constexpr unsigned kSteps = 5;

  struct Warp {
    Step step = Step::None;  ///< next step; None: the warp is not in a loop
    LaneMask locked = 0;     ///< lanes left that have their lock
    const Steps* steps = nullptr;
    Request request;

    const StaticInstruction& next() const {
      const unsigned round = locked != 0 ? 0 : kSteps;
      return (*steps)[round + static_cast<unsigned>(step)];
    }
  };

  Steps makeSteps(const StaticInstruction& atomic, RegisterId link) const override;
  void begin(unsigned slot, Warp& warp, WarpInstruction& out);
  void write(unsigned slot, Warp& warp, WarpInstruction& out);

  std::vector<Warp> warps_;  ///< by warp slot
};

}  // namespace fermata
