// Decides what the crossbar does with a try whose lanes conflict: here the papers differ. A policy
// is a file in policies/ and an entry in the table of conflict_policy.cpp.
#pragma once

#include <fermata/models/memory/conflict.h>
#include <fermata/models/vocabulary/cycle.h>
#include <fermata/models/vocabulary/policy.h>

namespace fermata {

/// Serves tries. Each data array (data_array.h) has its own instance.
class ConflictPolicy {
 public:
  struct Needs {
    bool leavesLanes = false;  ///< a try may leave lanes, which are tried again
    /// Every lane is served in all its passes. A block of RTL that answers when it is ready may
    /// stand in the place of crossbar and scratchpad.
    bool allowsBlock = false;
  };
  struct Served {
    Cycle done = 0;     ///< cycle after the last pass
    LaneMask left = 0;  ///< lanes that this try leaves; WarpAccess::outcome has their cause
    /// Cycles in which the try holds the banks, from `first` to before `held`; both 0: its passes
    /// end with `done`.
    Cycle first = 0;
    Cycle held = 0;
  };
  virtual ~ConflictPolicy() = default;
  /// Serves a try that reaches the banks in cycle `arrival`, and sets WarpAccess::occupancy.
  /// Precondition: `conflicts` has resolved the try; one that goes on with words left
  /// (WarpAccess::goesOn) keeps what the policy has set. A policy that leaves lanes sets the
  /// passes, freePasses and leaders of what the try serves, and the causes in WarpAccess::outcome.
  virtual Served serve(WarpAccess& access, ConflictResolver& conflicts, Cycle arrival) = 0;
};

template <>
const std::vector<const Descriptor<ConflictPolicy>*>& Descriptor<ConflictPolicy>::table();

}  // namespace fermata
