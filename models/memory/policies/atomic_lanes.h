// Counts the passes of atomics in which no lanes merge: each lane takes its bank for one pass.
#pragma once

#include <fermata/models/memory/conflict.h>

#include <algorithm>
#include <vector>

namespace fermata {

class AtomicLanes {
 public:
  /// Resolves a try: sets what ConflictResolver::resolve sets.
  void resolve(WarpAccess& access, ConflictResolver& conflicts) {
    conflicts.resolve(access);
    lanes_.resize(access.banks);
    std::uint32_t passes = 0;
    unsigned number = 0;
    access.degree = 0;
    for (const LaneMask group : conflicts.groupsOf(access)) {
      const std::uint32_t most = mostOnABank(access, group & access.asked);
      access.groupPasses[number++] = static_cast<std::uint8_t>(most);
      access.degree = std::max(access.degree, most);
      passes += most;
    }
    access.passes = std::max(access.passes, passes);
    if (access.degree > 1) access.bankSet = 0;
    for (unsigned k = 0; k < access.wordsPerLane; ++k) access.leaders[k] = access.asked;
  }

 private:
  std::uint32_t mostOnABank(const WarpAccess& access, LaneMask group) {
    std::uint32_t most = 0;
    eachBank(access, group, [&](std::uint32_t bank) { most = std::max(most, ++lanes_[bank]); });
    eachBank(access, group, [&](std::uint32_t bank) { lanes_[bank] = 0; });
    return most;
  }
  template <class Visit>
  static void eachBank(const WarpAccess& access, LaneMask lanes, Visit visit) {
    for (LaneMask m = lanes; m != 0; m &= m - 1) {
      for (unsigned k = 0; k < access.wordsPerLane; ++k)
        visit(access.bank[k][static_cast<unsigned>(__builtin_ctz(m))]);
    }
  }

  std::vector<std::uint32_t> lanes_;  ///< by bank: 0 between calls
};

}  // namespace fermata
