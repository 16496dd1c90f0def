// The packed form of a row's addresses: it restores every active lane's address, in the fewest
// bytes.
#include <fermata/stimuli/traces/packed_row.h>

#include "tests/support/test.h"

using namespace fermata;
using namespace fermata::traces;

namespace {

constexpr std::uint64_t kTop = ~std::uint64_t{0};

/// Returns the row of these addresses, made from the text form of a trace.
Row packed(const LaneAddresses& address, LaneMask active, std::uint8_t bytes = 1) {
  std::string text;
  appendRuns(text, address, active);
  AddressRuns runs;
  Row row;
  row.head.active = active;
  row.head.bytes = bytes;
  packRuns(runs, parseRuns(text, active, runs).count, row);
  return row;
}

void checkUnpacked(const Row& row, const LaneAddresses& expected) {
  LaneAddresses address{};
  unpackAddresses(row.head, row.addresses.data(), address);
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
    if ((row.head.active >> lane & 1U) != 0) BOOST_TEST(address[lane] == expected[lane]);
  }
}

/// Returns addresses without a pattern in [base, base + span); lane 3 is lowest, lane 7 highest.
LaneAddresses scattered(std::uint64_t base, std::uint64_t span) {
  LaneAddresses address;
  std::uint64_t state = span;
  for (std::uint64_t& one : address) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    one = base + (state >> 1) % span;
  }
  address[3] = base;
  address[7] = base + span - 1;
  return address;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(packed_rows)

BOOST_AUTO_TEST_CASE(offsets_are_as_wide_as_the_span_needs) {
  const std::uint64_t narrow = std::uint64_t{1} << 16;
  const std::uint64_t wide = std::uint64_t{1} << 32;
  for (const auto& [span, bytes] : {std::pair<std::uint64_t, unsigned>{narrow, 2},
                                    {narrow + 1, 4},
                                    {wide, 4},
                                    {wide + 1, 8},
                                    {kTop, 8}}) {
    for (const std::uint64_t base : {std::uint64_t{0}, kTop - (span - 1)}) {
      const LaneAddresses address = scattered(base, span);
      for (const LaneMask active : {kAllLanes, LaneMask{0x7fffff9f}}) {
        const Row row = packed(address, active);
        BOOST_TEST(unsigned{row.head.offsetBytes} == bytes);
        BOOST_TEST(addressBytes(row.head) == 8 + 32U * bytes);
        checkUnpacked(row, address);
        BOOST_TEST(addressesFit(row, base + span - 1));
        BOOST_TEST(!addressesFit(row, base + span - 2));
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(few_runs_stay_runs) {
  LaneAddresses address;
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) address[lane] = 1000 * (lane / 8) + 4 * lane;
  for (const LaneMask active :
       {kAllLanes, LaneMask{0x00ff00ff}, LaneMask{0x80000001}, LaneMask{1}}) {
    const Row row = packed(address, active, 4);
    BOOST_TEST(unsigned{row.head.offsetBytes} == 0U);
    BOOST_TEST(row.head.runs <= 4U);
    checkUnpacked(row, address);
    const unsigned last = 31U - static_cast<unsigned>(__builtin_clz(active));
    BOOST_TEST(addressesFit(row, address[last]));
    BOOST_TEST((address[last] == 0 || !addressesFit(row, address[last] - 1)));
  }
  BOOST_TEST(addressBytes(packed(address, 0).head) == 0U);
}

BOOST_AUTO_TEST_CASE(misaligned_lanes_do_not_fit) {
  LaneAddresses address = scattered(1 << 20, 60000);
  for (std::uint64_t& one : address) one &= ~std::uint64_t{7};
  BOOST_TEST(addressesFit(packed(address, kAllLanes, 8), kTop));
  BOOST_TEST(!addressesFit(packed(address, kAllLanes, 16), kTop));
  address[31] += 4;
  BOOST_TEST(!addressesFit(packed(address, kAllLanes, 8), kTop));
  BOOST_TEST(addressesFit(packed(address, kAllLanes >> 1, 8), kTop));
}

BOOST_AUTO_TEST_CASE(runs_that_do_not_cover_the_lanes_do_not_fit) {
  Row row;
  row.head.bytes = 4;
  const auto fits = [&row](LaneMask active, std::initializer_list<AddressRun> runs) {
    AddressRuns all;
    std::copy(runs.begin(), runs.end(), all.begin());
    row.head.active = active;
    packRuns(all, static_cast<unsigned>(runs.size()), row);
    return addressesFit(row, kTop);
  };
  BOOST_TEST(fits(0xff, {{0, 4, 8}}));
  BOOST_TEST(fits(0xff, {{0, 4, 5}, {400, -4, 3}}));
  BOOST_TEST(!fits(0xff, {{0, 4, 7}}));
  BOOST_TEST(!fits(0xff, {{0, 4, 9}}));
  BOOST_TEST(!fits(0xff, {{0, 4, 0}, {0, 4, 8}}));
  BOOST_TEST(!fits(0xff, {{0, 4, 8}, {0, 4, 1}}));
  BOOST_TEST(!fits(0xff, {{24, -4, 8}}));  // below 0
  BOOST_TEST(!fits(0xff, {{kTop - 3, 4, 8}}));
  BOOST_TEST(!fits(0xff, {}));
  row.head.offsetBytes = 3;
  BOOST_TEST(!addressesFit(row, kTop));
}

BOOST_AUTO_TEST_SUITE_END()
