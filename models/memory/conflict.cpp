#include <fermata/models/memory/conflict.h>

#include <fermata/models/memory/lane_scan.h>
#include <fermata/models/memory/pass_memo.h>

#include <algorithm>

namespace fermata {

namespace {

/// Returns the lowest of `lanes` on each word.
LaneMask leadersAmong(const WarpAccess::Lanes& word, LaneMask lanes) {
  LaneMask rest = lanes;
  std::uint64_t next = 0;  // least word that rises
  while (rest != 0 && word[static_cast<unsigned>(__builtin_ctz(rest))] >= next) {
    next = std::uint64_t{word[static_cast<unsigned>(__builtin_ctz(rest))]} + 1;
    rest &= rest - 1;
  }
  if (rest == 0) return lanes;
  LaneMask leaders = 0;
  for (rest = lanes; rest != 0;) {
    const auto lane = static_cast<unsigned>(__builtin_ctz(rest));
    leaders |= LaneMask{1} << lane;
    rest &= ~lane_scan::lanesOn(word, word[lane]);
  }
  return leaders;
}

}  // namespace

ConflictResolver::ConflictResolver(std::uint32_t banks, std::uint32_t ports,
                                   const LaneGrouping& groups, std::uint32_t rowWords)
    : banks_(banks),
      words_(banks),
      ports_(ports),
      rowShift_(static_cast<unsigned>(__builtin_ctz(rowWords))),
      groups_(groups),
      rules_(PassMemo::rules(banks, ports, groups)) {}

void ConflictResolver::resolve(WarpAccess& access) {
  if (rowShift_ != 0) placeRows(access);
  if (arbiter_ == nullptr) {
    if (access.goesOn()) return;
    if (rowShift_ == 0 && access.asked != 0) {
      PassMemo& memo = PassMemo::ofThread();
      if (memo.recall(access, rules_)) return;
      count(access);
      return memo.keep(access);
    }
  }
  count(access);
  if (arbiter_ != nullptr) arbiter_->resolved(access, groupsOf(access));
}

void ConflictResolver::count(WarpAccess& access) {
  access.leaders.fill(0);
  seen_ = 0;
  std::uint32_t passes = 0;
  std::uint32_t busy = 0;
  std::uint32_t degree = 0;
  access.groups = 0;
  const bool isPower = (access.wordsPerLane & (access.wordsPerLane - 1)) == 0;
  const bool follow = access.wordsPerLane > 1 && isPower && rowShift_ == 0 &&
                      lane_scan::follow(access.word, access.wordsPerLane, access.asked);
  for (const LaneMask group : groupsOf(access)) {
    const LaneMask lanes = access.asked & group;
    std::uint8_t& ofGroup = access.groupPasses[access.groups++];
    ofGroup = 0;
    if (lanes == 0) continue;
    const std::uint32_t own = groupDegree(access, lanes, follow);
    const std::uint32_t ownPasses = ports_ == 1 ? own : (own + ports_ - 1) / ports_;
    ofGroup = static_cast<std::uint8_t>(ownPasses);
    passes += ownPasses;
    degree = std::max(degree, own);
    ++busy;
  }
  const PassCount count =
      groups_.passes(access.instruction, access.issuedInstruction, access.groups, busy, passes);
  access.passes = count.all;
  access.freePasses = count.ideal;
  access.degree = degree;
  access.bankSet = busy == 1 && degree == 1 ? seen_ : 0;
}

void ConflictResolver::placeRows(const WarpAccess& access) {
  const auto banks = static_cast<std::uint32_t>(banks_.size());
  for (unsigned k = 0; k < access.wordsPerLane; ++k) {
    for (unsigned i = 0; i < kWarpLanes; ++i)
      places_[k][i] = (access.row[k][i] >> rowShift_) * banks + access.bank[k][i];
  }
}

// `follow`: lane_scan::follow() holds for the lanes that ask.
std::uint32_t ConflictResolver::groupDegree(WarpAccess& access, LaneMask lanes, bool follow) {
  if (follow) return countWords(access, lanes);
  if (access.wordsPerLane != 1) return countEachWord(access, lanes);
  const WarpAccess::Lanes& asked = wordOf(access, 0);
  if (lanes == kAllLanes) return wordEach(access.bank[0], asked, access.leaders[0]);
  if (laneCount(lanes) <= kFewLanes) return fewLanes(access, asked, lanes);
  // Lanes that do not ask get the word of the first lane that does: they merge and cost nothing.
  // One of them may lead that word, so the first lane is made its leader below.
  WarpAccess::Lanes bank;
  WarpAccess::Lanes word;
  LaneMask leaders = 0;
  const auto first = static_cast<unsigned>(__builtin_ctz(lanes));
  lane_scan::fillIn(access.bank[0], asked, lanes, first, bank, word);
  const std::uint32_t degree = wordEach(bank, word, leaders);
  access.leaders[0] |= (leaders & lanes) | LaneMask{1} << first;
  return degree;
}

// Counts a group of few lanes: compares each lane with the leaders before it.
std::uint32_t ConflictResolver::fewLanes(WarpAccess& access, const WarpAccess::Lanes& word,
                                         LaneMask lanes) {
  const WarpAccess::Lanes& bank = access.bank[0];
  std::array<unsigned, kFewLanes> leaders;
  unsigned count = 0;
  std::uint32_t degree = 0;
  seen_ = 0;
  for (; lanes != 0; lanes &= lanes - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctz(lanes));
    std::uint32_t words = 1;
    bool merges = false;
    for (unsigned l = 0; l < count; ++l) {
      words += bank[leaders[l]] == bank[lane] ? 1 : 0;
      merges |= word[leaders[l]] == word[lane];
    }
    if (merges) continue;
    leaders[count++] = lane;
    access.leaders[0] |= LaneMask{1} << lane;
    degree = std::max(degree, words);
    seen_ |= std::uint64_t{1} << bank[lane] % 64;
  }
  if (banks_.size() > 64) seen_ = 0;
  return degree;
}

