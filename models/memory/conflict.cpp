#include <fermata/models/memory/conflict.h>

#include <algorithm>

namespace fermata {

ConflictResolver::ConflictResolver(std::uint32_t banks, std::uint32_t ports, WideAccess wide,
                                   unsigned lanes)
    : banks_(banks),
      ports_(ports),
      groups_{laneGroups(lanes, 1, wide), laneGroups(lanes, 2, wide), laneGroups(lanes, 4, wide)} {}

void ConflictResolver::resolve(WarpAccess& access) {
  access.leaders.fill(0);
  const LaneGroups groups = groups_[access.wordsPerLane >> 1];
  std::uint32_t passes = 0;
  std::uint32_t busy = 0;
  std::uint32_t degree = 0;
  for (unsigned g = 0; g < groups.count; ++g) {
    const LaneMask lanes = access.instruction.active & groups.mask(g);
    if (lanes == 0) continue;
    const std::uint32_t own = groupDegree(access, lanes);
    passes += ports_ == 1 ? own : (own + ports_ - 1) / ports_;
    degree = std::max(degree, own);
    ++busy;
  }
  access.passes = passes;
  access.groups = busy;
  access.degree = degree;
}

// The common case costs one mask: all lanes in banks of their own.
bool ConflictResolver::banksDiffer(const WarpAccess& access, LaneMask lanes) const {
  if (access.wordsPerLane != 1 || banks_.size() > 64) return false;
  std::uint64_t seen = 0;
  const WarpAccess::Lanes& bank = access.bank[0];
  if (lanes == kAllLanes) {
    for (unsigned i = 0; i < kWarpLanes; ++i) seen |= std::uint64_t{1} << bank[i];
  } else {
    for (LaneMask m = lanes; m != 0; m &= m - 1) seen |= std::uint64_t{1} << bank[__builtin_ctz(m)];
  }
  return __builtin_popcountll(seen) == __builtin_popcount(lanes);
}

std::uint32_t ConflictResolver::groupDegree(WarpAccess& access, LaneMask lanes) {
  if (banksDiffer(access, lanes)) {
    access.leaders[0] |= lanes;
    return 1;
  }
  ++epoch_;
  entryCount_ = 0;
  std::uint32_t degree = 0;
  for (LaneMask m = lanes; m != 0; m &= m - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctz(m));
    for (unsigned k = 0; k < access.wordsPerLane; ++k) {
      const std::uint32_t bank = access.bank[k][lane];
      if (!addWord(bank, access.word[k][lane])) continue;
      access.leaders[k] |= LaneMask{1} << lane;
      degree = std::max(degree, banks_[bank].words);
    }
  }
  return degree;
}

// True when the word is new to its bank in this group.
bool ConflictResolver::addWord(std::uint32_t bankNumber, std::uint32_t word) {
  Bank& bank = banks_[bankNumber];
  if (bank.epoch != epoch_) {
    bank = {epoch_, 0, word, 0};
  } else if (word <= bank.largest) {
    for (std::uint32_t e = bank.chain; e != 0; e = entries_[e].next) {
      if (entries_[e].word == word) return false;
    }
  } else {
    bank.largest = word;
  }
  ++bank.words;
  entries_[++entryCount_] = {word, bank.chain};
  bank.chain = entryCount_;
  return true;
}

}  // namespace fermata
