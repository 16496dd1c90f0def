// The halves of a wavefront of 64 lanes at the banks that are offered lanes of both at once
// (LaneGroups::joins; nod-ai/amd-shark-ai, docs/empirical-lds: 32 bits on an MI350X).
//
// Passes of the wavefront = the largest number of distinct words that one bank must deliver to the
// lanes of both halves. The half that comes first takes what it takes alone; the one that comes
// second takes the rest, perhaps none, and words that the first has asked for cost nothing. So the
// passes add up to those of the wavefront, and so do those without a conflict.
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

  /// Changes passes, groupPasses, freePasses, degree, leaders and bankSet of an access that
  /// `conflicts` has resolved last, when the other half has been here. Precondition: it asks for a
  /// lane.
  void join(WarpAccess& access, const ConflictResolver& conflicts);

 private:
  static constexpr unsigned kMostWords = kWarpLanes * WarpAccess::kMaxWordsPerLane;

  struct Word {
    std::uint32_t place;  ///< ConflictResolver::placeOf
    std::uint16_t bank;
    std::uint8_t lane;
    std::uint8_t part;
  };
  /// What a half asks for: distinct words, group after group, in rising order of place. Many may
  /// wait, so it is small.
  struct Asked {
    std::array<std::uint32_t, kMostWords> place;
    std::array<std::uint16_t, kMostWords> bank;
    std::array<std::uint8_t, kWarpLanes + 1> begin;  ///< of each group, and behind the last
    std::array<std::uint8_t, kWarpLanes> passes;     ///< of each group
  };

  void collect(const WarpAccess& access, const ConflictResolver& conflicts);
  void sort(unsigned begin, unsigned end);
  std::uint32_t degree(WarpAccess& access, unsigned group);

  WavefrontHalves<Asked> halves_;
  Asked own_;
  std::array<Word, kMostWords> asker_;  ///< of each word of `own_`
  Asked other_;
  std::vector<std::uint32_t> words_;  ///< by bank: 0 between calls
};

}  // namespace fermata
