// The data arrays of an L1: the places of words, and the lanes that win a bank.
#include <fermata/models/memory/l1_cache.h>

#include <algorithm>
#include <utility>

namespace fermata {

/// Passes the lanes that hit through the banks. Returns the lanes that lose their bank.
LaneMask L1Cache::passBanks(Job& job) {
  WarpAccess& access = *job.access;
  const Cycle lookups = (job.lookups + parameters_.tagArrays - 1) / parameters_.tagArrays;
  job.known = job.arrival + parameters_.lookupLatency;
  job.data = job.arrival + std::max<Cycle>(1, lookups) - 1 + parameters_.latency;
  access.occupancy = std::max<Cycle>(1, lookups);
  if (job.lookups != 0) effort(EffortEvent::L1Lookup, access, job.lookups, job.arrival);
  if (job.hit == 0) return 0;
  placeWords(job);
  const LaneMask asked = std::exchange(access.asked, job.hit);
  const LaneMask before = access.outcome.lanesLeft();
  resolver_.resolve(access);
  const ConflictPolicy::Served served = policy_->serve(access, resolver_, job.arrival);
  access.firstPass = served.done - std::max(1U, access.passes);
  if (probe_ != nullptr) probe_->l1Try(access);
  access.asked = asked;
  access.occupancy = std::max(access.occupancy, lookups);
  job.known = std::max(job.known, served.done);
  job.data = std::max(job.data, served.done - 1 + parameters_.latency);
  if (access.passes > access.freePasses)
    report(CacheEvent::L1BankConflict, access, access.passes - access.freePasses);
  return access.outcome.lanesLeft() & ~before;
}

// Sets word, bank and row of the lanes that hit: words lie side by side from their line's frame on.
// A line that only an MSHR keeps takes the place of the first frame of its set.
void L1Cache::placeWords(Job& job) {
  WarpAccess& access = *job.access;
  const std::uint32_t bytes = access.instruction.bytesPerLane;
  const std::uint32_t inLine = parameters_.shape.lineBytes - 1;
  access.banks = banks_->shape().banks;
  access.wordsPerLane = bytes > kWordBytes ? bytes / kWordBytes : 1;
  WarpAccess::Lanes& first = access.word[0];
  first.fill(0);
  for (unsigned i = 0; i < job.lines.count; ++i) {
    if (frame_[i] == CacheArray::kNone) continue;
    const CacheArray::Frame frame =
        frame_[i] == kKept ? array_.sets().of(job.lines.line[i]) * parameters_.shape.ways
                           : frame_[i];
    const std::uint32_t base = frame * (parameters_.shape.lineBytes / kWordBytes);
    for (LaneMask m = job.lines.lanes[i]; m != 0; m &= m - 1) {
      const auto lane = static_cast<unsigned>(__builtin_ctz(m));
      first[lane] = base + (static_cast<std::uint32_t>(access.instruction.address[lane]) & inLine) /
                               kWordBytes;
    }
  }
  for (unsigned k = 0; k < access.wordsPerLane; ++k) {
    if (k != 0) {
      for (unsigned lane = 0; lane < kWarpLanes; ++lane) access.word[k][lane] = first[lane] + k;
    }
    banks_->locate(access.word[k], job.hit, access.bank[k], access.row[k]);
  }
}

}  // namespace fermata
