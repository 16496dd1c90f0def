// Position of the CTAs' windows relative to the banks: mappings under which conflicts are those of
// a CTA alone.
#include <fermata/models/indexing/bank_load.h>
#include <fermata/platforms/compose/chip.h>
#include "tests/platforms/timing.h"

using namespace fermata;
using namespace fermata::test;

namespace {

/// Compares each access with the same access in a window that starts at word 0.
class Compare : public Probe {
 public:
  explicit Compare(const indexing::Indexer& indexer) : indexer_(indexer) {}

  void sharedAccess(const WarpAccess& access) override {
    std::array<std::uint32_t, kWarpLanes> word{};
    for (unsigned lane = 0; lane < kWarpLanes; ++lane)
      word[lane] = static_cast<std::uint32_t>(access.instruction.address[lane] / 4);
    ++accesses;
    const unsigned alone = indexing::conflictDegree(indexer_, word, access.instruction.active);
    if (alone != access.passes) ++different;
    starts.insert(access.windowBase);
  }

  std::uint64_t accesses = 0;
  std::uint64_t different = 0;
  std::set<std::uint32_t> starts;

 private:
  const indexing::Indexer& indexer_;
};

/// Makes eight CTAs of one warp that read strided and random words of their window.
ScriptedWorkload accesses(std::uint32_t windowWords) {
  ScriptedWorkload workload(8, 32);
  workload.grid.sharedBytesPerCta = 4 * windowWords;
  for (unsigned i = 0; i < 60; ++i) {
    workload.addMemory(MemorySpace::Shared, MemoryOperation::Load, 4,
                       [=](std::uint64_t, unsigned, unsigned lane, unsigned) -> std::uint64_t {
                         if (i < 40) return 4 * (lane * (i + 1) % windowWords);
                         std::mt19937 random(i * kWarpLanes + lane);
                         return 4 * (random() % windowWords);
                       },
                       {1});
  }
  return workload;
}

struct Case {
  const char* mapping;
  std::uint32_t windowWords;
  std::uint32_t stride;  ///< words between windows
  bool alike;            ///< true: conflicts are those of a CTA alone
};
std::ostream& operator<<(std::ostream& out, const Case& c) {
  return out << c.mapping << " with windows of " << c.windowWords << " words";
}

// 12288 words hold 8 windows of 1000 (1024 in whole units) to 1536 words. 1024 is a power of two;
// for 1152 the next one is 2048, too large for eight windows.
const Case kCases[] = {
    {"mod 32", 1000, 1024, true},
    {"mod 32", 1152, 1152, true},
    {"ami 33", 1152, 1152, true},
    {"seznec 6", 1152, 1152, true},
    {"xor k1=0 k2=5 mask=31", 600, 1024, true},
    {"xor k1=0 k2=5 mask=31", 1000, 1024, true},
    {"xor k1=0 k2=5 mask=31", 1152, 1152, false},
    {"xor k1=2 k2=8 mask=31", 700, 1024, true},
    {"perm k=5", 600, 1024, true},
    {"perm k=5", 1152, 1152, true},  // starts are multiples of 32 words: the banks only rotate
    {"add", 1152, 1152, true},
    {"fixed-xor", 640, 1024, true},
    {"fixed-xor", 1280, 1280, false},
    {"pairs 3,4,0^5,1^6,2^9", 900, 1024, true},
    {"matrix 0x421,0x842,0x1084,0x2108,0x210", 900, 1024, true},
};

}  // namespace

BOOST_AUTO_TEST_SUITE(windows)

BOOST_DATA_TEST_CASE(see_the_conflicts_of_a_cta_alone_when_aligned, bdata::make(kCases), c) {
  const auto configuration = gtx480({std::string("scratchpad.indexer=") + c.mapping});
  CheckedSimulation simulation(configuration);
  Compare compare(simulation.simulation.sm().indexer());
  simulation.simulation.addProbe(compare);
  ScriptedWorkload workload = accesses(c.windowWords);
  simulation.run(workload);
  BOOST_TEST(compare.accesses == 8U * 60);
  std::set<std::uint32_t> expected;
  for (std::uint32_t i = 0; i < 8; ++i) expected.insert(4 * c.stride * i);
  BOOST_TEST(compare.starts == expected, tt::per_element());
  BOOST_TEST((compare.different == 0) == c.alike);
}

BOOST_AUTO_TEST_SUITE_END()
