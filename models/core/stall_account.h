// Says of every empty issue slot why it stayed empty. Cycles that are skipped are accounted for in
// one step, when the next thing happens: nothing changes while the core sleeps.
#pragma once

#include <array>
#include <utility>
#include <vector>

#include <fermata/models/core/warp_table.h>
#include <fermata/models/probe/probe.h>

namespace fermata {

class StallAccount {
 public:
  /// `slots[i]`: the warp slots of scheduler i; `width`: instructions it issues a cycle.
  StallAccount(std::vector<SlotMask> slots, unsigned width);

  /// Everything before `now` is accounted for.
  void start(Cycle now);
  /// Scheduler i issued `issued` instructions in cycle `now`; the rest of its slots stayed empty.
  void cycle(unsigned scheduler, unsigned issued, Cycle now, const WarpTable& warps,
             const Pipelines& pipelines, Probe* probe);
  /// Accounts for the cycles since the last one up to `now`, in which nothing was issued.
  void settle(Cycle now, const WarpTable& warps, const Pipelines& pipelines, Probe* probe);
  /// Empty slots of the scheduler since it issued last; and starts to count anew.
  Cycle takeLost(unsigned scheduler) { return std::exchange(lost_[scheduler], 0); }

 private:
  void account(unsigned scheduler, Cycle from, Cycle to, std::uint64_t width,
               const WarpTable& warps, const Pipelines& pipelines, Probe* probe);
  void report(unsigned scheduler, StallCause cause, Cycle from, Cycle to, std::uint64_t width,
              Probe* probe);

  std::vector<SlotMask> slots_;
  std::vector<Cycle> lost_;
  unsigned width_;
  Cycle settled_ = 0;
};

}  // namespace fermata
