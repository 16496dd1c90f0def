// Pairs the accesses of two warps that together are one access of a wave64 (lane_groups.h). The two
// halves execute one program, but here their accesses come one after the other, and not always
// side by side.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace fermata {

/// Names one half of one wave64.
struct WavefrontHalf {
  WavefrontHalf(std::uint64_t ctaNumber, unsigned slot, unsigned warp)
      : cta(ctaNumber), first(slot - warp % 2), upper(warp % 2) {}

  std::uint64_t cta;  ///< serial number of the CTA, unique among all CTAs ever placed
  unsigned first;     ///< warp slot of the wave64's lower half
  unsigned upper;     ///< 1: the upper half; 0: the lower half
};

/// An access waits for the other half's access with the same PC. Both halves come to their accesses
/// in program order. So when two accesses meet, older ones that still wait were executed by one
/// half only: the lanes of the other half were off. If the halves go round a loop a different
/// number of times, rounds are matched from the first on.
template <class Access>
class WavefrontHalves {
 public:
  /// Limit of the accesses of one half that wait. At the limit the older ones count as alone. The
  /// halves of a wave64 belong to one scheduler, so they stay close while both execute.
  static constexpr std::size_t kMost = 1024;

  /// Returns true and sets `other` if the other half's access has come; it waits no longer. Returns
  /// false if it has not come: `own` waits for it. Calls `alone(access)` for each access that
  /// waited in vain.
  template <class Alone>
  bool meet(const WavefrontHalf& half, std::uint32_t pc, const Access& own, Access& other,
            Alone alone) {
    if (half.first >= wavefronts_.size()) wavefronts_.resize(half.first + 1);
    Wavefront& wavefront = wavefronts_[half.first];
    if (wavefront.cta != half.cta) {
      clear(wavefront, alone);
      wavefront.cta = half.cta;
    }
    Waiting& mine = wavefront.waiting[half.upper];
    Waiting& others = wavefront.waiting[1 - half.upper];
    const auto found = std::find_if(others.begin(), others.end(),
                                    [&](const Entry& entry) { return entry.pc == pc; });
    if (found == others.end()) {
      if (mine.size() == kMost) drop(mine, mine.begin() + kMost / 2, alone);
      mine.push_back({pc, own});
      return false;
    }
    other = found->access;
    drop(others, found, alone);
    others.erase(others.begin());
    drop(mine, mine.end(), alone);
    return true;
  }

  /// Calls `alone(access)` for every access that waits, and forgets all of them.
  template <class Alone>
  void clear(Alone alone) {
    for (Wavefront& wavefront : wavefronts_) clear(wavefront, alone);
  }

 private:
  struct Entry {
    std::uint32_t pc;
    Access access;
  };
  using Waiting = std::vector<Entry>;
  struct Wavefront {
    std::uint64_t cta = 0;
    std::array<Waiting, 2> waiting;
  };

  template <class Alone>
  static void drop(Waiting& waiting, typename Waiting::iterator end, Alone alone) {
    for (auto entry = waiting.begin(); entry != end; ++entry) alone(entry->access);
    waiting.erase(waiting.begin(), end);
  }
  template <class Alone>
  static void clear(Wavefront& wavefront, Alone alone) {
    for (Waiting& waiting : wavefront.waiting) drop(waiting, waiting.end(), alone);
  }

  std::vector<Wavefront> wavefronts_;  ///< by warp slot of the lower half
};

}  // namespace fermata
