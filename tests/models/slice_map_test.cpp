#include <fermata/models/memory/cache_array.h>
#include <fermata/models/memory/slice_map.h>

#include <set>

#include "tests/support/says.h"

using namespace fermata;
using test::saysOnly;

namespace {

struct Case {
  unsigned slices;
  const char* text;
};
std::ostream& operator<<(std::ostream& out, const Case& c) {
  return out << c.slices << " slices, '" << c.text << "'";
}
const Case kCases[] = {{1, ""},
                       {2, ""},
                       {10, ""},
                       {12, "ami 12"},
                       {40, "ami 40"},
                       {96, "ami 96 form=array"},
                       {80, ""},
                       {16, "xor k1=0 k2=4 mask=15"},
                       {4, "matrix 0x11,0x102"},
                       {64, "xor-ami"}};

}  // namespace

BOOST_AUTO_TEST_SUITE(slice_map)

BOOST_AUTO_TEST_CASE(without_a_text_lines_take_turns) {
  const SliceMap map(12, 128, "");
  BOOST_TEST(map.slices() == 12U);
  BOOST_TEST(map.of(30) == 6U);
  BOOST_TEST(map.rowOf(30) == 2U);
  BOOST_TEST(map.ofAddress(30 * 128 + 127) == 6U);
  BOOST_TEST(SliceMap().ofAddress(0x123456789) == 0U);
  BOOST_TEST(SliceMap().rowOf(0x123456789) == 0x123456789U);
}

// Four lines lie side by side in a slice.
BOOST_AUTO_TEST_CASE(granules_take_turns) {
  const SliceMap map(12, 128, "", 512);
  for (std::uint64_t line = 0; line < 200; ++line) {
    BOOST_TEST(map.of(line) == line / 4 % 12);
    BOOST_TEST(map.rowOf(line) == line / 48 * 4 + line % 4);
  }
  const SliceMap hashed(4, 128, "matrix 0x11,0x102", 256);
  for (std::uint64_t line = 0; line < 200; ++line)
    BOOST_TEST(hashed.of(line) == SliceMap(4, 128, "matrix 0x11,0x102").of(line / 2));
}

// Two lines never have one place.
BOOST_DATA_TEST_CASE(slice_and_row_tell_lines_apart, bdata::make(kCases), c) {
  const SliceMap map(c.slices, 128, c.text);
  std::set<std::pair<unsigned, std::uint64_t>> places;
  std::vector<unsigned> lines(c.slices);
  for (std::uint64_t line = 0x200000; line < 0x200000 + 4800; ++line) {
    BOOST_REQUIRE(map.of(line) < c.slices);
    BOOST_TEST(places.emplace(map.of(line), map.rowOf(line)).second);
    ++lines[map.of(line)];
  }
  for (const unsigned count : lines) BOOST_TEST(count == 4800 / c.slices);
}

// A slice of 64 sets has lines in all of them: the row, not the line, chooses the set. GPGPU-Sim's
// L2 of the GTX 480 has 12 slices of 64 sets.
BOOST_DATA_TEST_CASE(a_slice_uses_all_sets, bdata::make(kCases), c) {
  const SliceMap map(c.slices, 128, c.text);
  const CacheShape shape{64 * 8 * 128, 128, 8};
  const SetIndex sets(shape, "", map);
  std::vector<std::set<std::uint32_t>> used(c.slices);
  for (std::uint64_t line = 0; line < std::uint64_t{64} * c.slices; ++line)
    used[map.of(line)].insert(sets.of(line));
  for (const auto& of : used) BOOST_TEST(of.size() == 64U);
}

BOOST_AUTO_TEST_CASE(sets_are_a_mapping_of_rows) {
  const SliceMap map(12, 128, "");
  const SetIndex sets({64 * 8 * 128, 128, 8}, "ami 63", map);
  for (std::uint64_t line = 0; line < 10000; line += 7) BOOST_TEST(sets.of(line) == line / 12 % 63);
  // A slice of four has 2^23 of the 2^25 lines in 4 GB, and each of its 64 sets 2^17.
  BOOST_TEST(SetIndex({64 * 8 * 128, 128, 8}, "").plainTagBits() == 19U);
  BOOST_TEST(SetIndex({64 * 8 * 128, 128, 8}, "", SliceMap(4, 128, "")).plainTagBits() == 17U);
}

BOOST_AUTO_TEST_CASE(a_text_of_other_slices_is_refused) {
  BOOST_CHECK_EXCEPTION(
      SliceMap(12, 128, "ami 11"), indexing::IndexingError,
      saysOnly("'ami 11' maps lines onto 11 slices, the L2 has 12; expected the same"));
  BOOST_CHECK_THROW(SliceMap(12, 128, "xor k1=0 k2=4 mask=15"), indexing::IndexingError);
}

BOOST_AUTO_TEST_SUITE_END()
