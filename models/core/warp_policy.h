// Policies by which a scheduler picks the ready warp that issues. A policy is a file in policies/
// and a line in the table of warp_policy.cpp.
#pragma once

#include <fermata/models/choice.h>
#include <fermata/models/core/slot_mask.h>

#include <memory>

namespace fermata {

/// A policy has one instance per scheduler. It is deterministic: equal calls give equal picks.
class WarpPolicy {
 public:
  virtual ~WarpPolicy() = default;
  /// Returns one slot of `ready`, which then issues. Precondition: ready != 0.
  virtual unsigned pick(SlotMask ready) = 0;
  /// Notes that a warp begins in the slot. A warp that starts later is younger.
  virtual void started(unsigned /*slot*/) {}
  virtual void ended(unsigned /*slot*/) {}
  /// Returns the policy to its initial state.
  virtual void reset() = 0;
  /// True if memory instructions must keep their distance from one with bank conflicts
  /// (memory_spacing.h).
  virtual bool spacesMemory() const { return false; }
};

struct WarpPolicyParameters;

/// Function that makes a policy, and so names it: one of the functions below, or a user's own.
using MakeWarpPolicy = std::unique_ptr<WarpPolicy> (*)(const WarpPolicyParameters&);

/// Picks the next ready warp after the one issued last.
std::unique_ptr<WarpPolicy> makeLooseRoundRobin(const WarpPolicyParameters&);
/// Picks the warp issued last while it is ready, then the oldest (Rogers et al., MICRO 2012).
std::unique_ptr<WarpPolicy> makeGreedyThenOldest(const WarpPolicyParameters&);
/// Picks in round robin order from a small active set (Narasiman et al., MICRO 2011).
std::unique_ptr<WarpPolicy> makeTwoLevel(const WarpPolicyParameters&);
/// Picks by another policy (WarpPolicyParameters::base). Memory instructions keep their distance
/// from one with bank conflicts (Gou and Gaydadjiev, CF 2011, section 4.3).
std::unique_ptr<WarpPolicy> makeConflictAware(const WarpPolicyParameters&);

struct WarpPolicyParameters {
  unsigned activeWarps = 8;                   ///< two-level: warps in the active set, 1 or more
  MakeWarpPolicy base = makeLooseRoundRobin;  ///< conflict-aware: its base policy, never itself
};

template <>
struct ChoiceTable<MakeWarpPolicy> {
  static const std::vector<NamedChoice<MakeWarpPolicy>>& table();
};

}  // namespace fermata
