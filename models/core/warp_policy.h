// Which ready warp a scheduler issues from.
#pragma once

#include <array>
#include <cstdint>
#include <memory>

namespace fermata {

/// Warp slots of a streaming multiprocessor fit one mask.
inline constexpr unsigned kMaxWarpSlots = 64;
using SlotMask = std::uint64_t;

enum class PolicyKind {
  LooseRoundRobin,   ///< the next ready warp after the one issued last
  GreedyThenOldest,  ///< the same warp while it is ready, then the oldest (Rogers et al., MICRO
                     ///< 2012)
  TwoLevel,          ///< round robin in a small active set (Narasiman et al., MICRO 2011)
};

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
};

/// `activeWarps`: size of the active set of a two-level scheduler, 1 or more.
std::unique_ptr<WarpPolicy> makePolicy(PolicyKind kind, unsigned activeWarps);

}  // namespace fermata
