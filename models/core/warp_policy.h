// Which ready warp a scheduler issues from. A policy is a file in policies/ and a line in the table
// of warp_policy.cpp.
#pragma once

#include <fermata/models/choice.h>
#include <fermata/models/core/slot_mask.h>

#include <memory>

namespace fermata {

/// One instance a scheduler. Deterministic: the same calls give the same picks.
class WarpPolicy {
 public:
  virtual ~WarpPolicy() = default;
  /// Precondition: ready != 0. Returns one of its slots, which will issue now.
  virtual unsigned pick(SlotMask ready) = 0;
  /// A warp begins in the slot; later starts are younger.
  virtual void started(unsigned /*slot*/) {}
  virtual void ended(unsigned /*slot*/) {}
  /// As newly built.
  virtual void reset() = 0;
  /// Memory instructions are to keep their distance from one with bank conflicts
  /// (memory_spacing.h).
  virtual bool spacesMemory() const { return false; }
};

struct WarpPolicyParameters;

/// A policy is chosen by the function that makes it: one of those below, or a user's own.
using MakeWarpPolicy = std::unique_ptr<WarpPolicy> (*)(const WarpPolicyParameters&);

/// The next ready warp after the one issued last.
std::unique_ptr<WarpPolicy> makeLooseRoundRobin(const WarpPolicyParameters&);
/// The same warp while it is ready, then the oldest (Rogers et al., MICRO 2012).
std::unique_ptr<WarpPolicy> makeGreedyThenOldest(const WarpPolicyParameters&);
/// Round robin in a small active set (Narasiman et al., MICRO 2011).
std::unique_ptr<WarpPolicy> makeTwoLevel(const WarpPolicyParameters&);
/// As another policy (WarpPolicyParameters::base), but memory instructions keep their distance from
/// one with bank conflicts (Gou and Gaydadjiev, CF 2011, section 4.3).
std::unique_ptr<WarpPolicy> makeConflictAware(const WarpPolicyParameters&);

struct WarpPolicyParameters {
  unsigned activeWarps = 8;                   ///< two-level: active set of a scheduler, 1 or more
  MakeWarpPolicy base = makeLooseRoundRobin;  ///< conflict-aware: not itself
};

template <>
struct ChoiceTable<MakeWarpPolicy> {
  static const std::vector<NamedChoice<MakeWarpPolicy>>& table();
};

}  // namespace fermata
