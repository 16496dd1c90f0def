// The general search against the published methods, on 1000 mixes of access patterns.
#include "tests/search_general/mixes.h"

#include <fermata/models/search/search.h>

namespace fermata::search {
namespace {

constexpr std::uint64_t kEffort = 4000;  // a fiftieth of the default: 1000 mixes in seconds
constexpr std::uint64_t kMixes = 50;     // mixes per test case

std::uint64_t bestPublished(const Problem& problem, const ConflictCount& count) {
  std::uint64_t best = search(MappingClass::Xor, Method::Exhaustive, problem, count).after;
  for (const MappingClass mappingClass : {MappingClass::Bits, MappingClass::Pairs}) {
    for (const Method method : {Method::Givargis, Method::MinimumImbalance}) {
      best = std::min(best, search(mappingClass, method, problem, count).after);
    }
  }
  return best;
}

/// Checks that the general search is never worse. Of the mixes in which the published methods leave
/// conflicts, it must be strictly better on at least a quarter.
void compareFrom(std::uint64_t first) {
  unsigned left = 0;
  unsigned better = 0;
  unsigned proved = 0;
  for (std::uint64_t seed = first; seed < first + kMixes; ++seed) {
    const test::Mix mix = test::makeMix(seed);
    const Problem problem{mix.sets, {32, test::Word{1} << mix.addressBits}};
    const ConflictCount count = conflictCount(problem);
    const std::uint64_t published = bestPublished(problem, count);
    SearchOptions options;
    options.effort = kEffort;
    const Found found = search(MappingClass::Matrix, Method::General, problem, count, options);
    BOOST_REQUIRE_LE(found.after, published);
    BOOST_REQUIRE_LE(found.bound, found.after);
    left += published > 0 ? 1 : 0;
    better += found.after < published ? 1 : 0;
    proved += found.proof == Proof::ConflictFree || found.proof == Proof::Optimal ? 1 : 0;
  }
  BOOST_TEST_MESSAGE("mixes " << first << " and after: the published methods leave conflicts in "
                              << left << ", the general search is better in " << better
                              << " and proved the best in " << proved << " of " << kMixes);
  BOOST_TEST(2 * left > kMixes);
  BOOST_TEST(4 * better >= left);
  BOOST_TEST(proved > 0U);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(random_mixes)

BOOST_AUTO_TEST_CASE(mixes_0_to_49) {
  compareFrom(0);
}
BOOST_AUTO_TEST_CASE(mixes_50_to_99) {
  compareFrom(50);
}
BOOST_AUTO_TEST_CASE(mixes_100_to_149) {
  compareFrom(100);
}
BOOST_AUTO_TEST_CASE(mixes_150_to_199) {
  compareFrom(150);
}
BOOST_AUTO_TEST_CASE(mixes_200_to_249) {
  compareFrom(200);
}
BOOST_AUTO_TEST_CASE(mixes_250_to_299) {
  compareFrom(250);
}
BOOST_AUTO_TEST_CASE(mixes_300_to_349) {
  compareFrom(300);
}
BOOST_AUTO_TEST_CASE(mixes_350_to_399) {
  compareFrom(350);
}
BOOST_AUTO_TEST_CASE(mixes_400_to_449) {
  compareFrom(400);
}
BOOST_AUTO_TEST_CASE(mixes_450_to_499) {
  compareFrom(450);
}
BOOST_AUTO_TEST_CASE(mixes_500_to_549) {
  compareFrom(500);
}
BOOST_AUTO_TEST_CASE(mixes_550_to_599) {
  compareFrom(550);
}
BOOST_AUTO_TEST_CASE(mixes_600_to_649) {
  compareFrom(600);
}
BOOST_AUTO_TEST_CASE(mixes_650_to_699) {
  compareFrom(650);
}
BOOST_AUTO_TEST_CASE(mixes_700_to_749) {
  compareFrom(700);
}
BOOST_AUTO_TEST_CASE(mixes_750_to_799) {
  compareFrom(750);
}
BOOST_AUTO_TEST_CASE(mixes_800_to_849) {
  compareFrom(800);
}
BOOST_AUTO_TEST_CASE(mixes_850_to_899) {
  compareFrom(850);
}
BOOST_AUTO_TEST_CASE(mixes_900_to_949) {
  compareFrom(900);
}
BOOST_AUTO_TEST_CASE(mixes_950_to_999) {
  compareFrom(950);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::search
