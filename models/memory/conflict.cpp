#include <fermata/models/memory/conflict.h>

#include <fermata/models/memory/lane_scan.h>

#include <algorithm>

namespace fermata {

namespace {

constexpr unsigned kFew = 4;  ///< words of a broadcast

}  // namespace

ConflictResolver::ConflictResolver(std::uint32_t banks, std::uint32_t ports, WideAccess wide,
                                   unsigned lanes)
    : banks_(banks),
      owner_(banks),
      lanesOn_(banks),
      ports_(ports),
      groups_{laneGroups(lanes, 1, wide), laneGroups(lanes, 2, wide), laneGroups(lanes, 4, wide)} {}

void ConflictResolver::resolve(WarpAccess& access) {
  access.leaders.fill(0);
  seen_ = 0;
  const LaneGroups groups = groups_[access.wordsPerLane >> 1];
  std::uint32_t passes = 0;
  std::uint32_t busy = 0;
  std::uint32_t degree = 0;
  for (unsigned g = 0; g < groups.count; ++g) {
    const LaneMask lanes = access.asked & groups.mask(g);
    if (lanes == 0) continue;
    const std::uint32_t own = groupDegree(access, lanes);
    passes += ports_ == 1 ? own : (own + ports_ - 1) / ports_;
    degree = std::max(degree, own);
    ++busy;
  }
  access.passes = passes;
  access.groups = busy;
  access.degree = degree;
  access.bankSet = busy == 1 && degree == 1 ? seen_ : 0;
}

// The lanes that lead when no bank is asked for two words, the lowest on each word; 0: some bank
// is. Lanes that do not ask join the first one that does: its word then merges, and it leads.
LaneMask ConflictResolver::leadersWithoutConflict(const WarpAccess& access, LaneMask lanes) {
  if (lanes == kAllLanes) return leadersOfAll(access.bank[0], access.word[0]);
  WarpAccess::Lanes bank;
  WarpAccess::Lanes word;
  const auto first = static_cast<unsigned>(__builtin_ctz(lanes));
  lane_scan::fillIn(access.bank[0], access.word[0], lanes, first, bank, word);
  const LaneMask leaders = leadersOfAll(bank, word);
  return leaders == 0 ? 0 : (leaders & lanes) | LaneMask{1} << first;
}

LaneMask ConflictResolver::leadersOfAll(const WarpAccess::Lanes& bank,
                                        const WarpAccess::Lanes& word) {
  const unsigned banks = seeBanks(bank);
  if (banks == kWarpLanes) return kAllLanes;
  if (banks <= kFew) {
    if (const LaneMask leaders = fewWords(bank, word); leaders != 0) return leaders;
  } else if (lane_scan::repeats(word, banks)) {
    return (LaneMask{1} << banks) - 1;  // as many words as banks: each in one of its own
  }
  if (banks != 0 && lane_scan::rises(word)) return 0;  // more words than banks
  for (unsigned i = kWarpLanes; i-- > 0;) owner_[bank[i]] = i;
  return lane_scan::leadersOf(bank, word, owner_.data());
}

// How many banks are asked for; 0 where there are too many to see them in one mask.
unsigned ConflictResolver::seeBanks(const WarpAccess::Lanes& bank) {
  if (banks_.size() > 64) return 0;
  seen_ = banks_.size() <= 32 ? lane_scan::bankSet32(bank) : lane_scan::bankSet64(bank);
  return laneCount(static_cast<LaneMask>(seen_)) + laneCount(static_cast<LaneMask>(seen_ >> 32));
}

// Broadcasts: a few words for the whole warp, each in a bank of its own; 0: it is not so.
LaneMask ConflictResolver::fewWords(const WarpAccess::Lanes& bank, const WarpAccess::Lanes& word) {
  std::array<std::uint32_t, kFew> banks{};
  LaneMask leaders = 0;
  LaneMask rest = kAllLanes;
  for (unsigned n = 0; n < kFew; ++n) {
    const auto lane = static_cast<unsigned>(__builtin_ctz(rest));
    banks[n] = bank[lane];
    for (unsigned k = 0; k < n; ++k) {
      if (banks[k] == banks[n]) return 0;
    }
    leaders |= LaneMask{1} << lane;
    rest &= ~lane_scan::lanesOn(word, word[lane]);
    if (rest == 0) return leaders;
  }
  return 0;
}

std::uint32_t ConflictResolver::groupDegree(WarpAccess& access, LaneMask lanes) {
  if (access.wordsPerLane == 1) {
    if (const LaneMask leaders = leadersWithoutConflict(access, lanes); leaders != 0) {
      access.leaders[0] |= leaders;
      return 1;
    }
  }
  return countWords(access, lanes);
}

// No lane shares its word with another: how many there are on a bank is all.
std::uint32_t ConflictResolver::distinctDegree(WarpAccess& access) {
  access.leaders[0] = kAllLanes;
  const WarpAccess::Lanes& bank = access.bank[0];
  std::uint32_t degree = 0;
  for (const std::uint32_t b : bank) degree = std::max(degree, ++lanesOn_[b]);
  for (const std::uint32_t b : bank) lanesOn_[b] = 0;
  return degree;
}

std::uint32_t ConflictResolver::countWords(WarpAccess& access, LaneMask lanes) {
  if (access.wordsPerLane == 1 && lanes == kAllLanes && lane_scan::rises(access.word[0]))
    return distinctDegree(access);
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
