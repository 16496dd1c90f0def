// The C interface for testbenches, against the model's own mappings and its count of passes.
#include <fermata/models/rtl/dpi/fermata_dpi.h>

#include <fermata/models/indexing/indexer.h>

#include "tests/support/conflict_oracle.h"

using namespace fermata;
using namespace fermata::test;

namespace {

struct Free {
  void operator()(void* memory) const { fermata_memory_free(memory); }
};
using Memory = std::unique_ptr<void, Free>;

constexpr std::uint32_t kWords = 4096;

Memory memoryOf(const char* mapping, unsigned wordBytes = 4) {
  Memory memory(fermata_memory(mapping, 32, kWords, wordBytes));
  BOOST_TEST_REQUIRE((memory != nullptr), fermata_refusal());
  return memory;
}

const char* const kMappings[] = {"mod 32", "ami 33", "xor k1=0 k2=5 mask=31", "pad row=32 words=1",
                                 "swizzle b=3 m=4 s=3"};

std::string refused(int answer, int whereRefused) {
  BOOST_TEST(answer == whereRefused);
  return fermata_refusal();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(dpi)

BOOST_DATA_TEST_CASE(places_are_the_mappings, bdata::make(kMappings), mapping) {
  const Memory memory = memoryOf(mapping);
  const auto indexer = indexing::build(mapping, {32, kWords});
  for (std::uint32_t byte = 0; byte < 4 * kWords; ++byte) {
    unsigned bank = 0;
    unsigned row = 0;
    BOOST_TEST_REQUIRE(fermata_locate(memory.get(), byte, &bank, &row) == 1);
    const indexing::Location place = indexer->location(byte / 4);
    BOOST_TEST_REQUIRE(bank == place.bank);
    BOOST_TEST_REQUIRE(row == place.row);
  }
}

BOOST_DATA_TEST_CASE(passes_are_the_models, bdata::make(kMappings) * bdata::xrange(kMachines),
                     mapping, number) {
  const LaneGrouping groups = groupingOf(machine(number));
  const Memory memory = memoryOf(mapping);
  BOOST_TEST(fermata_memory_groups(memory.get(), 32, groups.bits32.text().c_str()) == 1);
  BOOST_TEST(fermata_memory_groups(memory.get(), 64, groups.bits64.text().c_str()) == 1);
  BOOST_TEST(fermata_memory_groups(memory.get(), 128, groups.bits128.text().c_str()) == 1);
  LaneGrouping plain = groups;
  plain.extraPasses128 = 0;  // a rule of one machine
  const auto indexer = indexing::build(mapping, {32, kWords});
  ConflictResolver resolver(indexer->shape().banks, 1, plain);
  std::mt19937 random(number);
  for (int trial = 0; trial < 300; ++trial) {
    const unsigned words = 1U << random() % 3;
    const std::uint32_t span = 1U << random() % 11;
    const LaneMask active = trial % 3 == 0 ? kAllLanes : static_cast<LaneMask>(random());
    WarpAccess access;
    std::array<unsigned, kWarpLanes> address;
    for (unsigned& byte : address) byte = 4 * words * (random() % (span / words + 1));
    fill(access, 32, words, active, [&](unsigned lane) { return address[lane] / 4; });
    for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
      for (unsigned k = 0; k < words; ++k) {
        const indexing::Location place = indexer->location(access.word[k][lane]);
        access.bank[k][lane] = place.bank;
        access.row[k][lane] = place.row;
      }
    }
    resolver.resolve(access);
    BOOST_TEST(fermata_passes(memory.get(), active, address.data(), 4 * words) ==
               static_cast<int>(access.passes));
    BOOST_TEST(fermata_ideal_passes(memory.get(), active, 4 * words) ==
               static_cast<int>(access.freePasses));
  }
}

// A 32-bit access of banks of 8 bytes: neighbours share a word.
BOOST_AUTO_TEST_CASE(wide_words_merge_narrow_accesses) {
  const Memory memory = memoryOf("mod 32", 8);
  std::array<unsigned, kWarpLanes> address;
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) address[lane] = 4 * lane;
  BOOST_TEST(fermata_passes(memory.get(), kAllLanes, address.data(), 4) == 1);
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) address[lane] = 8 * 32 * (lane / 2);
  BOOST_TEST(fermata_passes(memory.get(), kAllLanes, address.data(), 4) == 16);
  BOOST_TEST(fermata_passes(memory.get(), 0, address.data(), 4) == 0);
}

BOOST_AUTO_TEST_CASE(refusals_say_why) {
  BOOST_TEST((fermata_memory("xor k1=0", 32, kWords, 4) == nullptr));
  BOOST_TEST(has(fermata_refusal(), "k2"));
  BOOST_TEST((fermata_memory("mod 32", 32, kWords, 3) == nullptr));
  BOOST_TEST(has(fermata_refusal(), "words of 3 bytes; expected 1, 2, 4, 8 or 16"));
  const Memory owner = memoryOf("mod 32");
  void* const memory = owner.get();
  unsigned bank = 0;
  unsigned row = 0;
  std::array<unsigned, kWarpLanes> address{};
  BOOST_TEST(has(refused(fermata_locate(nullptr, 0, &bank, &row), 0), "no memory"));
  BOOST_TEST(has(refused(fermata_locate(memory, 4 * kWords, &bank, &row), 0),
                 "byte address 16384 is word 4096; expected one of the 4096 words"));
  BOOST_TEST(has(refused(fermata_memory_groups(memory, 96, "0-31"), 0),
                 "96 bits; expected 32, 64 or 128"));
  BOOST_TEST(has(refused(fermata_memory_groups(memory, 32, "0-30"), 0), "31"));
  BOOST_TEST(has(refused(fermata_memory_groups(memory, 32, "0-63"), 0), "lanes of two warps"));
  BOOST_TEST(has(refused(fermata_passes(memory, 1, address.data(), 3), -1), "3 bytes per lane"));
  BOOST_TEST(has(refused(fermata_ideal_passes(memory, 1, 32), -1), "32 bytes per lane"));
  address[0] = 6;
  BOOST_TEST(has(refused(fermata_passes(memory, 1, address.data(), 4), -1),
                 "byte address 6; expected a multiple of 4"));
  BOOST_TEST(fermata_passes(memory, 2, address.data(), 4) == 1);
  BOOST_TEST(fermata_refusal() == std::string());
}

BOOST_AUTO_TEST_SUITE_END()
