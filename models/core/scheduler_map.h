// Maps each warp to the scheduler that issues its instructions.
#pragma once

namespace fermata {

/// Both warps of a wave64, in slots 2n and 2n + 1, have the same scheduler.
class SchedulerMap {
 public:
  /// `wavefrontWarps`: warps per wavefront: 2 for wave64, otherwise 1.
  SchedulerMap(unsigned schedulers, unsigned wavefrontWarps)
      : schedulers_(schedulers), shift_(wavefrontWarps / 2) {}

  unsigned of(unsigned slot) const { return (slot >> shift_) % schedulers_; }
  unsigned schedulers() const { return schedulers_; }

 private:
  unsigned schedulers_;
  unsigned shift_;
};

}  // namespace fermata
