// Parameters of a first-level cache (l1_cache.h).
#pragma once

#include <fermata/models/memory/cache_array.h>
#include <fermata/models/memory/conflict.h>
#include <fermata/models/memory/conflict_policy.h>
#include <fermata/models/memory/data_array.h>
#include <fermata/models/vocabulary/choice.h>

#include <cstdint>
#include <memory>

namespace fermata {

enum class Divergence : std::uint8_t { Wait, Replay };
template <>
inline constexpr NamedChoice<Divergence> kChoices<Divergence>[] = {{Divergence::Wait, "wait"},
                                                                   {Divergence::Replay, "replay"}};

/// When a line gets its frame.
enum class Allocation : std::uint8_t {
  Miss,  ///< with the request: a set whose frames are all reserved takes no further miss
  Fill   ///< when the line arrives
};
template <>
inline constexpr NamedChoice<Allocation> kChoices<Allocation>[] = {{Allocation::Miss, "miss"},
                                                                   {Allocation::Fill, "fill"}};

/// Part of an absent line that a load brings.
enum class Fetch : std::uint8_t {
  Line,
  Sectors  ///< the sectors of 32 bytes that the lanes touch
};
template <>
inline constexpr NamedChoice<Fetch> kChoices<Fetch>[] = {{Fetch::Line, "line"},
                                                         {Fetch::Sectors, "sectors"}};

struct L1CacheParameters {
  CacheShape shape;
  Chosen<ReplacementPolicy> replacement;
  PolicyValues policyValues;
  Allocation allocation = Allocation::Fill;
  Fetch fetch = Fetch::Line;
  bool requestSectors = false;  ///< with Fetch::Sectors: each sector is a request
  /// With Fetch::Sectors: a load finds stored bytes of a sector of which others are absent. False:
  /// it fetches the sector.
  bool partialHits = true;
  /// Evict, Through, or Allocate with Fetch::Sectors.
  WritePolicy writePolicy = WritePolicy::Evict;
  /// With Evict, Fetch::Line and Allocation::Miss: a store to local memory changes a line that is
  /// here, and the line is written back when another takes its frame.
  bool localBack = false;
  /// With Evict and Fetch::Line: a store leaves a line that is under way alone: loads go on joining
  /// it. False: the line is dropped when it comes, and later loads wait until then.
  bool storesPass = false;
  Divergence divergence = Divergence::Wait;
  Chosen<ConflictPolicy> conflictPolicy;  ///< with Wait: must leave no lanes
  unsigned interval = 1;                  ///< cycles from one try to the next, 1 or more
  unsigned tagArrays = 1;                 ///< lines looked up per cycle, 1 to 32
  /// With a lookup queue: each sector is looked up by itself (sector_lookups.h).
  bool tagSectors = false;
  /// Looks up the lines of an access from the highest address down, not in the order of the lanes.
  bool falling = false;
  /// With a lookup queue: looks up lanes of one byte by blocks of 32 bytes, of two by blocks of 64.
  bool splitsBytes = false;
  /// Maps lines onto the tag arrays (l1_tags.h); null: each array has the tags of all lines.
  std::shared_ptr<const indexing::Indexer> tagBanks = nullptr;
  /// Data array that a scratchpad uses, too; null: the L1 has an array with `conflictPolicy`.
  std::shared_ptr<DataArray> data = nullptr;
  unsigned wayToData = 0;      ///< cycles from the arrival of a try at the L1 to the data array
  unsigned latency = 24;       ///< cycles from the last pass to the registers
  unsigned lookupLatency = 2;  ///< cycles until hit or miss is known, and a miss leaves
  /// With Wait: places on the way to each tag array. Each line of an access has one, each sector
  /// with tagSectors, in order. An access then takes a frame and an MSHR when the tags look it up,
  /// `lookupLatency` after it came; while it finds none those behind it wait. 0: it takes them when
  /// it comes.
  unsigned lookupQueue = 0;
  /// With a lookup queue: atomics pass it by, and leave sector by sector, one per cycle.
  bool atomicsPass = false;
  /// With Wait: cycles from a line's arrival to the registers of accesses that wait for it.
  /// Unused with Replay: there a replay hits, and takes `latency`.
  unsigned fillLatency = 1;
  unsigned fillBytes = 0;  ///< with Wait: bytes per cycle that come in; 0: no limit
  unsigned mshrs = 64;     ///< lines under way, 1 or more
  unsigned merges = 0;     ///< accesses that may wait for one line; 0: no limit
  unsigned queue = 8;      ///< requests that may wait for memory to take them
  LaneGrouping groups;     ///< lane groups at the banks
  bool verify = false;
};

}  // namespace fermata
