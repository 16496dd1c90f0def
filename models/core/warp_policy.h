// Policies by which a scheduler picks the ready warp that issues. A policy is a file in policies/
// and an entry in the table of warp_policy.cpp.
#pragma once

#include <fermata/models/vocabulary/policy.h>
#include <fermata/models/vocabulary/slot_mask.h>

namespace fermata {

/// A policy has one instance per scheduler. It is deterministic: equal calls give equal picks.
class WarpPolicy {
 public:
  struct Needs {
    /// Memory instructions must keep their distance from one with bank conflicts
    /// (memory_spacing.h).
    bool spacesMemory = false;
  };

  virtual ~WarpPolicy() = default;
  /// Returns one slot of `ready`, which then issues. Precondition: ready != 0.
  virtual unsigned pick(SlotMask ready) = 0;
  /// Notes that a warp begins in the slot. A warp that starts later is younger.
  virtual void started(unsigned /*slot*/) {}
  virtual void ended(unsigned /*slot*/) {}
  /// Returns the policy to its initial state.
  virtual void reset() = 0;
};

/// The `make` of a descriptor is null if the warps are picked by another policy, the base.
using WarpPolicyChoice = Chosen<WarpPolicy>;

template <>
const std::vector<const Descriptor<WarpPolicy>*>& Descriptor<WarpPolicy>::table();

}  // namespace fermata
