// Picks the warp of a scheduler that issues, and the scheduler that has the first turn: by the
// policies, and before them by what is urgent (precedence.h).
#pragma once

#include <fermata/models/core/precedence.h>
#include <fermata/models/core/replay_buffer.h>
#include <fermata/models/core/scheduler_map.h>
#include <fermata/models/core/warp_policy.h>
#include <fermata/models/core/warp_table.h>

#include <memory>
#include <vector>

namespace fermata {

struct WarpSchedulerParameters;

class WarpPicker {
 public:
  static constexpr unsigned kNone = kMaxWarpSlots;

  /// `slots`: warp slots of the SM.
  WarpPicker(const WarpSchedulerParameters& parameters, unsigned slots, const WarpTable& warps,
             const Pipelines& pipelines, const ReplayBuffer& replays);

  /// Returns to the initial state, for a new workload.
  void reset();
  /// Notes that a warp begins, or ends, in the slot.
  void started(unsigned slot) {
    policyOf(slot).started(slot);
    precedence_.started(slot);
  }
  void ended(unsigned slot) { policyOf(slot).ended(slot); }
  /// Notes that the warp issues a memory instruction.
  void issues(unsigned slot, const StaticInstruction& instruction) {
    if (__builtin_expect(static_cast<long>(precedence_.isPoll(slot, instruction)), 0) != 0)
      precedence_.polled(slot, instruction, schedulerAfter(slot));
  }
  /// Notes the outcome of a try of the warp. `urgent`: its next instruction is.
  void heard(unsigned slot, bool urgent) { precedence_.heard(slot, urgent, schedulerAfter(slot)); }

  SlotMask slotsOf(unsigned scheduler) const { return slots_[scheduler]; }
  /// Returns the scheduler that has the first turn in cycle `now`: one that has something urgent to
  /// issue, or that of Precedence::turn() if there is none; with `rotates`, so many further as
  /// cycles have passed.
  unsigned firstScheduler(Cycle now) {
    if (__builtin_expect(static_cast<long>(rotates_), 0) != 0) return rotated(now);
    const bool urgent = precedence_.urgent() != 0;
    return __builtin_expect(static_cast<long>(urgent), 0) != 0 ? urgentScheduler(now)
                                                               : precedence_.turn();
  }
  /// Returns the warp of the scheduler that issues in cycle `now`, one of `ready`; kNone: a replay
  /// goes before them. Precondition: ready != 0.
  unsigned pick(unsigned scheduler, SlotMask ready, Cycle now) {
    if (__builtin_expect(static_cast<long>(precedence_.matters()), 0) != 0) {
      if (letsBy(scheduler, now)) return kNone;
      ready = precedence_.among(ready, warps_);
    }
    return policies_[scheduler]->pick(ready);
  }

 private:
  WarpPolicy& policyOf(unsigned slot) { return *policies_[schedulers_.of(slot)]; }
  /// Returns the scheduler after that of the warp, around the end.
  unsigned schedulerAfter(unsigned slot) const {
    return (schedulers_.of(slot) + 1) % schedulers_.schedulers();
  }
  bool letsBy(unsigned scheduler, Cycle now) const {
    return precedence_.urgent() != 0 && replays_.waiting() && replays_.urgent(scheduler, now);
  }
  unsigned urgentScheduler(Cycle now);
  unsigned rotated(Cycle now);

  const WarpTable& warps_;
  const Pipelines& pipelines_;
  const ReplayBuffer& replays_;
  SchedulerMap schedulers_;
  bool rotates_;
  std::vector<SlotMask> slots_;  ///< by scheduler
  std::vector<std::unique_ptr<WarpPolicy>> policies_;
  Precedence precedence_;
};

}  // namespace fermata
