// Queues before a crossbar: who passes in which cycle.
#include <fermata/models/memory/input_queues.h>

#include "tests/support/test.h"

using namespace fermata;

namespace {

using Passed = std::vector<int>;

/// Returns what passes in the cycle.
Passed passedIn(InputQueues<int>& queues, Cycle now) {
  Passed passed;
  queues.run(now, [&](int item) { passed.push_back(item); });
  return passed;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(input_queues)

BOOST_AUTO_TEST_CASE(a_set_tells_the_next_number) {
  NumberSet set(130);
  BOOST_TEST(set.empty());
  for (const unsigned i : {3U, 64U, 129U}) set.insert(i);
  BOOST_TEST(set.next(0) == 3U);
  BOOST_TEST(set.next(4) == 64U);
  BOOST_TEST(set.next(65) == 129U);
  set.erase(129);
  BOOST_TEST(set.next(65) == NumberSet::kNone);
  BOOST_TEST(set.next(200) == NumberSet::kNone);
}

BOOST_AUTO_TEST_CASE(outputs_take_one_message_at_a_time_from_inputs_in_turn) {
  InputQueues<int> queues(3, 1);
  for (const int item : {0, 1}) {
    for (unsigned input = 0; input < 3; ++input)
      queues.push(input, 0, 1, static_cast<int>(10 * input) + item);
  }
  Passed all;
  for (Cycle now = 5; !queues.empty(); ++now) {
    const Passed one = passedIn(queues, now);
    BOOST_TEST(one.size() == 1U);
    all.insert(all.end(), one.begin(), one.end());
  }
  BOOST_TEST((all == Passed{0, 10, 20, 1, 11, 21}));
}

// Output 1 is free, but the message for it stands behind one for output 0.
BOOST_AUTO_TEST_CASE(a_head_holds_those_behind_it) {
  InputQueues<int> queues(2, 2);
  queues.push(0, 0, 4, 1);
  queues.push(1, 0, 1, 2);
  queues.push(1, 1, 1, 3);
  BOOST_TEST((passedIn(queues, 0) == Passed{1}));
  BOOST_TEST(passedIn(queues, 3).empty());
  BOOST_TEST((passedIn(queues, 4) == Passed{2, 3}));
  BOOST_TEST(queues.empty());
}

BOOST_AUTO_TEST_CASE(a_long_message_holds_its_queue) {
  InputQueues<int> queues(1, 2);
  queues.push(0, 0, 3, 1);
  queues.push(0, 1, 1, 2);
  BOOST_TEST((passedIn(queues, 0) == Passed{1}));
  BOOST_TEST(passedIn(queues, 2).empty());
  BOOST_TEST((passedIn(queues, 3) == Passed{2}));
  queues.push(0, 1, 1, 3);
  BOOST_TEST((passedIn(queues, 4) == Passed{3}));
}

// Outputs are served in rising order: the message behind the head meets the later ones alone.
BOOST_AUTO_TEST_CASE(messages_for_rising_outputs_leave_together) {
  InputQueues<int> queues(1, 3);
  for (const unsigned output : {0U, 2U, 1U}) queues.push(0, output, 1, static_cast<int>(output));
  BOOST_TEST((passedIn(queues, 0) == Passed{0, 2}));
  BOOST_TEST((passedIn(queues, 1) == Passed{1}));
}

BOOST_AUTO_TEST_SUITE_END()
