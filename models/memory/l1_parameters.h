// Parameters of a first-level cache (l1_cache.h).
#pragma once

#include <fermata/models/memory/cache_array.h>
#include <fermata/models/memory/conflict.h>
#include <fermata/models/memory/conflict_policy.h>
#include <fermata/models/vocabulary/choice.h>

#include <cstdint>
#include <vector>

namespace fermata {

enum class Divergence : std::uint8_t { Wait, Replay };
template <>
struct ChoiceTable<Divergence> {
  static const std::vector<NamedChoice<Divergence>>& table() {
    static const std::vector<NamedChoice<Divergence>> choices{{Divergence::Wait, "wait"},
                                                              {Divergence::Replay, "replay"}};
    return choices;
  }
};

/// When a line gets its frame.
enum class Allocation : std::uint8_t {
  Miss,  ///< with the request: a set whose frames are all reserved takes no further miss
  Fill   ///< when the line arrives
};
template <>
struct ChoiceTable<Allocation> {
  static const std::vector<NamedChoice<Allocation>>& table() {
    static const std::vector<NamedChoice<Allocation>> choices{{Allocation::Miss, "miss"},
                                                              {Allocation::Fill, "fill"}};
    return choices;
  }
};

struct L1CacheParameters {
  CacheShape shape;
  Chosen<ReplacementPolicy> replacement;
  PolicyValues policyValues;
  Allocation allocation = Allocation::Fill;
  WritePolicy writePolicy = WritePolicy::Evict;  ///< Evict or Through
  Divergence divergence = Divergence::Wait;
  Chosen<ConflictPolicy> conflictPolicy;  ///< with Wait: must leave no lanes
  unsigned tagArrays = 1;                 ///< lines looked up per cycle, 1 to 32
  unsigned latency = 24;                  ///< cycles from the last pass to the registers
  unsigned lookupLatency = 2;             ///< cycles until hit or miss is known, and a miss leaves
  /// With Wait: cycles from a line's arrival to the registers of accesses that wait for it.
  /// Unused with Replay: there a replay hits, and takes `latency`.
  unsigned fillLatency = 1;
  unsigned mshrs = 64;  ///< lines under way, 1 or more
  unsigned merges = 0;  ///< accesses that may wait for one line; 0: no limit
  unsigned queue = 8;   ///< requests that may wait for memory to take them
  LaneGrouping groups;  ///< lane groups at the banks
  bool verify = false;
};

}  // namespace fermata
