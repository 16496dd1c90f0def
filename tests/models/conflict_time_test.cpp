// Time that conflicts take, from the tries that the banks have taken.
#include <fermata/models/memory/conflict_time.h>

#include "tests/support/test.h"

using namespace fermata;

BOOST_AUTO_TEST_SUITE(conflict_time)

BOOST_AUTO_TEST_CASE(passes_beyond_the_ideal_ones_count) {
  ConflictTime time;
  time.add({10, 14, 14, 4, 1});
  time.add({14, 15, 15, 1, 1});
  BOOST_TEST(time.cycles() == 3U);
  time.add({15, 19, 19, 4, 4});  // as many lane groups
  BOOST_TEST(time.cycles() == 3U);
  time.reset();
  BOOST_TEST(time.cycles() == 0U);
}

// The picture in conflict_time.h, alone and beside another access.
BOOST_AUTO_TEST_CASE(cycles_that_the_banks_rest_count_too) {
  ConflictTime alone;
  alone.add({0, 4, 7, 4, 1});
  BOOST_TEST(alone.cycles() == 6U);
  alone.add({5, 6, 6, 1, 1});
  BOOST_TEST(alone.cycles() == 5U);
  ConflictTime both;  // two wait for their passes in the same cycles
  both.add({0, 4, 7, 4, 1});
  both.add({7, 11, 14, 4, 1});
  both.add({4, 5, 7, 1, 1});  // waits for its lane groups alone
  BOOST_TEST(both.cycles() == 6U + 6U - 1U);
}

// A replay comes 100 cycles after the try that left its lanes.
BOOST_AUTO_TEST_CASE(the_way_of_a_replay_counts) {
  ConflictTime time;
  time.add({10, 11, 11, 1, 1, true});
  time.add({50, 60, 60, 10, 10});
  time.add({110, 111, 111, 1, 0, false, 11});
  BOOST_TEST(time.cycles() == 1U + 99U - 10U);
  time.add({200, 201, 201, 1, 1});
  BOOST_TEST(time.cycles() == 1U + 99U - 10U);
}

// Against a map of every cycle.
BOOST_AUTO_TEST_CASE(any_tries_in_a_window_of_time) {
  std::mt19937 random(5);
  const auto below = [&](unsigned limit) { return static_cast<unsigned>(random()) % limit; };
  ConflictTime time;
  std::vector<bool> busy(400000);
  std::vector<bool> waits(400000);
  std::uint64_t passCycles = 0;
  Cycle now = 0;
  for (std::uint64_t access = 0; access < 5000; ++access) {
    now += below(40);
    const unsigned passes = 1 + below(32);
    const unsigned free = 1 + below(passes);
    const Cycle first = now + below(200);
    const Cycle held = first + passes;
    const Cycle done = held + below(100);
    time.add({first, held, done, passes, free});
    passCycles += passes - free;
    for (Cycle at = first; at < held; ++at) busy[at] = true;
    for (Cycle at = held; passes > free && at < done; ++at) waits[at] = true;
  }
  std::uint64_t resting = 0;
  for (std::size_t at = 0; at < busy.size(); ++at) resting += waits[at] && !busy[at] ? 1 : 0;
  BOOST_TEST(time.cycles() == passCycles + resting);
}

BOOST_AUTO_TEST_SUITE_END()
