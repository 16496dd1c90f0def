// The memory that a part of a chip's SMs has: its share of capacity and throughput.
#include <fermata/platforms/compose/chip_share.h>
#include <fermata/platforms/compose/parameters.h>

#include "tests/support/checked_simulation.h"
#include "tests/support/children.h"
#include "tests/support/kernel.h"
#include "tests/support/temporary_folder.h"

using namespace fermata;
using namespace fermata::platforms;
using namespace fermata::test;

namespace {

PlatformParameters shareOf(const char* name, unsigned sms) {
  return platforms::shareOf(platform(name, {"chip.sms=" + std::to_string(sms)}).parameters());
}

/// Bytes per DRAM cycle of all buses.
double busOf(const DramParameters& dram) {
  return 1.0 * dram.channels * dram.burstBytes / dram.timing.ccd;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(chip_share)

BOOST_AUTO_TEST_CASE(a_whole_chip_has_the_figures_of_its_file) {
  for (const auto& [name, sms] : {std::pair("v100", 80U), std::pair("h100", 132U)}) {
    const PlatformParameters whole = platform(name, {}).parameters();
    const PlatformParameters share = shareOf(name, sms);
    BOOST_TEST(share.l2.shape.bytes == whole.l2.shape.bytes);
    BOOST_TEST(share.l2.slices == whole.l2.slices);
    BOOST_TEST(share.dram.channels == whole.dram.channels);
    BOOST_TEST(share.dram.timing.ccd == whole.dram.timing.ccd);
  }
}

// A platform that does not say what chip it is of has all of its memory.
BOOST_AUTO_TEST_CASE(without_a_chip_there_is_no_share) {
  BOOST_TEST(shareOf("gtx480-caches", 1).l2.slices == 12U);
  BOOST_TEST(shareOf("fermi-chip", 4).dram.channels == 6U);
}

BOOST_AUTO_TEST_CASE(a_part_has_its_share) {
  const PlatformParameters quarter = shareOf("v100", 20);
  BOOST_TEST(quarter.l2.shape.bytes == 6291456U / 4);
  BOOST_TEST(quarter.l2.slices == 16U);
  BOOST_TEST(quarter.l2.cyclesPerSector == 1U);
  BOOST_TEST(quarter.l2.mshrs == 16 * 192U);
  BOOST_TEST(quarter.l2.input == 16 * 64U);
  BOOST_TEST(quarter.l2.queue == 16 * 64U);
  BOOST_TEST(quarter.dram.channels == 16U);
  BOOST_TEST(quarter.dram.timing.ccd == 2U);
  BOOST_TEST(quarter.interconnect.bytesPerCycle == 40U);
}

// 16 channels for 40 SMs, a burst every 2 cycles: one channel with a burst every 5 for one SM.
BOOST_AUTO_TEST_CASE(less_than_a_channel_is_a_slower_one) {
  const PlatformParameters one = shareOf("t4", 1);
  BOOST_TEST(one.dram.channels == 1U);
  BOOST_TEST(one.dram.timing.ccd == 5U);
  BOOST_TEST(one.dram.timing.ccdl >= one.dram.timing.ccd);
  BOOST_TEST(one.l2.shape.bytes == (4194304U / 2048 + 20) / 40 * 2048);
}

BOOST_DATA_TEST_CASE(throughput_is_proportional_within_a_half,
                     bdata::make({"v100", "t4", "a100", "rtx3070", "rtx3090", "rtx4090", "h100",
                                  "b200", "rtx5090"}) *
                         bdata::make({1U, 2U, 3U, 7U, 16U, 33U}),
                     name, sms) {
  const PlatformParameters whole = platform(name, {}).parameters();
  const PlatformParameters share = shareOf(name, sms);
  const double part = 1.0 * sms / whole.sms;
  const double sectors = 1.0 * share.l2.slices / share.l2.cyclesPerSector;
  BOOST_TEST(sectors == part * whole.l2.slices / whole.l2.cyclesPerSector, tt::tolerance(0.5));
  BOOST_TEST(busOf(share.dram) == part * busOf(whole.dram), tt::tolerance(0.5));
  const double sets = 1.0 * share.l2.slices * share.l2.shape.ways * share.l1.shape.lineBytes;
  BOOST_TEST(std::abs(share.l2.shape.bytes - part * whole.l2.shape.bytes) <= sets / 2);
}

// The SM alone takes longer for data that its share of the DRAM brings than the whole chip's DRAM.
BOOST_AUTO_TEST_CASE(a_run_has_the_memory_of_its_share) {
  const TemporaryFolder folder;
  const auto cyclesOf = [&](const Sets& sets) {
    const int status = inChild([&] {
      Simulation simulation(platform("t4", Sets{"chip.sms=1"} + sets));
      const auto open = Kernel("transpose n=128 tile=16").open();
      std::ofstream(folder / "cycles") << simulation.run(*open.workload).cycles;
      return 0;
    });
    BOOST_TEST_REQUIRE(status == 0);
    return std::stoul(bytesOf(folder / "cycles"));
  };
  BOOST_TEST(cyclesOf({"l2.copies=false"}) > cyclesOf({"l2.copies=false", "chip.of=0"}));
}

BOOST_AUTO_TEST_SUITE_END()
