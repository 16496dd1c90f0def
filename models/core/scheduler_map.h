// Which scheduler issues the instructions of which warp.
#pragma once

namespace fermata {

/// The warps of a wavefront of 64 lanes, which lie in slots 2n and 2n + 1, have the same.
class SchedulerMap {
 public:
  /// `wavefrontWarps`: 1 or 2.
  SchedulerMap(unsigned schedulers, unsigned wavefrontWarps)
      : schedulers_(schedulers), shift_(wavefrontWarps / 2) {}

  unsigned of(unsigned slot) const { return (slot >> shift_) % schedulers_; }
  unsigned schedulers() const { return schedulers_; }

 private:
  unsigned schedulers_;
  unsigned shift_;
};

}  // namespace fermata
