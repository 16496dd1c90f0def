// GPCs of platforms: the text, the order of CTAs as an H100 showed it, clusters in a GPC, and links
// that the SMs of a GPC share.
#include <fermata/platforms/compose/gpc_text.h>
#include <fermata/stimuli/input_error.h>

#include <fstream>
#include <sstream>

#include "tests/support/checked_simulation.h"
#include "tests/support/says.h"
#include "tests/support/scripted_workload.h"

using namespace fermata;
using namespace fermata::platforms;
using namespace fermata::test;

namespace {

using Numbers = std::vector<unsigned>;

/// Returns the SMs of the CTAs of `threads` threads in results/silicon/cta_order.csv, by CTA.
Numbers measuredOrder(const std::string& threads) {
  std::ifstream file(FERMATA_SOURCE_DIR "/results/silicon/cta_order.csv");
  Numbers sms;
  for (std::string line; std::getline(file, line);) {
    std::istringstream cells(line);
    std::string machine, ofThreads, cta, sm;
    for (std::string* cell : {&machine, &ofThreads, &cta, &sm}) std::getline(cells, *cell, ',');
    if (ofThreads == threads) sms.push_back(static_cast<unsigned>(std::stoul(sm)));
  }
  return sms;
}

/// Records the SM of each CTA.
struct Placed : ScriptedWorkload {
  Placed(unsigned ctas, unsigned threads, unsigned slotsOfSm = 64)
      : ScriptedWorkload(ctas, threads), slots(slotsOfSm) {
    add(InstructionClass::Integer, {1});
    repeat = 400;  // so that the chip is full before the first CTA ends
  }
  void startCta(std::uint64_t cta, unsigned first) override {
    sms.push_back(first / slots);
    ScriptedWorkload::startCta(cta, first);
  }
  unsigned slots;
  Numbers sms;
};

Gpcs gpcs(const Sets& sets) {
  return gpcsOf(platform("h100", sets).parameters());
}

void checkAre(const Numbers& found, const Numbers& wanted) {
  BOOST_TEST(found == wanted, boost::test_tools::per_element());
}

}  // namespace

BOOST_AUTO_TEST_SUITE(gpcs_of_platforms)

// Two CTAs of 1024 threads fit on an SM: the first 264 of the file came before any left.
BOOST_AUTO_TEST_CASE(ctas_come_to_sms_as_on_an_h100) {
  Numbers wanted = measuredOrder("1024");
  BOOST_REQUIRE(wanted.size() == 528U);
  wanted.resize(264);
  Placed workload(264, 1024);
  CheckedSimulation simulation(platform("h100"));
  simulation.run(workload);
  checkAre(workload.sms, wanted);
}

// The first 692 CTAs of 256 threads, when the lone TPCs get their last place. The machine began
// with GPC 5, where a grid before it had ended.
BOOST_AUTO_TEST_CASE(turns_of_small_ctas_are_as_on_an_h100) {
  Numbers wanted = measuredOrder("256");
  BOOST_REQUIRE(wanted.size() == 1320U);
  wanted.resize(700);
  const Gpcs chip = gpcs({});
  GpcTurns turns(chip);
  Numbers found;
  while (found.size() < wanted.size()) {
    const std::vector<unsigned>& turn = turns.next();
    const auto number = static_cast<std::size_t>(&turn - chip.turns().data());
    const Numbers& sms = number == 8 ? turn : chip.turns()[(number + 5) % 8];
    found.insert(found.end(), sms.begin(), sms.end());
  }
  found.resize(wanted.size());
  checkAre(found, wanted);
}

BOOST_AUTO_TEST_CASE(a_part_of_a_chip_lies_in_the_largest_gpcs) {
  BOOST_TEST(gpcs({"chip.sms=1"}).none());
  const Gpcs few = gpcs({"chip.sms=16"});
  BOOST_TEST(few.turns().size() == 1U);
  BOOST_TEST(few.largest() == 16U);
  checkAre(few.partOf(), Numbers(16, 0));
  const Gpcs more = gpcs({"chip.sms=40"});
  checkAre(
      {more.turns()[0].size() == 18, more.turns()[1].size() == 18, more.turns()[2].size() == 4},
      {1, 1, 1});
  BOOST_TEST(gpcs({"chip.sms=131"}).turns().back().size() == 7U);
}

// 66 SMs are near each half of the L2.
BOOST_AUTO_TEST_CASE(gpcs_lie_near_a_half_of_the_l2) {
  const Gpcs chip = gpcs({});
  BOOST_REQUIRE(chip.partOf().size() == 132U);
  BOOST_TEST(std::count(chip.partOf().begin(), chip.partOf().end(), 1U) == 66);
  for (const unsigned sm : {0U, 124U, 12U}) BOOST_TEST(chip.partOf()[sm] == 0U);
  for (const unsigned sm : {6U, 22U, 123U}) BOOST_TEST(chip.partOf()[sm] == 1U);
}

BOOST_AUTO_TEST_CASE(an_h100_holds_so_many_clusters) {
  const Gpcs chip = gpcs({});
  checkAre({static_cast<unsigned>(chip.clusters(2).size()),
            static_cast<unsigned>(chip.clusters(4).size()),
            static_cast<unsigned>(chip.clusters(8).size()),
            static_cast<unsigned>(chip.clusters(16).size())},
           {66, 30, 15, 7});
}