// Counts a group in which all lanes ask: with as many words as banks there is no conflict.
std::uint32_t ConflictResolver::wordEach(const WarpAccess::Lanes& bank,
                                         const WarpAccess::Lanes& word, LaneMask& leaders) {
  const unsigned banks = seeBanks(bank);
  leaders = banks == kWarpLanes ? kAllLanes : leadersOf(word, banks);
  return laneCount(leaders) == banks ? 1 : mostOnABank(bank, leaders);
}

// Returns the lowest lane on each word. Tests the patterns of kernels first, because they are
// cheap: a broadcast of a few words, rows of a tile, strides. `banks`: the number of banks asked
// for; 0: not known.
LaneMask ConflictResolver::leadersOf(const WarpAccess::Lanes& word, unsigned banks) {
  if (banks > lane_scan::kFewWords) {
    if (lane_scan::repeats(word, banks)) return (LaneMask{1} << banks) - 1;
  } else if (const LaneMask leaders = lane_scan::leadersOfFew(word); leaders != 0) {
    return leaders;
  }
  return lane_scan::rises(word) ? kAllLanes : lane_scan::leadersOf(word);
}

std::uint32_t ConflictResolver::mostOnABank(const WarpAccess::Lanes& bank, LaneMask leaders) {
  std::uint32_t most = 0;
  if (leaders == kAllLanes) {
    for (const std::uint32_t b : bank) most = std::max(most, ++words_[b]);
  } else {
    for (LaneMask m = leaders; m != 0; m &= m - 1)
      most = std::max(most, ++words_[bank[static_cast<unsigned>(__builtin_ctz(m))]]);
  }
  for (const std::uint32_t b : bank) words_[b] = 0;
  return most;
}

// Returns the number of banks asked for; 0: there are too many banks for one mask.
unsigned ConflictResolver::seeBanks(const WarpAccess::Lanes& bank) {
  if (banks_.size() > 64) return 0;
  seen_ = banks_.size() <= 32 ? lane_scan::bankSet32(bank) : lane_scan::bankSet64(bank);
  return laneCount(static_cast<LaneMask>(seen_)) + laneCount(static_cast<LaneMask>(seen_ >> 32));
}

// Counts a group whose lanes ask for several words each and share all of them or none: the first
// words tell who leads.
std::uint32_t ConflictResolver::countWords(WarpAccess& access, LaneMask lanes) {
  const LaneMask leaders = leadersAmong(access.word[0], lanes);
  std::uint32_t most = 0;
  for (unsigned k = 0; k < access.wordsPerLane; ++k) {
    access.leaders[k] |= leaders;
    for (LaneMask m = leaders; m != 0; m &= m - 1)
      most = std::max(most, ++words_[access.bank[k][static_cast<unsigned>(__builtin_ctz(m))]]);
  }
  for (unsigned k = 0; k < access.wordsPerLane; ++k) {
    for (LaneMask m = leaders; m != 0; m &= m - 1)
      words_[access.bank[k][static_cast<unsigned>(__builtin_ctz(m))]] = 0;
  }
  return most;
}

// Counts a group whose lanes ask for several words each; lanes may share some of their words.
std::uint32_t ConflictResolver::countEachWord(WarpAccess& access, LaneMask lanes) {
  ++epoch_;
  entryCount_ = 0;
  std::uint32_t degree = 0;
  for (LaneMask m = lanes; m != 0; m &= m - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctz(m));
    for (unsigned k = 0; k < access.wordsPerLane; ++k) {
      const std::uint32_t bank = access.bank[k][lane];
      if (!addWord(bank, wordOf(access, k)[lane])) continue;
      access.leaders[k] |= LaneMask{1} << lane;
      degree = std::max(degree, banks_[bank].words);
    }
  }
  return degree;
}

// Returns true if the word is new to its bank in this group.
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
