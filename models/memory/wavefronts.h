// Passes of the two halves of a wave64 at banks that are offered lanes of both halves at once
// (LaneGroups::joins; nod-ai/amd-shark-ai, docs/empirical-lds: 32 bits on an MI350X).
//
// Passes of a wave64 = the largest number of distinct words that one bank must deliver to the lanes
// of both halves. The half that comes first takes the passes that it needs alone. The second takes
// the rest, perhaps none: words that the first has asked for cost nothing. So the passes of the two
// halves add up to those of the wave64, and so do their ideal passes. Lanes of an atomic need not
// merge: the passes are then the largest number of lanes on one bank.
#pragma once

#include <fermata/models/memory/conflict.h>
#include <fermata/models/transaction/wavefront_halves.h>

#include <array>
#include <cstdint>
#include <vector>

namespace fermata {

class Wavefronts {
 public:
  explicit Wavefronts(std::uint32_t banks) : words_(banks) {}

  /// Corrects passes, groupPasses, freePasses, degree, leaders and bankSet of an access if the
  /// other half of its wave64 has come before. Preconditions: `conflicts` has resolved this access
  /// last; the access asks for a lane. `merges`: lanes of both halves on one word merge.
  void join(WarpAccess& access, const ConflictResolver& conflicts, bool merges = true);

 private:
  static constexpr unsigned kMostWords = kWarpLanes * WarpAccess::kMaxWordsPerLane;

  struct Word {
    std::uint32_t place;  ///< ConflictResolver::placeOf
    std::uint16_t bank;
    std::uint8_t lane;
    std::uint8_t part;
  };
  /// The words that a half asks for: distinct, lane group after lane group, in rising order of
  /// place. Small, because many may wait.
  struct Asked {
    std::array<std::uint32_t, kMostWords> place;
    std::array<std::uint16_t, kMostWords> bank;
    std::array<std::uint8_t, kWarpLanes + 1> begin;  ///< first word of each group; then the end
    std::array<std::uint8_t, kWarpLanes> passes;     ///< by group
  };

  void collect(const WarpAccess& access, const ConflictResolver& conflicts);
  void sort(unsigned begin, unsigned end);
  std::uint32_t degree(WarpAccess& access, unsigned group, bool merges);

  WavefrontHalves<Asked> halves_;
  Asked own_;
  std::array<Word, kMostWords> asker_;  ///< by index in `own_`: the word and a lane that asks it
  Asked other_;
  std::vector<std::uint32_t> words_;  ///< by bank: 0 between calls
};

}  // namespace fermata
