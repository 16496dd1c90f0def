// Decides what the crossbar does with a try whose lanes conflict: here the papers differ. A policy
// is a file in policies/ and a line in the table of conflict_policy.cpp.
#pragma once

#include <fermata/models/choice.h>
#include <fermata/models/memory/conflict.h>
#include <fermata/models/timing/cycle.h>

#include <memory>

namespace fermata {

/// Serves tries. Each crossbar and each L1 has its own instance.
class ConflictPolicy {
 public:
  virtual ~ConflictPolicy() = default;

  struct Served {
    Cycle done = 0;     ///< cycle after the last pass
    LaneMask left = 0;  ///< lanes that this try leaves; WarpAccess::outcome has their cause
  };
  /// Serves a try that reaches the banks in cycle `arrival`, and sets WarpAccess::occupancy.
  /// Precondition: `conflicts` has resolved the try. A policy that leaves lanes sets the passes,
  /// freePasses and leaders of what the try serves, and the causes in WarpAccess::outcome.
  virtual Served serve(WarpAccess& access, ConflictResolver& conflicts, Cycle arrival) = 0;
  /// False: every try serves all of its lanes, and there are no replays to count.
  virtual bool leavesLanes() const { return true; }
};

/// A policy is chosen by the function that makes it: the one below, or a user's own.
using MakeConflictPolicy = std::unique_ptr<ConflictPolicy> (*)();

/// Serves every lane: the try holds the banks for all its passes, and the next try waits
/// (GPGPU-Sim; van den Braak et al., IEEE TC 2016).
std::unique_ptr<ConflictPolicy> makeSerialize();
/// Gives a first try its ideal passes and leaves the words that lose their bank; each replay gets
/// one pass. While an access has lanes left, later accesses of its warp are squashed. The passes of
/// all tries add up to those of serialize. Atomics are not split (Diamond et al., Arbitrary Modulus
/// Indexing, MICRO 2014, section IV).
std::unique_ptr<ConflictPolicy> makeReplay();
/// Serves every lane in the ideal passes: no real machine, but a bound for one without conflicts.
std::unique_ptr<ConflictPolicy> makeIdeal();

template <>
struct ChoiceTable<MakeConflictPolicy> {
  static const std::vector<NamedChoice<MakeConflictPolicy>>& table();
};

}  // namespace fermata
