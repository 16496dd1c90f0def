#include <fermata/models/memory/l1_banks.h>

#include <algorithm>
#include <utility>

namespace fermata {

namespace {

/// Returns the data array of the L1's own, or the one that it shares with a scratchpad.
std::shared_ptr<DataArray> dataOf(const L1CacheParameters& p, std::uint32_t banks) {
  if (p.data == nullptr) {
    return std::make_shared<DataArray>(
        DataArray::Parameters{banks, 1, 1, p.conflictPolicy, p.policyValues});
  }
  if (p.data->banks() != banks)
    SC_REPORT_FATAL("fermata/l1",
                    "the indexer maps onto another number of banks than the array has");
  return p.data;
}

}  // namespace

L1Banks::L1Banks(const L1CacheParameters& parameters,
                 std::shared_ptr<const indexing::Indexer> indexer, const CacheArray& array,
                 const L1Tags& tags, const L1Events& events)
    : parameters_(parameters),
      indexer_(std::move(indexer)),
      array_(array),
      tags_(tags),
      events_(events),
      data_(dataOf(parameters, indexer_->shape().banks)),
      resolver_(data_->resolver(parameters.groups)),
      policy_(data_->policy()) {}

LaneMask L1Banks::pass(L1Try& t) {
  WarpAccess& access = *t.access;
  const Cycle lookups = tags_.cycles();
  const Cycle atData = t.arrival + parameters_.wayToData;
  t.known = t.arrival + parameters_.lookupLatency;
  t.data = atData + lookups - 1 + parameters_.latency;
  access.occupancy = std::max<Cycle>(lookups, parameters_.interval);
  if (tags_.lookups() != 0)
    events_.effort(EffortEvent::L1Lookup, access, tags_.lookups(), t.arrival);
  if (t.hit == 0) return 0;
  placeWords(t);
  const LaneMask asked = std::exchange(access.asked, t.hit);
  const LaneMask before = access.outcome.lanesLeft();
  resolver_.resolve(access);
  const ConflictPolicy::Served served = policy_.serve(access, resolver_, atData);
  access.firstPass = served.done - std::max(1U, access.passes);
  events_.banksTried(access);
  access.asked = asked;
  access.occupancy = std::max({access.occupancy, lookups, Cycle{parameters_.interval}});
  t.known = std::max(t.known, served.done);
  t.data = std::max(t.data, served.done - 1 + parameters_.latency + tags_.delay());
  if (access.passes > access.freePasses)
    events_.cached(CacheEvent::L1BankConflict, access, access.passes - access.freePasses);
  return access.outcome.lanesLeft() & ~before;
}

// Sets word, bank and row of the lanes that hit. A line that only an MSHR holds takes the place of
// the first frame of its set.
void L1Banks::placeWords(L1Try& t) {
  constexpr std::uint32_t wordBytes = 4;
  WarpAccess& access = *t.access;
  const std::uint32_t bytes = access.instruction.bytesPerLane;
  const std::uint32_t inLine = parameters_.shape.lineBytes - 1;
  access.banks = indexer_->shape().banks;
  access.wordsPerLane = bytes > wordBytes ? bytes / wordBytes : 1;
  WarpAccess::Lanes& first = access.word[0];
  first.fill(0);
  for (unsigned i = 0; i < t.lines.count; ++i) {
    if (t.frame[i] == CacheArray::kNone) continue;
    const CacheArray::Frame frame = t.frame[i] == L1Try::kInMshr
                                        ? array_.sets().of(t.lines.line[i]) * parameters_.shape.ways
                                        : t.frame[i];
    const std::uint32_t base = frame * (parameters_.shape.lineBytes / wordBytes);
    for (LaneMask m = t.lines.lanes[i]; m != 0; m &= m - 1) {
      const auto lane = static_cast<unsigned>(__builtin_ctz(m));
      first[lane] = base + (static_cast<std::uint32_t>(access.instruction.address[lane]) & inLine) /
                               wordBytes;
    }
  }
  for (unsigned k = 0; k < access.wordsPerLane; ++k) {
    if (k != 0) {
      for (unsigned lane = 0; lane < kWarpLanes; ++lane) access.word[k][lane] = first[lane] + k;
    }
    indexer_->locate(access.word[k], t.hit, access.bank[k], access.row[k]);
  }
}

}  // namespace fermata
