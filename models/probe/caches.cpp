#include <fermata/models/probe/caches.h>

#include <fermata/models/transaction/warp_access.h>

#include <numeric>

namespace fermata {

const Figures<CacheCounters::Counts>& CacheCounters::figures() {
  const auto of = [](CacheEvent::What what) {
    return [what](const Counts& counts) { return counts.of(what); };
  };
  static const Figures<Counts> all{
      {"l1_accesses", "lines", "lines of accesses looked up in the L1, each once an access",
       &Counts::l1Accesses},
      {"l1_hits", "lines", "of these: found", of(CacheEvent::L1Hit)},
      {"l1_misses", "lines", "of these: absent, or only on their way", of(CacheEvent::L1Miss)},
      {"l1_bank_conflict_cycles", "cycles",
       "cycles that loads held the banks of the L1 beyond those without a conflict",
       of(CacheEvent::L1BankConflict)},
      {"l1_set_conflicts", "lines",
       "lines that had come and were evicted before the access that had asked tried again",
       of(CacheEvent::L1SetConflict)},
      {"l2_accesses", "requests", "requests that reached the L2", &Counts::l2Accesses},
      {"l2_hits", "requests", "of these: found; writes: to a line that is there",
       of(CacheEvent::L2Hit)},
      {"dram_reads", "requests", "requests that read memory", of(CacheEvent::DramRead)},
      {"dram_writes", "requests", "requests that write memory", of(CacheEvent::DramWrite)},
      {"dram_row_hits", "requests", "of both: to a row that was open", of(CacheEvent::DramRowHit)}};
  return all;
}

const Figures<WireCounter::Counts>& WireCounter::figures() {
  static const Figures<Counts> all{
      {"crossbar_wire", "pitches",
       "word-wide wire that words switched in a crossbar laid out as one grid; empty where "
       "crossbar.wire is false",
       &Counts::pitches}};
  return all;
}

namespace {

/// The sum of bank + 1 of each lane.
std::uint32_t rowPitches(const WarpAccess::Lanes& bank, LaneMask lanes) {
  std::uint32_t sum = laneCount(lanes);
  if (lanes == kAllLanes) return std::accumulate(bank.begin(), bank.end(), sum);
  for (; lanes != 0; lanes &= lanes - 1) sum += bank[static_cast<unsigned>(__builtin_ctz(lanes))];
  return sum;
}

/// The sum of lane + 1 of each.
std::uint32_t columnPitches(LaneMask lanes) {
  if (lanes == kAllLanes) return kWarpLanes * (kWarpLanes + 1) / 2;
  std::uint32_t sum = laneCount(lanes);
  for (; lanes != 0; lanes &= lanes - 1) sum += static_cast<unsigned>(__builtin_ctz(lanes));
  return sum;
}

unsigned highest(LaneMask lanes) {
  return kWarpLanes - 1 - static_cast<unsigned>(__builtin_clz(lanes));
}

/// Words, of a warp at most, that have been seen.
class SeenWords {
 public:
  SeenWords() { places_.fill(kNone); }
  /// False: it has been there.
  bool add(std::uint32_t word) {
    unsigned place = word * 0x9e3779b1U >> 26;
    while (places_[place] != kNone && places_[place] != word) place = (place + 1) % kPlaces;
    if (places_[place] == word) return false;
    places_[place] = word;
    return true;
  }

 private:
  static constexpr unsigned kPlaces = 64;
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};  // a word is a byte address by its size
  std::array<std::uint32_t, kPlaces> places_;
};

/// The same, of each word, of the lane that is the farthest from the corner.
std::uint32_t columnPitchesOfWords(const WarpAccess::Lanes& word, LaneMask lanes) {
  SeenWords seen;
  std::uint32_t sum = 0;
  while (lanes != 0) {
    const unsigned lane = highest(lanes);
    lanes &= ~(LaneMask{1} << lane);
    if (seen.add(word[lane])) sum += lane + 1;
  }
  return sum;
}

/// `leaders`: all of them, where each takes its word by itself.
std::uint32_t columnPitches(const WarpAccess::Lanes& word, LaneMask lanes, LaneMask leaders) {
  return leaders == lanes ? columnPitches(lanes) : columnPitchesOfWords(word, lanes);
}

}  // namespace

std::uint64_t WireCounter::pitches(const WarpAccess& access) {
  if (access.passes == 0) return 0;  // squashed
  std::uint64_t sum = 0;
  const LaneMask left = access.outcome.lanesLeft();
  for (unsigned k = 0; k < access.wordsPerLane; ++k) {
    const LaneMask lanes = access.asked & ~(left & access.wordsLeft[k]);
    sum += rowPitches(access.bank[k], lanes);
    // Lanes of several groups may lead the same word.
    const LaneMask leaders = access.groups == 1 ? access.leaders[k] : 0;
    sum += columnPitches(access.word[k], lanes, leaders);
  }
  return sum;
}

void WireCounter::add(const WarpAccess& access) {
  const std::uint64_t switched = pitches(access);
  counts_.add(access.program, access.instruction.pc,
              [&](Counts& counts) { counts.pitches += switched; });
}

}  // namespace fermata
