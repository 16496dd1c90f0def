// The passes of accesses that are collected without timing, by the rules of the platform's
// crossbar.
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include <fermata/models/indexing/indexer.h>
#include <fermata/models/memory/pass_counter.h>
#include <fermata/models/transaction/wavefront_halves.h>

namespace fermata::platforms {

struct PlatformParameters;

/// An access that occurred `count` times since it was last passed on.
struct CountedAccess {
  std::uint64_t count = 0;  ///< 0: the entry is free
  std::uint32_t instruction = 0;
  LaneMask active = 0;
  std::uint32_t wordsPerLane = 1;
  std::uint8_t bytesPerLane = 0;
  MemoryOperation operation = MemoryOperation::Load;
  const StaticInstruction* issued = nullptr;
  alignas(64) std::array<std::uint32_t, kWarpLanes> word{};  ///< word of each lane's first byte; 0
                                                             ///< for inactive lanes
};

/// Cost of the words of an access set.
struct SetPrice {
  bool merges = true;  ///< lanes on one word take their bank once
  unsigned each = 1;   ///< passes per word of the fullest bank, or per lane if they do not merge
};

/// Counts passes of accesses as the platform's crossbar does in a run.
class AccessPasses {
 public:
  AccessPasses(const PlatformParameters& platform,
               std::shared_ptr<const indexing::Indexer> mapping);

  /// True if the halves of a wave64 meet in the access.
  bool joins(const WarpInstruction& execution, const StaticInstruction& issued) const {
    return grouping_.of(execution, &issued).joins();
  }
  PassCount of(const CountedAccess& one);
  /// Returns the passes of one half of a wave64, less those that the other half has taken.
  PassCount joined(const WavefrontHalf& warp, std::uint32_t pc, const CountedAccess& one);
  /// Returns the lane groups, valid until the next call.
  const LaneGroups& groups(const CountedAccess& one);
  SetPrice priceOf(const CountedAccess& one);

 private:
  void setInstruction(const CountedAccess& one);
  void place(const CountedAccess& one);

  std::shared_ptr<const indexing::Indexer> mapping_;
  LaneGrouping grouping_;
  PassCounter counter_;
  WarpAccess access_;
  bool fits_ = false;  ///< false: a word lies behind the memory, which a search refuses later
};

}  // namespace fermata::platforms
