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

namespace {

/// Looks at each frame of the set, the lowest first.
template <class Accepts>
CacheArray::Frame lookAtEach(CacheArray& array, std::uint64_t line, Accepts accepts) {
  const std::uint32_t ways = array.shape().ways;
  const CacheArray::Frame first = array.sets().of(line) * ways;
  for (CacheArray::Frame f = first; f < first + ways; ++f) {
    if (accepts(array.at(f))) return f;
  }
  return CacheArray::kNone;
}

void changeAny(CacheArray& array, std::mt19937_64& random) {
  const std::uint64_t line = random() % (array.shape().frames() * 3) << (random() % 2 * 32);
  if (const CacheArray::Frame f = array.findAny(line); f != CacheArray::kNone) {
    const bool reserved = array.at(f).reserved;
    const std::uint64_t what = random() % 4;
    if (what == 0) array.empty(f);
    if (what == 1 && !reserved) array.drop(f);
    if (what == 2) array.at(f).valid |= 1;
    if (what == 3) reserved ? array.unreserve(f) : array.reserve(f);
  } else if (const CacheArray::Frame free = array.victim(line); free != CacheArray::kNone) {
    array.place(free, line, random() % 3 == 0);
    array.at(free).valid = random() % 2;
  }
}

}  // namespace

// Frames are found as by a look at each, whatever becomes of them; an empty one is the lowest.
BOOST_DATA_TEST_CASE(frames_are_found_among_few_and_many_ways,
                     bdata::make({1U, 2U, 5U, 64U}) * bdata::make({"lru", "random"}), ways, rule) {
  const CacheShape shape{128 * 192, 128, ways == 5 ? 6 : ways};
  CacheArray array(shape, SetIndex(shape, ""), policy(rule), false);
  std::mt19937_64 random(ways);
  for (unsigned i = 0; i < 20000; ++i) {
    if (i % 4000 == 3999) array.setWays(i % 8000 == 3999 ? shape.ways * 2 : shape.ways);
    changeAny(array, random);
    const std::uint64_t line = random() % (shape.frames() * 3);
    const auto present = [](const CacheLine& l) { return (l.valid | l.dirty) != 0; };
    BOOST_REQUIRE_EQUAL(array.findPresent(line), lookAtEach(array, line, [&](auto& l) {
                          return l.number == line && present(l);
                        }));
    BOOST_REQUIRE_EQUAL(array.findAny(line), lookAtEach(array, line, [&](auto& l) {
                          return l.number == line && !l.empty();
                        }));
    BOOST_REQUIRE_EQUAL(array.find(line),
                        lookAtEach(array, line, [&](auto& l) { return l.holds(line); }));
    const auto empty = lookAtEach(array, line, [](auto& l) { return l.empty(); });
    const auto free = lookAtEach(array, line, [](auto& l) { return !l.reserved; });
    const CacheArray::Frame victim = array.victim(line);
    if (empty != CacheArray::kNone || free == CacheArray::kNone) {
      BOOST_REQUIRE_EQUAL(victim, empty);
    } else {
      BOOST_REQUIRE(!array.at(victim).reserved);
    }
  }
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
