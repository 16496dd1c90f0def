// Map of addresses in a DRAM, and impossible shapes.
#include <fermata/models/memory/dram.h>

#include "tests/support/says.h"

using namespace fermata;

namespace {

/// Returns the bits of `value` that `mask` selects, packed.
std::uint64_t packed(std::uint64_t value, std::uint64_t mask) {
  std::uint64_t result = 0;
  for (unsigned to = 0; mask != 0; mask &= mask - 1, ++to) {
    const auto bit = static_cast<unsigned>(__builtin_ctzll(mask));
    result |= (value >> bit & 1) << to;
  }
  return result;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(dram_shape)

// dramid@8;00000000.00000000.00000000.00000000.0000RRRR.RRRRRRRR.BBBCCCCB.CCSSSSSS: division
// removes the channel from bit 8 on; the remaining bits name row and bank.
BOOST_AUTO_TEST_CASE(by_default_is_that_of_gpgpu_sims_gtx480) {
  const DramMap map({});
  std::mt19937_64 random(1);
  for (unsigned i = 0; i < 100000; ++i) {
    const std::uint64_t address = random() & 0x3fffffff;
    const std::uint64_t rest = (address >> 8) / 6 << 8 | (address & 0xff);
    const DramPlace place = map.place(address);
    BOOST_REQUIRE_EQUAL(place.channel, (address >> 8) % 6);
    BOOST_REQUIRE_EQUAL(place.bank, packed(rest, 0xe100));
    BOOST_REQUIRE_EQUAL(place.row, packed(rest, 0x0fff0000));
  }
}

BOOST_AUTO_TEST_CASE(blocks_fill_each_row_once) {
  for (const DramMap::Shape& shape :
       {DramMap::Shape{}, DramMap::Shape{1, 256, 16, 4096, 4096, 1, ""},
        DramMap::Shape{5, 64, 8, 1024, 128, 8, ""}, DramMap::Shape{3, 4096, 1, 512, 64, 1, ""},
        DramMap::Shape{8, 256, 4, 1024, 256, 4, "xor-ami"}}) {
    DramParameters parameters;
    static_cast<DramMap::Shape&>(parameters) = shape;
    parameters.bankGroups = 1;
    BOOST_REQUIRE(!contradiction(parameters));
    const DramMap map(shape);
    const std::uint64_t bytes = std::uint64_t{shape.channels} * shape.banks * shape.rowBytes * 4;
    std::map<std::tuple<unsigned, unsigned, std::uint64_t>, std::uint64_t> filled;
    for (std::uint64_t address = 0; address < bytes; address += map.blockBytes()) {
      const DramPlace place = map.place(address);
      BOOST_REQUIRE(place.channel < shape.channels);
      BOOST_REQUIRE(place.bank < shape.banks);
      const DramPlace last = map.place(address + map.blockBytes() - 1);
      BOOST_REQUIRE(last.channel == place.channel && last.bank == place.bank &&
                    last.row == place.row);
      filled[{place.channel, place.bank, place.row}] += map.blockBytes();
    }
    BOOST_TEST(filled.size() == bytes / shape.rowBytes);
    for (const auto& row : filled) BOOST_REQUIRE_EQUAL(row.second, shape.rowBytes);
  }
}

// Block 133 = 5 * 25 + 8 of 256 bytes: 133 ^ 133 >> 7 = 132, channel 132 mod 5, the 26th of its
// blocks. 2^32 bytes further on, behind all 3355444 rows of this window, lies another.
BOOST_AUTO_TEST_CASE(a_mapping_chooses_the_channel) {
  DramMap::Shape shape;
  shape.channels = 5;
  shape.channelIndexer = "xor-ami";
  DramMap::Shape plain = shape;
  plain.channelIndexer = "";
  const std::uint64_t address = 133 * 256 + 17;
  const DramPlace place = DramMap(shape).place(address);
  const DramPlace same = DramMap(plain).place(132 * 256 + 17);
  BOOST_TEST(place.channel == 2U);
  BOOST_TEST(place.bank == same.bank);
  BOOST_TEST(place.row == same.row);
  const DramPlace far = DramMap(shape).place(address + (std::uint64_t{1} << 32));
  const DramPlace farSame = DramMap(plain).place((std::uint64_t{3355444} * 5 + 132) * 256 + 17);
  BOOST_TEST(far.channel == 2U);
  BOOST_TEST(far.row == farSame.row);
}

BOOST_AUTO_TEST_CASE(that_cannot_be_is_refused) {
  using P = Dram::Parameters;
  const std::pair<const char*, std::function<void(P&)>> bad[] = {
      {"dram.channels = 0; expected", [](P& p) { p.channels = 0; }},
      {"dram.channels = 257; expected", [](P& p) { p.channels = 257; }},
      {"dram.banks = 0; expected", [](P& p) { p.banks = 0; }},
      {"dram.banks = 12; expected", [](P& p) { p.banks = 12; }},
      {"dram.banks = 128; expected", [](P& p) { p.banks = 128; }},
      {"dram.side_by_side must be", [](P& p) { p.sideBySide = 32; }},
      {"dram.side_by_side = 0; expected", [](P& p) { p.sideBySide = 0; }},
      {"dram.row_bytes = 5000; expected", [](P& p) { p.rowBytes = 5000; }},
      {"dram.row_bytes = 131072; expected", [](P& p) { p.rowBytes = 131072; }},
      {"dram.row_bytes = 32; expected", [](P& p) { p.rowBytes = 32; }},
      {"dram.channel_bytes = 96; expected", [](P& p) { p.channelBytes = 96; }},
      {"dram.bank_bytes must be", [](P& p) { p.bankBytes = 8192; }},
      {"dram.bank_groups must be", [](P& p) { p.bankGroups = 32; }},
      {"dram.bank_groups = 3; expected", [](P& p) { p.bankGroups = 3; }},
      {"dram.stack_ids must be", [](P& p) { p.stackIds = 4, p.bankGroups = 8; }},
      {"dram.stack_ids = 3; expected", [](P& p) { p.stackIds = 3; }},
      {"dram.burst_bytes must be", [](P& p) { p.burstBytes = 512; }},
      {"dram.burst_bytes = 0; expected", [](P& p) { p.burstBytes = 0; }},
      {"dram.queue = 0; expected", [](P& p) { p.queue = 0; }},
      {"dram.queue = 4097; expected", [](P& p) { p.queue = 4097; }},
      {"dram.patience = 0; expected", [](P& p) { p.patience = 0; }},
      {"dram.latency = 10001; expected", [](P& p) { p.latency = 10001; }},
      {"dram.patience = 1000001; expected", [](P& p) { p.patience = 1000001; }},
      {"dram.ccd = 0; expected", [](P& p) { p.timing.ccd = 0; }},
      {"dram.ccdl must be", [](P& p) { p.timing.ccdl = 1; }},
      {"dram.rc must be", [](P& p) { p.timing.rc = 27; }},
      {"dram.refresh_banks must be 0 or", [](P& p) { p.refreshBanks = 3; }},
      {"dram.refi must be 0, or at least", [](P& p) { p.timing.refi = 200; }},
      {"dram.refi = 1000001; expected", [](P& p) { p.timing.refi = 1000001; }},
      {"dram.wr = 10001; expected", [](P& p) { p.timing.wr = 10001; }},
      {"dram.wr = 4000000000; expected", [](P& p) { p.timing.wr = 4000000000U; }},
  };
  const Clock clock(sc_core::sc_time(1, sc_core::SC_NS));
  sc_core::sc_report_handler::set_actions(sc_core::SC_FATAL, sc_core::SC_THROW);
  unsigned count = 0;
  for (const auto& [what, spoil] : bad) {
    P parameters;
    spoil(parameters);
    const std::string name = "dram" + std::to_string(count++);
    BOOST_CHECK_EXCEPTION(Dram(name.c_str(), clock, parameters), sc_core::sc_report,
                          test::says(what));
  }
}

BOOST_AUTO_TEST_SUITE_END()
