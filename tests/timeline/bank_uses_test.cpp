// Uses of banks by pass: against a count by hand, and in sum against the crossbar's counts.
#include <fermata/models/memory/conflict.h>
#include <fermata/platforms/program/timeline/bank_uses.h>

#include "tests/support/test.h"

namespace fermata::test {

using platforms::BankUses;

namespace {

constexpr std::uint32_t kBanks = 8;

WarpAccess accessOf(unsigned bytes, LaneMask lanes, std::mt19937& random) {
  WarpAccess access;
  access.instruction.operation = MemoryOperation::Load;
  access.instruction.bytesPerLane = static_cast<std::uint8_t>(bytes);
  access.instruction.active = access.asked = lanes;
  access.banks = kBanks;
  access.wordsPerLane = std::max(1U, bytes / 4);
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
    const auto first = static_cast<std::uint32_t>(random() % 64) * access.wordsPerLane;
    for (unsigned k = 0; k < access.wordsPerLane; ++k) {
      access.word[k][lane] = first + k;
      access.bank[k][lane] = (first + k) % kBanks;
      access.row[k][lane] = (first + k) / kBanks;
    }
  }
  return access;
}

struct Shape {
  unsigned bytes;
  std::uint32_t ports;
  std::uint32_t rowWords;
};
std::ostream& operator<<(std::ostream& out, const Shape& shape) {
  return out << shape.bytes << " bytes, " << shape.ports << " ports, " << shape.rowWords;
}
const Shape kShapes[] = {{4, 1, 1}, {8, 1, 1}, {16, 1, 1}, {4, 2, 1}, {4, 1, 2}, {16, 2, 4}};

}  // namespace

BOOST_AUTO_TEST_SUITE(bank_uses)

BOOST_DATA_TEST_CASE(fill_the_passes_of_the_crossbar, bdata::make(kShapes), shape) {
  std::mt19937 random(1);
  LaneGrouping groups;
  ConflictResolver resolver(kBanks, shape.ports, groups, shape.rowWords);
  BankUses uses(groups, shape.ports, shape.rowWords);
  for (unsigned round = 0; round < 200; ++round) {
    WarpAccess access = accessOf(shape.bytes, static_cast<LaneMask>(random()) | 1U, random);
    resolver.resolve(access);
    std::uint32_t last = 0;
    std::uint64_t words = 0;
    std::map<std::uint32_t, std::uint32_t> free;  // next free pass, by bank
    for (const BankUses::Use& use : uses.of(access)) {
      BOOST_TEST((use.from < use.to && use.from >= free[use.bank]));
      free[use.bank] = use.to;
      last = std::max(last, use.to);
      words += use.words;
    }
    BOOST_TEST(last == access.passes);
    std::uint64_t leaders = 0;
    for (unsigned k = 0; k < access.wordsPerLane; ++k) leaders += laneCount(access.leaders[k]);
    BOOST_TEST(words == leaders);
  }
}

// Lanes 0 to 15 and 16 to 31 are served one lane group after the other. In the first group, bank 0
// has three words and bank 1 one.
BOOST_AUTO_TEST_CASE(follow_each_other_by_groups) {
  LaneGrouping groups;
  groups.bits32 = LaneGroups(16);
  ConflictResolver resolver(kBanks, 1, groups);
  BankUses uses(groups, 1, 1);
  std::mt19937 random(1);
  WarpAccess access = accessOf(4, 0x0003000fU, random);
  const std::uint32_t words[] = {0, 8, 16, 1, 2, 10};
  const unsigned lanes[] = {0, 1, 2, 3, 16, 17};
  for (unsigned i = 0; i < 6; ++i) {
    access.word[0][lanes[i]] = words[i];
    access.bank[0][lanes[i]] = words[i] % kBanks;
    access.row[0][lanes[i]] = words[i] / kBanks;
  }
  resolver.resolve(access);
  const auto& found = uses.of(access);
  BOOST_TEST_REQUIRE(found.size() == 3U);
  const auto is = [&](unsigned i, std::uint32_t bank, std::uint32_t from, std::uint32_t to) {
    return found[i].bank == bank && found[i].from == from && found[i].to == to;
  };
  BOOST_TEST(is(0, 0, 0, 3));
  BOOST_TEST(is(1, 1, 0, 1));
  BOOST_TEST(is(2, 2, 3, 5));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::test
