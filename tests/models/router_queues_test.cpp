// A router with a virtual channel at each input: who passes when, and what holds whom.
#include <fermata/models/memory/router_queues.h>

#include <utility>

#include "tests/support/test.h"

using namespace fermata;

namespace {

using Routed = std::vector<std::pair<int, Cycle>>;  ///< message, cycle in which it is over the link

const auto kTakesAll = [](unsigned) { return true; };

Routed routedIn(RouterQueues<int>& router, Cycle now) {
  Routed passed;
  router.run(now, kTakesAll, [&](int item, Cycle at) { passed.emplace_back(item, at); });
  return passed;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(router_queues)

// A crossbar would let all three leave in one cycle.
BOOST_AUTO_TEST_CASE(an_input_sends_one_message_per_cycle) {
  RouterQueues<int> router(1, 3, 2);
  for (const unsigned output : {0U, 1U, 2U}) router.push(0, output, 1, static_cast<int>(output));
  BOOST_TEST((routedIn(router, 7) == Routed{{0, 7}}));
  BOOST_TEST((routedIn(router, 8) == Routed{{1, 8}}));
  BOOST_TEST((routedIn(router, 9) == Routed{{2, 9}}));
  BOOST_TEST(router.empty());
}

// Input 0 has another message for output 1, behind its first one.
BOOST_AUTO_TEST_CASE(an_output_serves_inputs_in_turn) {
  RouterQueues<int> router(3, 2, 2);
  for (unsigned input = 0; input < 3; ++input) router.push(input, 0, 1, static_cast<int>(input));
  router.push(0, 1, 1, 9);
  BOOST_TEST((routedIn(router, 0) == Routed{{0, 0}}));
  BOOST_TEST((routedIn(router, 1) == Routed{{1, 1}, {9, 1}}));
  BOOST_TEST((routedIn(router, 2) == Routed{{2, 2}}));
}

// Four flits take five steps, two and a half cycles, and four cycles of the link.
BOOST_AUTO_TEST_CASE(a_long_message_takes_a_step_for_each_flit) {
  RouterQueues<int> router(2, 2, 2);
  router.push(0, 0, 1, 1);
  router.push(0, 0, 4, 2);
  router.push(0, 1, 1, 3);
  BOOST_TEST((routedIn(router, 0) == Routed{{1, 0}}));
  BOOST_TEST((routedIn(router, 1) == Routed{{2, 4}}));
  BOOST_TEST(routedIn(router, 2).empty());
  BOOST_TEST((routedIn(router, 3) == Routed{{3, 4}}));
}

BOOST_AUTO_TEST_CASE(an_output_that_takes_nothing_holds_the_heads_for_it) {
  RouterQueues<int> router(2, 2, 2);
  router.push(0, 0, 1, 1);
  router.push(0, 1, 1, 2);
  router.push(1, 1, 1, 3);
  const auto second = [](unsigned output) { return output == 1; };
  Routed passed;
  router.run(0, second, [&](int item, Cycle at) { passed.emplace_back(item, at); });
  BOOST_TEST((passed == Routed{{3, 0}}));
  BOOST_TEST((routedIn(router, 1) == Routed{{1, 1}}));
  BOOST_TEST((routedIn(router, 2) == Routed{{2, 2}}));
}

BOOST_AUTO_TEST_SUITE_END()