namespace {

struct Wrong : Named {
  Sets sets;
  const char* says;
};
const Wrong kWrong[] = {
    {"no number", {"chip.gpcs=16 x"}, "'x' is no GPC; expected SMs, 1 to 256"},
    {"none", {"chip.gpcs=0 132"}, "'0' is no GPC"},
    {"half a lone TPC", {"chip.gpcs=129+3"}, "'129+3' is no GPC"},
    {"no lone TPC", {"chip.gpcs=132+0"}, "'132+0' is no GPC"},
    {"too many", {"chip.gpcs=300"}, "'300' is no GPC"},
    {"no partition", {"chip.gpcs=132:"}, "'132:' is no GPC"},
    {"another partition",
     {"chip.gpcs=130 2:2"},
     "partition 2 of the L2 in '2:2', l2.partitions = 2; expected a lower number"},
    {"another sum",
     {"chip.gpcs=100 30"},
     "chip.gpcs = \"100 30\" has 130 SMs, chip.of = 132; expected as many"},
    {"too few",
     {"chip.gpcs=4 4", "chip.of=0", "chip.sms=9"},
     "has 8 SMs, chip.sms = 9; expected as many or more"}};

}  // namespace

BOOST_DATA_TEST_CASE(what_is_wrong_is_refused, bdata::make(kWrong), wrong) {
  BOOST_CHECK_EXCEPTION(platform("h100", wrong.sets), InputError, says(wrong.says));
}

// GPCs of 2 and 4 SMs, four CTAs in flight on each.
BOOST_AUTO_TEST_CASE(ctas_go_to_gpcs_in_turn) {
  Placed workload(9, 512, 48);
  CheckedSimulation simulation(
      platform("fermi-chip", {"chip.sms=6", "chip.gpcs=2 4", "limits.ctas=2"}));
  simulation.run(workload);
  checkAre(workload.sms, {0, 1, 2, 3, 4, 5, 0, 1, 2});
}

// SMs 0, 1, 4, 5, 8 and 9 are one GPC, which has room for one cluster of 4.
BOOST_AUTO_TEST_CASE(clusters_lie_in_one_gpc) {
  Placed workload(8, 1024);
  workload.grid.clusterCtas = 4;
  CheckedSimulation simulation(platform("h100", {"chip.sms=12", "chip.of=0", "chip.gpcs=6 6"}));
  simulation.run(workload);
  checkAre(workload.sms, {0, 1, 4, 5, 2, 3, 6, 7});
  Placed large(8, 1024);
  large.grid.clusterCtas = 8;
  BOOST_CHECK_EXCEPTION(simulation.run(large), BadInput,
                        says("a cluster of 8 CTAs does not fit into a GPC: the largest has 6 SMs "
                             "(chip.gpcs); expected smaller clusters, or larger GPCs"));
}

namespace {

/// Stores of 128 bytes per warp, 200 by each of 32 warps of each SM.
Cycle cyclesOfStores(const Sets& sets) {
  ScriptedWorkload workload(4, 1024);
  workload.repeat = 200;
  workload.addMemory(MemorySpace::Global, MemoryOperation::Store, 4,
                     [](auto cta, auto warp, unsigned lane, unsigned again) -> std::uint64_t {
                       return 0x10000000 + 128 * ((cta * 32 + warp) * 256 + again) + 4 * lane;
                     },
                     {}, {1});
  CheckedSimulation simulation(platform("h100", sets));
  return simulation.run(workload).cycles;
}

}  // namespace

// 6400 messages of 136 bytes per SM. Alone each takes 4 cycles of its SM's link of 40 bytes per
// cycle; two SMs share a link of 34.
BOOST_DATA_TEST_CASE(sms_of_a_gpc_share_a_link,
                     bdata::make({"chip.epoch=0", "chip.epoch=40"}) *
                         bdata::make({"interconnect.gpc_request_bytes_per_cycle=0",
                                      "interconnect.gpc_request_bytes_per_cycle=34"}),
                     epoch, link) {
  const bool shared = std::string(link).back() == '4';
  const double cycles = static_cast<double>(
      cyclesOfStores({"chip.sms=4", "chip.of=0", "chip.gpcs=2 2", epoch, link}));
  BOOST_TEST(cycles == 6400.0 * (shared ? 8 : 4), boost::test_tools::tolerance(0.03));
}

// Half of the stores go to the far half of the L2, 5000 cycles away. The launch ends with the last
// answer: l2.write_latency is that of either half.
BOOST_DATA_TEST_CASE(writes_are_answered_by_the_near_half,
                     bdata::make({"chip.epoch=0", "chip.epoch=40"}) *
                         bdata::make({"l2.write_latency=0", "l2.write_latency=49"}),
                     epoch, latency) {
  const bool far = std::string(latency).back() == '0';
  const double cycles =
      static_cast<double>(cyclesOfStores({"chip.sms=4", "chip.of=0", "chip.gpcs=2 2:1",
                                          "interconnect.far_latency=5000", epoch, latency}));
  BOOST_TEST(cycles == 6400.0 * 4 + (far ? 10000 : 0), boost::test_tools::tolerance(0.03));
}

BOOST_AUTO_TEST_SUITE_END()
