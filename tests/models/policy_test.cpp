#include <fermata/models/core/warp_policy.h>

#include <boost/test/unit_test.hpp>
#include <set>
#include <vector>

using fermata::makeGreedyThenOldest;
using fermata::makeLooseRoundRobin;
using fermata::makeTwoLevel;
using fermata::MakeWarpPolicy;
using fermata::SlotMask;

namespace {

std::vector<unsigned> picks(fermata::WarpPolicy& policy, const std::vector<SlotMask>& ready) {
  std::vector<unsigned> out;
  for (const SlotMask mask : ready) out.push_back(policy.pick(mask));
  return out;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(policy)

BOOST_AUTO_TEST_CASE(loose_round_robin_goes_around) {
  const auto policy = makeLooseRoundRobin({});
  const std::vector<unsigned> expected{0, 1, 3, 0, 3, 63, 0};
  BOOST_TEST(picks(*policy, {0xb, 0xb, 0xb, 0xb, 0x8, 1ULL << 63 | 1, 1ULL << 63 | 1}) == expected);
}

BOOST_AUTO_TEST_CASE(greedy_stays_then_takes_the_oldest) {
  const auto policy = makeGreedyThenOldest({});
  for (const unsigned slot : {5U, 2U, 7U}) policy->started(slot);
  const std::vector<unsigned> expected{5, 5, 2, 2, 5};
  BOOST_TEST(picks(*policy, {0xa4, 0xa4, 0x84, 0xa4, 0xa0}) == expected);
  policy->started(5);  // a new warp in the old slot is the youngest
  BOOST_TEST(policy->pick(0xa0) == 7U);
}

BOOST_AUTO_TEST_CASE(two_level_keeps_to_its_active_set) {
  const auto policy = makeTwoLevel({2});
  const SlotMask all = 0xff;
  std::set<unsigned> seen;
  for (int i = 0; i < 16; ++i) seen.insert(policy->pick(all));
  BOOST_TEST((seen == std::set<unsigned>{0, 1}));
  // The active warps stall: others take their places, and stay until they stall too.
  seen.clear();
  for (int i = 0; i < 16; ++i) seen.insert(policy->pick(all & ~SlotMask{3}));
  BOOST_TEST((seen == std::set<unsigned>{2, 3}));
}

BOOST_AUTO_TEST_CASE(reset_is_as_new) {
  for (const auto& choice : fermata::ChoiceTable<MakeWarpPolicy>::table()) {
    const auto used = choice.value({3});
    const auto fresh = choice.value({3});
    for (const unsigned slot : {4U, 1U, 9U}) used->started(slot);
    picks(*used, {0x3ff, 0x3f0, 0x2aa});
    used->reset();
    const std::vector<SlotMask> ready{0x212, 0x210, 0x3ff, 0x2, 0x300};
    BOOST_TEST(picks(*used, ready) == picks(*fresh, ready));
  }
}

// Each name makes its own policy: a line missing in the table fails here.
BOOST_AUTO_TEST_CASE(names_are_those_of_the_platform_files) {
  BOOST_TEST(fermata::choiceNames<MakeWarpPolicy>() == "lrr|gto|two-level|conflict-aware");
  MakeWarpPolicy made = nullptr;
  BOOST_TEST(fermata::choose(made, "lrr"));
  BOOST_TEST((made == makeLooseRoundRobin));
  BOOST_TEST(fermata::choose(made, "gto"));
  BOOST_TEST((made == makeGreedyThenOldest));
  BOOST_TEST(fermata::choose(made, "two-level"));
  BOOST_TEST((made == makeTwoLevel));
  BOOST_TEST(!fermata::choose(made, "fifo"));
  BOOST_TEST((made == makeTwoLevel));  // a wrong name changes nothing
}

BOOST_AUTO_TEST_SUITE_END()
