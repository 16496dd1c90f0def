// GPCs: numbers of SMs, turns of CTAs, places of clusters.
#include <fermata/models/core/gpcs.h>

#include "tests/support/test.h"

using namespace fermata;

namespace {

using Sms = std::vector<unsigned>;

void checkAre(const Sms& found, const Sms& wanted) {
  BOOST_TEST(found == wanted, boost::test_tools::per_element());
}

}  // namespace

BOOST_AUTO_TEST_SUITE(gpcs)

// Pairs of SMs go to the GPCs in turn; those of lone TPCs come last.
BOOST_AUTO_TEST_CASE(sms_are_numbered_in_pairs) {
  const Gpcs chip({{2, 2}, {4, 0}, {6, 0}});
  BOOST_TEST(chip.sms() == 14U);
  checkAre(chip.gpcOf(), {0, 0, 1, 1, 2, 2, 1, 1, 2, 2, 2, 2, 0, 0});
  BOOST_TEST(chip.turns().size() == 4U);
  checkAre(chip.turns()[0], {0, 1});
  checkAre(chip.turns()[1], {2, 3, 6, 7});
  checkAre(chip.turns()[2], {4, 5, 8, 9, 10, 11});
  checkAre(chip.turns()[3], {12, 13});
  BOOST_TEST(chip.hasLone());
  BOOST_TEST(chip.largest() == 6U);
}

BOOST_AUTO_TEST_CASE(an_odd_sm_is_half_of_a_tpc) {
  const Gpcs chip({{3, 0}, {2, 0}});
  checkAre(chip.gpcOf(), {0, 0, 1, 1, 0});
}

// Lone TPCs are the first, then after 5 turns of GPCs, then after each 6.
BOOST_AUTO_TEST_CASE(lone_tpcs_have_turns_of_their_own) {
  const Gpcs chip({{2, 2}, {2, 0}, {2, 0}});
  GpcTurns turns(chip);
  Sms firsts;
  for (unsigned i = 0; i < 16; ++i) firsts.push_back(turns.next().front());
  checkAre(firsts, {6, 0, 2, 4, 0, 2, 6, 4, 0, 2, 4, 0, 2, 6, 4, 0});
}

BOOST_AUTO_TEST_CASE(without_lone_tpcs_gpcs_go_round) {
  const Gpcs chip({{2, 0}, {2, 0}});
  GpcTurns turns(chip);
  Sms firsts;
  for (unsigned i = 0; i < 5; ++i) firsts.push_back(turns.next().front());
  checkAre(firsts, {0, 2, 0, 2, 0});
}

// 132 CTAs of an H100: those of lone TPCs get a second one before three GPCs get any.
BOOST_AUTO_TEST_CASE(one_sm_gets_at_most) {
  const Gpcs lone({{8, 8}, {16, 0}, {16, 0}, {16, 0}, {16, 0}, {16, 0}, {18, 0}, {18, 0}});
  BOOST_TEST(mostOfOneSm(lone, 80, 32) == 1U);
  BOOST_TEST(mostOfOneSm(lone, 81, 32) == 2U);
  BOOST_TEST(mostOfOneSm(lone, 132, 32) == 2U);
  BOOST_TEST(mostOfOneSm(lone, 1U << 30, 32) == 32U);
  const Gpcs even({{2, 0}, {4, 0}});
  BOOST_TEST(mostOfOneSm(even, 6, 32) == 1U);
  BOOST_TEST(mostOfOneSm(even, 7, 32) == 2U);
}

// The cluster of 8 leaves two SMs of the GPC of 10, and all lone TPCs.
BOOST_AUTO_TEST_CASE(clusters_lie_in_one_gpc) {
  const Gpcs chip({{4, 2}, {10, 0}});
  const std::vector<Sms> pairs = chip.clusters(2);
  BOOST_TEST(pairs.size() == 8U);
  checkAre(pairs.front(), {14, 15});
  checkAre(pairs[1], {0, 1});
  checkAre(pairs[2], {4, 5});
  const std::vector<Sms> fours = chip.clusters(4);
  BOOST_TEST(fours.size() == 3U);
  checkAre(fours[1], {2, 3, 6, 7});
  checkAre(fours[2], {8, 9, 10, 11});
  const std::vector<Sms> eights = chip.clusters(8);
  BOOST_TEST(eights.size() == 1U);
  checkAre(eights[0], {2, 3, 6, 7, 8, 9, 10, 11});
  BOOST_TEST(chip.clusters(16).empty());
}

BOOST_AUTO_TEST_SUITE_END()
