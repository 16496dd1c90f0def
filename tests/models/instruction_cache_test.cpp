#include <fermata/models/core/instruction_cache.h>

#include "tests/support/test.h"

using namespace fermata;

namespace {

/// Returns a cache of two sets of two lines of 16 instructions.
InstructionCache::Parameters small() {
  InstructionCache::Parameters p;
  p.bytes = 512;
  p.ways = 2;
  p.firstLatency = 100;
  p.latency = 40;
  return p;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(instruction_cache)

BOOST_AUTO_TEST_CASE(a_line_comes_once_for_all) {
  InstructionCache cache(small());
  BOOST_TEST(cache.fetch(0, 3, 10) == 110U);
  BOOST_TEST(cache.fetch(0, 15, 20) == 110U);   // another warp, the same line
  BOOST_TEST(cache.fetch(0, 0, 110) == 110U);   // the line is present
  BOOST_TEST(cache.fetch(0, 16, 111) == 211U);  // next line
}

// Lines 0, 2, 4 share a set: the least recently used line leaves, and comes back sooner.
BOOST_AUTO_TEST_CASE(a_set_holds_its_ways) {
  InstructionCache cache(small());
  cache.fetch(0, 0, 0);
  cache.fetch(0, 32, 0);
  cache.fetch(0, 0, 200);
  BOOST_TEST(cache.fetch(0, 64, 200) == 300U);
  BOOST_TEST(cache.fetch(0, 0, 400) == 400U);
  BOOST_TEST(cache.fetch(0, 32, 500) == 540U);
}

BOOST_AUTO_TEST_CASE(programs_do_not_share_lines) {
  InstructionCache cache(small());
  cache.fetch(0, 0, 0);
  BOOST_TEST(cache.fetch(1, 0, 200) == 300U);
}

BOOST_AUTO_TEST_CASE(a_workload_begins_cold) {
  InstructionCache cache(small());
  cache.fetch(0, 0, 0);
  cache.clear();
  BOOST_TEST(cache.fetch(0, 0, 500) == 600U);
}

BOOST_AUTO_TEST_CASE(without_bytes_there_is_none) {
  BOOST_TEST(!InstructionCache(InstructionCache::Parameters{}).exists());
}

BOOST_AUTO_TEST_SUITE_END()
