// What the crossbar does with a try whose lanes conflict: the seam between the papers. A policy is
// a file in policies/ and a line in the table of conflict_policy.cpp.
#pragma once

#include <fermata/models/choice.h>
#include <fermata/models/memory/conflict.h>
#include <fermata/models/timing/cycle.h>

#include <memory>

namespace fermata {

/// One instance a crossbar.
class ConflictPolicy {
 public:
  virtual ~ConflictPolicy() = default;

  struct Served {
    Cycle done = 0;     ///< cycle after the last pass
    LaneMask left = 0;  ///< lanes that this try does not serve; their cause stands in the outcome
  };
  /// A try whose passes, groups and leaders have been resolved reaches the banks in cycle
  /// `arrival`. Sets WarpAccess::occupancy. A policy that leaves lanes takes them out of
  /// WarpAccess::asked and has `conflicts` resolve the rest: what a try is counted for is what it
  /// serves.
  virtual Served serve(WarpAccess& access, ConflictResolver& conflicts, Cycle arrival) = 0;
  /// False: no try is ever left in part, and there are no replays to count.
  virtual bool leavesLanes() const { return true; }
};

/// A policy is chosen by the function that makes it: the one below, or a user's own.
using MakeConflictPolicy = std::unique_ptr<ConflictPolicy> (*)();

/// Every lane is served; the try holds the banks for all its passes, the next one waits (GPGPU-Sim;
/// van den Braak et al., IEEE TC 2016).
std::unique_ptr<ConflictPolicy> makeSerialize();
/// A try gets the passes that an access without a conflict takes; the words that lose their bank
/// are left, and every later try gets one pass. A warp's accesses behind one with lanes left are
/// squashed. In all it takes the passes of serialize. Atomics are not split (Diamond et al.,
/// Arbitrary Modulus Indexing, MICRO 2014, section IV).
std::unique_ptr<ConflictPolicy> makeReplay();
/// Every lane is served in the passes of an access without a conflict: no machine, but what one
/// without conflicts would do.
std::unique_ptr<ConflictPolicy> makeIdeal();

template <>
struct ChoiceTable<MakeConflictPolicy> {
  static const std::vector<NamedChoice<MakeConflictPolicy>>& table();
};

}  // namespace fermata
