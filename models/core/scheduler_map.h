// Maps each warp to the scheduler that issues its instructions.
#pragma once

#include <fermata/models/vocabulary/slot_mask.h>

#include <array>
#include <cstdint>

namespace fermata {

/// Both warps of a wave64, in slots 2n and 2n + 1, have the same scheduler.
class SchedulerMap {
 public:
  /// `wavefrontWarps`: warps per wavefront: 2 for wave64, otherwise 1.
  SchedulerMap(unsigned schedulers, unsigned wavefrontWarps) : schedulers_(schedulers) {
    for (unsigned slot = 0; slot < kMaxWarpSlots; ++slot)
      of_[slot] = static_cast<std::uint8_t>((slot >> wavefrontWarps / 2) % schedulers);
  }

  unsigned of(unsigned slot) const { return of_[slot]; }
  unsigned schedulers() const { return schedulers_; }

 private:
  unsigned schedulers_;
  std::array<std::uint8_t, kMaxWarpSlots> of_{};  ///< by warp slot
};

}  // namespace fermata
