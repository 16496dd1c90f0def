// Blocks that are added by fermata_add_rtl: what Verilator makes of their RTL, and what their
// adapters may do to their ports.
#include <VRevScan.h>

#include <fermata/models/rtl/verilated/simulation.h>

#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <random>

#include "tests/support/temporary_folder.h"

using namespace fermata;
using rtl::verilated::Simulation;

namespace {

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(added_blocks)

BOOST_AUTO_TEST_CASE(a_scan_over_reversed_bits_finds_the_lowest) {
  Simulation<VRevScan> block;
  std::mt19937 random(1);
  for (unsigned trial = 0; trial < 10000; ++trial) {
    const auto bits = static_cast<std::uint32_t>(random()) << random() % 32;
    block->i = bits;
    block.eval();
    BOOST_REQUIRE(block->o == (bits & (0U - bits)));
  }
}

BOOST_AUTO_TEST_CASE(ports_that_lanes_would_overrun_are_refused) {
  rtl::Lanes lanes;
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) lanes[lane] = 0x2a5a5a5aU + lane;
  VlWide<14> port;
  std::fill_n(&port[0], 14, 0U);
  BOOST_CHECK_THROW(rtl::verilated::packIn(lanes, 15, port), BadInput);
  BOOST_CHECK_THROW(rtl::verilated::packIn(lanes, 0, port), BadInput);
  BOOST_CHECK_THROW(rtl::verilated::packIn(lanes, 33, port), BadInput);
  BOOST_CHECK_THROW(rtl::verilated::packOut(port, 15, lanes), BadInput);
  rtl::verilated::packIn(lanes, 14, port);
  rtl::Lanes back{};
  rtl::verilated::packOut(port, 14, back);
  for (unsigned lane = 0; lane < kWarpLanes; ++lane)
    BOOST_TEST(back[lane] == (lanes[lane] & 0x3fffU));
}

// 33 lanes of 10 bits end within a word of 32.
BOOST_AUTO_TEST_CASE(the_last_lane_is_packed_too) {
  std::array<std::uint32_t, 33> lanes;
  for (unsigned lane = 0; lane < lanes.size(); ++lane) lanes[lane] = 1000 - lane;
  VlWide<11> port;
  std::fill_n(&port[0], 11, 0U);
  rtl::verilated::packIn(lanes, 10, port);
  std::array<std::uint32_t, 33> back{};
  rtl::verilated::packOut(port, 10, back);
  BOOST_TEST(back == lanes, boost::test_tools::per_element());
}

// Sources of 900, 100 times 10 and 5 bytes; parts of 500.
BOOST_AUTO_TEST_CASE(sources_of_a_large_block_are_compiled_in_parts) {
  const test::TemporaryFolder folder;
  folder.put("large.cpp", std::string(900, ' '));
  for (unsigned i = 0; i < 100; ++i)
    folder.put("small" + std::to_string(i) + ".cpp", std::string(10, ' '));
  folder.put("begin__Slow.cpp", std::string(5, ' '));
  const std::string join = "'" FERMATA_CMAKE "' '-DFOLDER=" + folder.path().string() +
                           "' -DPARTS=8 -DPART_BYTES=500 -P '" FERMATA_SOURCE_DIR
                           "/cmake/JoinSources.cmake'";
  BOOST_REQUIRE(std::system(join.c_str()) == 0);
  std::size_t sources = 0;
  for (unsigned part = 1; part <= 8; ++part) {
    const std::string text = test::bytesOf(folder / ("joined_" + std::to_string(part) + ".cpp"));
    const auto lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
    sources += lines;
    // 1900 bytes are 4 parts: the large source is one, the others share three.
    BOOST_TEST((part > 4 ? lines == 0 : has(text, "large.cpp") ? lines == 1 : lines > 30), part);
    const std::string slow =
        test::bytesOf(folder / ("joined_slow_" + std::to_string(part) + ".cpp"));
    BOOST_TEST(has(slow, "begin__Slow.cpp") == (part == 1));
  }
  BOOST_TEST(sources == 101U);
}

BOOST_AUTO_TEST_SUITE_END()
