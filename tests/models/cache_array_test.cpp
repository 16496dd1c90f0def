#include <fermata/models/memory/cache_array.h>
#include <fermata/models/memory/mshr.h>

#include "tests/support/cache_oracle.h"
#include "tests/support/says.h"

using namespace fermata;

namespace {

struct Case {
  CacheShape shape;
  const char* sets;
  const char* replacement;
};
std::ostream& operator<<(std::ostream& out, const Case& c) {
  return out << c.shape.bytes << " bytes, " << c.shape.ways << " ways, '" << c.sets << "'";
}
const Case kCases[] = {
    {{16384, 128, 4}, "", "lru"},
    {{16384, 128, 4}, "", "fifo"},
    {{16384, 128, 4}, "pairs 0^6,1^7,2^8,3^10,4^12", "lru"},
    {{32768, 128, 1}, "ami 255", "lru"},
    {{32768, 128, 256}, "", "lru"},
    {{49152, 64, 2}, "", "lru"},
};

std::unique_ptr<ReplacementPolicy> policy(const char* name) {
  return Chosen<ReplacementPolicy>(name).make();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(cache_array)

// Compares with a cache of lists, which has no frames.
BOOST_DATA_TEST_CASE(hits_are_those_of_a_plain_cache, bdata::make(kCases), c) {
  CacheArray array(c.shape, SetIndex(c.shape, c.sets), policy(c.replacement), false);
  test::PlainCache plain(c.shape.ways, std::string(c.replacement) == "lru");
  const SetIndex sets(c.shape, c.sets);
  std::mt19937_64 random(7);
  const std::uint64_t reach = 3 * c.shape.frames();
  for (unsigned i = 0; i < 20000; ++i) {
    const std::uint64_t line = 0x200000 + random() % reach;
    const CacheArray::Frame frame = array.find(line);
    BOOST_REQUIRE_EQUAL(frame != CacheArray::kNone, plain.access(line, sets.of(line)));
    if (frame != CacheArray::kNone) {
      array.touch(frame);
      continue;
    }
    const CacheArray::Frame place = array.victim(line);
    array.place(place, line, false);
    array.at(place).valid = array.allSectors();
  }
}

BOOST_AUTO_TEST_CASE(a_set_index_is_the_modulus_it_says) {
  const CacheShape shape{32768, 128, 1};
  const SetIndex ami(shape, "ami 251");
  const SetIndex plain(shape, "");
  for (std::uint64_t line = 0; line < 100000; line += 37) {
    BOOST_REQUIRE_EQUAL(ami.of(line), line % 251);
    BOOST_REQUIRE_EQUAL(plain.of(line), line % 256);
  }
}

// 2^25 lines of 128 bytes in 2^32. With 256 sets, 17 bits tell the lines of a set apart. With 255
// sets the quotient goes to 131586, which needs 18 bits; with 3 sets to 11184810, which needs 24.
BOOST_AUTO_TEST_CASE(a_modulus_costs_tag_bits) {
  const CacheShape shape{32768, 128, 1};
  BOOST_TEST(SetIndex(shape, "").tagBits() == 17U);
  BOOST_TEST(SetIndex(shape, "mod 256").tagBits() == 17U);
  BOOST_TEST(SetIndex(shape, "ami 255").tagBits() == 18U);
  BOOST_TEST(SetIndex(shape, "ami 255").plainTagBits() == 17U);
  BOOST_TEST(SetIndex(shape, "ami 3").tagBits() == 24U);
}

BOOST_AUTO_TEST_CASE(more_sets_than_lines_are_refused) {
  const CacheShape shape{32768, 128, 1};
  BOOST_CHECK_EXCEPTION(SetIndex(shape, "ami 257"), indexing::IndexingError,
                        test::says("257 sets, the cache 256"));
  BOOST_CHECK_THROW(SetIndex({1000, 128, 1}, ""), indexing::IndexingError);
  BOOST_CHECK_THROW(SetIndex({32768, 48, 1}, ""), indexing::IndexingError);
}

BOOST_AUTO_TEST_CASE(reserved_frames_are_nobodys) {
  const CacheShape shape{512, 128, 2};
  CacheArray array(shape, SetIndex(shape, ""), policy("lru"), false);
  array.place(array.victim(0), 0, true);
  array.place(array.victim(2), 2, true);
  BOOST_TEST(array.find(0) == CacheArray::kNone);
  BOOST_TEST(array.victim(4) == CacheArray::kNone);
  BOOST_TEST(array.victim(1) != CacheArray::kNone);
}

BOOST_AUTO_TEST_CASE(sectors_of_a_range) {
  const CacheShape shape{512, 128, 1};
  const CacheArray array(shape, SetIndex(shape, ""), policy("lru"), false);
  BOOST_TEST(array.sectors(0, 128) == 0xfU);
  BOOST_TEST(array.sectors(128 + 31, 2) == 0x3U);
  BOOST_TEST(array.sectors(128 + 96, 1) == 0x8U);
}

BOOST_AUTO_TEST_CASE(a_line_under_way_is_found_whatever_entries_are_free) {
  std::mt19937 random(11);
  Mshrs<std::uint64_t> mshrs(7, 1);
  std::map<std::uint64_t, Mshrs<std::uint64_t>::Number> taken;
  for (unsigned i = 0; i < 5000; ++i) {
    const std::uint64_t line = random() % 20;
    const auto number = mshrs.find(line);
    const auto known = taken.find(line);
    BOOST_REQUIRE_EQUAL(number == mshrs.kNone, known == taken.end());
    if (known != taken.end()) {
      BOOST_REQUIRE_EQUAL(number, known->second);
      mshrs.free(number);
      taken.erase(known);
    } else if (!mshrs.full()) {
      taken[line] = mshrs.take(line);
    }
    BOOST_REQUIRE_EQUAL(mshrs.taken(), taken.size());
  }
}

// Platform files may allow 65536 lines of 65536 requests each: memory must be taken only for
// requests that wait.
BOOST_AUTO_TEST_CASE(what_may_wait_takes_no_memory_before_it_waits) {
  Mshrs<std::uint64_t> mshrs(2, 65536);
  const auto number = mshrs.take(7);
  auto& waiters = mshrs.at(number).waiters;
  BOOST_TEST(waiters.capacity() < 1000U);
  while (mshrs.mayMerge(number)) waiters.push_back(0);
  BOOST_TEST(waiters.size() == 65536U);
}

BOOST_AUTO_TEST_SUITE_END()
