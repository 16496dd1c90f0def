#include <fermata/models/core/core_description.h>
#include <fermata/models/core/warp_policy.h>

#include "tests/support/test.h"

using namespace fermata;
using Choice = Chosen<WarpPolicy>;

namespace {

std::vector<unsigned> picks(WarpPolicy& policy, const std::vector<SlotMask>& ready) {
  std::vector<unsigned> out;
  for (const SlotMask mask : ready) out.push_back(policy.pick(mask));
  return out;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(policy)

BOOST_AUTO_TEST_CASE(loose_round_robin_goes_around) {
  const auto policy = Choice("lrr").make();
  const std::vector<unsigned> expected{0, 1, 3, 0, 3, 63, 0};
  BOOST_TEST(picks(*policy, {0xb, 0xb, 0xb, 0xb, 0x8, 1ULL << 63 | 1, 1ULL << 63 | 1}) == expected);
}

BOOST_AUTO_TEST_CASE(greedy_stays_then_takes_the_oldest) {
  const auto policy = Choice("gto").make();
  for (const unsigned slot : {5U, 2U, 7U}) policy->started(slot);
  const std::vector<unsigned> expected{5, 5, 2, 2, 5};
  BOOST_TEST(picks(*policy, {0xa4, 0xa4, 0x84, 0xa4, 0xa0}) == expected);
  policy->started(5);  // a new warp in the old slot is the youngest
  BOOST_TEST(policy->pick(0xa0) == 7U);
}

BOOST_AUTO_TEST_CASE(greedy_stays_then_takes_the_youngest) {
  const auto policy = Choice("gty").make();
  for (const unsigned slot : {5U, 2U, 7U}) policy->started(slot);
  const std::vector<unsigned> expected{7, 7, 2, 2, 5, 5, 7};
  BOOST_TEST(picks(*policy, {0xa4, 0xa4, 0x24, 0xa4, 0x20, 0xa4, 0x84}) == expected);
  policy->started(5);  // a new warp in the old slot is the youngest
  BOOST_TEST(policy->pick(0x24) == 5U);
}

BOOST_AUTO_TEST_CASE(two_level_keeps_to_its_active_set) {
  PolicyValues values;
  values.at(Choice("two-level")->parameters[0]) = 2;
  const auto policy = Choice("two-level").make(values);
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
  for (const Descriptor<WarpPolicy>* policy : Descriptor<WarpPolicy>::table()) {
    if (policy->make == nullptr) continue;
    const auto used = policy->make({});
    const auto fresh = policy->make({});
    for (const unsigned slot : {4U, 1U, 9U}) used->started(slot);
    picks(*used, {0x3ff, 0x3f0, 0x2aa});
    used->reset();
    const std::vector<SlotMask> ready{0x212, 0x210, 0x3ff, 0x2, 0x300};
    BOOST_TEST(picks(*used, ready) == picks(*fresh, ready));
  }
}

// A scheduler relies on it that the warp picked is ready.
BOOST_AUTO_TEST_CASE(every_policy_picks_a_ready_warp) {
  for (const Descriptor<WarpPolicy>* policy : Descriptor<WarpPolicy>::table()) {
    if (policy->make == nullptr) continue;
    const auto made = policy->make({});
    std::mt19937_64 random(1);
    for (unsigned i = 0; i < 20000; ++i) {
      const auto slot = static_cast<unsigned>(random() % kMaxWarpSlots);
      if (i % 5 == 0) made->started(slot);
      if (i % 7 == 0) made->ended(slot);
      const SlotMask ready = random() & random() & random();
      if (ready == 0) continue;
      const unsigned picked = made->pick(ready);
      BOOST_REQUIRE_MESSAGE(picked < kMaxWarpSlots && (ready >> picked & 1) != 0, policy->name);
    }
  }
}

// Platform files, `--set` and programs in C++ share the names. A policy of one's own needs no
// table.
BOOST_AUTO_TEST_CASE(policies_are_chosen_by_name_or_by_descriptor) {
  BOOST_TEST(choiceName(Choice()) == "lrr");
  Choice chosen("two-level");
  BOOST_TEST(!choose(chosen, "fifo"));
  BOOST_TEST(choiceName(chosen) == "two-level");  // a wrong name changes nothing
  BOOST_CHECK_EXCEPTION(Choice("fifo"), BadInput, [](const BadInput& e) {
    return e.what() == "policy 'fifo'; expected one of " + choiceNames<Choice>();
  });
  static const Descriptor<WarpPolicy> own{"own", Choice("gto")->make};
  BOOST_TEST(choiceName(Choice(own)) == "own");
}

BOOST_AUTO_TEST_CASE(values_are_those_set_or_the_standard) {
  const PolicyParameter active = Choice("two-level")->parameters[0];
  PolicyValues values;
  BOOST_TEST(values.of(active) == 8U);
  values.at(active) = 3;
  BOOST_TEST(values.of(active) == 3U);
}

// The range of a parameter stands once: for platform files and for the core's own check.
BOOST_AUTO_TEST_CASE(a_core_out_of_range_is_named) {
  const auto wrong = [](const CoreParameters& parameters) {
    CoreParameters copy = parameters;
    RangeCheck check;
    describeCore(copy, check);
    return check.wrong();
  };
  CoreParameters p;
  BOOST_TEST(wrong(p) == "");
  p.limits.sharedUnit = 48;
  BOOST_TEST(wrong(p) == "limits.shared_unit = 48; expected a power of two from 16 to 65536");
  p.issue.schedulers = 9;
  BOOST_TEST(wrong(p) == "scheduler.schedulers = 9; expected 1 to 8");
}

BOOST_AUTO_TEST_SUITE_END()
