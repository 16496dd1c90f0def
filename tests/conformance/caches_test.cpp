// The caches and the interconnect keep the protocols with buffers of any size.
#include <fermata/models/indexing/families.h>
#include <fermata/models/memory/interconnect.h>
#include <fermata/models/memory/l1_cache.h>
#include <fermata/models/memory/l2_cache.h>
#include <fermata/models/memory/line_merge.h>

#include "tests/conformance/support.h"

using namespace fermata;
using namespace fermata::conformance;
using test::checkConforms;

namespace {

const Clock kClock(sc_core::sc_time(1, sc_core::SC_NS));

/// Options of a module with state: it need not pass a request on, and equal accesses may take other
/// times when repeated.
Options cached(unsigned seed) {
  Options options = test::seeded(seed, 64);
  options.space = MemorySpace::Global;
  options.passesAll = false;
  options.repeats = false;
  return options;
}

L1Cache::Parameters small(Divergence divergence, Allocation allocation, unsigned mshrs,
                          WritePolicy policy) {
  L1Cache::Parameters p;
  p.shape = {2048, 128, 2};
  p.divergence = divergence;
  p.allocation = allocation;
  p.mshrs = mshrs;
  p.writePolicy = policy;
  if (policy != WritePolicy::Evict) p.fetch = Fetch::Sectors;
  p.queue = 1;
  if (divergence == Divergence::Replay) p.conflictPolicy = "replay";
  return p;
}

L2Cache::Parameters smallL2(WritePolicy policy, unsigned mshrs) {
  L2Cache::Parameters p;
  p.shape = {2048, 128, 2};
  p.writePolicy = policy;
  p.mshrs = mshrs;
  return p;
}
void l2Conforms(const L2Cache::Parameters& p, unsigned seed) {
  test::conforms<L2Cache>(checkLineStage, cached(seed), kClock, p, SetIndex(p.shape, ""), nullptr);
}

struct Mode {
  Divergence divergence;
  Allocation allocation;
  unsigned mshrs;
};
std::ostream& operator<<(std::ostream& out, const Mode& mode) {
  return out << choiceName(mode.divergence) << ' ' << choiceName(mode.allocation) << ' '
             << mode.mshrs;
}
const Mode kModes[] = {{Divergence::Wait, Allocation::Miss, 1},
                       {Divergence::Wait, Allocation::Fill, 4},
                       {Divergence::Replay, Allocation::Miss, 4},
                       {Divergence::Replay, Allocation::Fill, 1},
                       {Divergence::Replay, Allocation::Fill, 8}};

/// Evict: with whole lines. The others: with sectors.
const WritePolicy kPolicies[] = {WritePolicy::Evict, WritePolicy::Through, WritePolicy::Allocate};

}  // namespace

BOOST_AUTO_TEST_SUITE(caches)

BOOST_DATA_TEST_CASE(l1, bdata::make(kModes) * bdata::make({1U, 2U}) * bdata::xrange(3), mode, seed,
                     policy) {
  Options options = cached(seed);
  options.sameTimes = mode.divergence == Divergence::Wait;
  L1Cache::Parameters p = small(mode.divergence, mode.allocation, mode.mshrs, kPolicies[policy]);
  if (seed == 2) {
    p.tagArrays = 2;
    p.tagBanks = indexing::build("mod 2", {2, 1U << 25});
  }
  const std::shared_ptr<const indexing::Indexer> banks = indexing::build("ami 33", {33, 512});
  test::conforms<L1Cache>(checkCoalescer, options, kClock, p, SetIndex(p.shape, "ami 7"), banks,
                          nullptr);
}

BOOST_DATA_TEST_CASE(l2, bdata::make({1U, 2U}) * bdata::make({1U, 4U}), seed, mshrs) {
  L2Cache::Parameters p = smallL2(WritePolicy::Back, mshrs);
  p.input = mshrs;
  p.queue = 1;
  p.latency = 10;
  l2Conforms(p, seed);
}

BOOST_DATA_TEST_CASE(l2_written_through, bdata::make({1U, 2U}), seed) {
  l2Conforms(smallL2(WritePolicy::Through, 2), seed);
}

BOOST_DATA_TEST_CASE(l2_in_four_phases, bdata::make({1U, 2U}) * bdata::make({false, true}), seed,
                     through) {
  L2Cache::Parameters p = smallL2(through ? WritePolicy::Through : WritePolicy::Back, 2);
  p.fourPhase = true;
  p.wholeSectors = true;
  l2Conforms(p, seed);
}

BOOST_DATA_TEST_CASE(interconnect, bdata::make({1U, 2U}) * bdata::make({1U, 8U}), seed, queue) {
  struct Net {
    explicit Net(const char* name, unsigned length)
        : module(name, kClock, Interconnect::Parameters{5, 32, length}),
          in(module.in()),
          out(module.out()) {}
    Interconnect module;
    LineTargetSocket& in;
    LineInitiatorSocket& out;
  };
  Options options;
  options.seed = seed;
  checkConforms(checkLineStage(
      [&](const char* name) {
        auto net = std::make_shared<Net>(name, queue);
        return Stage<Line, Line>{net, net->in, net->out};
      },
      options));
}

// One port and three slices, merged again behind them.
BOOST_DATA_TEST_CASE(slices, bdata::make({1U, 2U}) * bdata::make({1U, 8U}) * bdata::make({0U, 16U}),
                     seed, queue, sliceBytes) {
  struct Net {
    Net(const char* name, unsigned length, unsigned bytes)
        : net((std::string(name) + "_net").c_str(), kClock,
              Interconnect::Parameters{5, 32, length, bytes, 2, 3}, 1, SliceMap(3, 128, "ami 3")),
          merge((std::string(name) + "_merge").c_str(), 3),
          in(net.in()),
          out(merge.out) {
      for (unsigned i = 0; i < 3; ++i) net.out(i).bind(merge.in(i));
    }
    Interconnect net;
    LineMerge merge;
    LineTargetSocket& in;
    LineInitiatorSocket& out;
  };
  Options options;
  options.seed = seed;
  checkConforms(checkLineStage(
      [&](const char* name) {
        auto net = std::make_shared<Net>(name, queue, sliceBytes);
        return Stage<Line, Line>{net, net->in, net->out};
      },
      options));
}

BOOST_AUTO_TEST_SUITE_END()
