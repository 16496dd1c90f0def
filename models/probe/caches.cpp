#include <fermata/models/probe/caches.h>

#include <fermata/models/probe/wire_pitches.h>
#include <fermata/models/transaction/warp_access.h>

namespace fermata {

namespace {

auto of(CacheEvent::What what) {
  return [what](const CacheCounters::Counts& counts) { return counts.of(what); };
}

}  // namespace

const Figures<CacheCounters::Counts>& CacheCounters::l1Figures() {
  static const Figures<Counts> all{
      {"l1_accesses", "lines", "lines of accesses looked up in the L1, each once per access",
       &Counts::l1Accesses},
      {"l1_hits", "lines", "lines among l1_accesses that were present", of(CacheEvent::L1Hit)},
      {"l1_misses", "lines", "lines among l1_accesses that were absent, or still on their way",
       of(CacheEvent::L1Miss)},
      {"l1_bank_conflict_cycles", "cycles",
       "conflict cycles of loads at the L1's banks: passes beyond the ideal ones",
       of(CacheEvent::L1BankConflict)},
      {"l1_set_conflicts", "lines",
       "lines that came to the L1 and were evicted before the access that had asked for them tried "
       "again",
       of(CacheEvent::L1SetConflict)}};
  return all;
}

const Figures<CacheCounters::Counts>& CacheCounters::l2Figures() {
  static const Figures<Counts> all{
      {"l2_accesses", "requests", "requests that reached the L2", &Counts::l2Accesses},
      {"l2_hits", "requests",
       "requests among l2_accesses that found their data present; a write hits if its line is "
       "present",
       of(CacheEvent::L2Hit)}};
  return all;
}

const Figures<CacheCounters::Counts>& CacheCounters::dramFigures() {
  static const Figures<Counts> all{
      {"dram_reads", "requests", "requests that read the DRAM, or the memory in its place",
       of(CacheEvent::DramRead)},
      {"dram_writes", "requests", "requests that write the DRAM, or the memory in its place",
       of(CacheEvent::DramWrite)},
      {"dram_row_hits", "requests", "DRAM reads and writes to an open row",
       of(CacheEvent::DramRowHit)}};
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

std::uint64_t WireCounter::pitches(const WarpAccess& access) {
  if (access.passes == 0) return 0;  // squashed
  const LaneMask left = access.outcome.lanesLeft();
  if (left != 0 || access.wire == nullptr) return pitches(access, left);
  if (*access.wire == 0) *access.wire = static_cast<std::uint32_t>(pitches(access, 0));
  return *access.wire;
}

// Returns the pitches of the words that are not among those that `left` were refused.
std::uint64_t WireCounter::pitches(const WarpAccess& access, LaneMask left) {
  std::uint64_t sum = 0;
  for (unsigned k = 0; k < access.wordsPerLane; ++k) {
    const LaneMask lanes = access.asked & ~(left & access.wordsLeft[k]);
    // Lanes of different lane groups may lead the same word, so leaders serve only with one group.
    const LaneMask leaders = access.groups == 1 ? access.leaders[k] : 0;
    sum += wirePitches(access.word[k], access.bank[k], lanes, leaders);
  }
  return sum;
}

void WireCounter::count(const WarpAccess& access) {
  const std::uint64_t switched = pitches(access);
  counts_.add(access.program, access.instruction.pc,
              [&](Counts& counts) { counts.pitches += switched; });
}

}  // namespace fermata
