// The text form of lane addresses.
#include <fermata/stimuli/traces/trace_format.h>

#include "tests/support/test.h"

using namespace fermata;
using namespace fermata::traces;

namespace {

std::string text(const LaneAddresses& address, LaneMask active) {
  std::string out;
  appendRuns(out, address, active);
  return out;
}

LaneAddresses linear(std::uint64_t base, std::int64_t stride) {
  LaneAddresses address;
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
    address[lane] = base + static_cast<std::uint64_t>(stride * lane);
  }
  return address;
}

bool sameActive(const LaneAddresses& a, const LaneAddresses& b, LaneMask active) {
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
    if ((active >> lane & 1U) != 0 && a[lane] != b[lane]) return false;
  }
  return true;
}

void checkRoundTrip(const LaneAddresses& address, LaneMask active) {
  AddressRuns runs;
  const std::string form = text(address, active);
  const ParsedRuns parsed = parseRuns(form, active, runs);
  LaneAddresses back{};
  expandRuns(runs.data(), parsed.count, active, back);
  BOOST_TEST(sameActive(address, back, active), form);
  std::uint64_t highest = 0;
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
    if ((active >> lane & 1U) != 0) highest = std::max(highest, address[lane]);
  }
  BOOST_TEST(parsed.highest == highest);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(lane_addresses)

BOOST_AUTO_TEST_CASE(short_forms) {
  BOOST_TEST(text(linear(0, 4), kAllLanes) == "0+4");
  BOOST_TEST(text(linear(4096, -64), kAllLanes) == "4096-64");
  BOOST_TEST(text(linear(128, 0), kAllLanes) == "128+0");
  BOOST_TEST(text(linear(64, 4), 0) == "");
  BOOST_TEST(text(linear(64, 4), 1U << 5) == "84");
  BOOST_TEST(text(linear(64, 4), 0x55555555U) == "64+4");  // by lane number: gaps do not matter
  BOOST_TEST(text(linear(64, 4), 0x80000001U) == "64+4");
  LaneAddresses halves = linear(0, 4);
  for (unsigned lane = 16; lane < kWarpLanes; ++lane) halves[lane] += 1024;
  BOOST_TEST(text(halves, kAllLanes) == "0+4*16;1088+4");
  LaneAddresses scattered = linear(0, 0);
  scattered[1] = 100;
  scattered[2] = 7;
  BOOST_TEST(text(scattered, 7) == "0;100-93");
  BOOST_TEST(text(scattered, 5) == "0;7");  // a difference of 7 over 2 lanes is no stride
}

BOOST_AUTO_TEST_CASE(random_accesses_round_trip) {
  std::uint64_t state = 1;
  const auto random = [&] {
    state = state * 6364136223846793005U + 1442695040888963407U;
    return (state ^ state >> 31) >> 16;
  };
  for (unsigned round = 0; round < 20000; ++round) {
    const auto range = std::uint64_t{1} << (1 + random() % 47);
    LaneAddresses address;
    std::uint64_t at = random() % range;
    for (auto& one : address) {
      if (random() % 4 == 0) at = random() % range;
      one = at;
      at += round % 3 * 4;
    }
    checkRoundTrip(address, static_cast<LaneMask>(random()) & static_cast<LaneMask>(random()));
    checkRoundTrip(address, kAllLanes);
  }
}

BOOST_AUTO_TEST_CASE(the_ends_of_the_address_space) {
  LaneAddresses address = linear(0, 0);
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
    address[lane] = lane % 2 == 0 ? 0 : ~std::uint64_t{0} - lane;
  }
  checkRoundTrip(address, kAllLanes);
  checkRoundTrip(linear(~std::uint64_t{0} - 31, 1), kAllLanes);
  checkRoundTrip(linear(~std::uint64_t{0}, -1), kAllLanes);
  checkRoundTrip(linear(0, 0x7fffffff), kAllLanes);
  checkRoundTrip(linear(0, std::int64_t{1} << 31), kAllLanes);  // the form allows no such stride
  checkRoundTrip(linear(std::uint64_t{1} << 40, -(std::int64_t{1} << 31)), kAllLanes);
}

BOOST_AUTO_TEST_SUITE_END()
