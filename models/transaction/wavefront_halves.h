// Which accesses of two warps are one of a wavefront of 64 lanes (lane_groups.h): the two halves
// execute one program, but here they come one after the other, and not always side by side.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace fermata {

/// Which half of which wavefront.
struct WavefrontHalf {
  WavefrontHalf(std::uint64_t ctaNumber, unsigned slot, unsigned warp)
      : cta(ctaNumber), first(slot - warp % 2), upper(warp % 2) {}

  std::uint64_t cta;  ///< of all that were ever placed, no two have the same
  unsigned first;     ///< warp slot of its lower half
  unsigned upper;     ///< 1: it is the upper one
};

/// An access waits for that of the other half with the same PC. Both halves come by their accesses
/// in the order of the program, so what one of them has passed over when the two meet, only the
/// other has executed: those lanes were off. Where the halves go round a loop a different number of
/// times, rounds are matched from the first on.
template <class Access>
class WavefrontHalves {
 public:
  /// That wait in a half at most; then the older ones of them are alone. The halves of a wavefront
  /// belong to one scheduler, so they do not go far apart while both execute.
  static constexpr std::size_t kMost = 1024;

  /// Gives the access of the other half, which had come and waits no more. False: it has not come,
  /// and `own` waits for it. `alone(access)` is called with each that waited in vain.
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

  /// No access that waits will meet another.
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

  std::vector<Wavefront> wavefronts_;  ///< by slot of the lower half
};

}  // namespace fermata
