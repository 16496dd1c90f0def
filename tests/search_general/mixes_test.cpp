// The general search against the published methods, on 1000 mixes of access patterns.
#include "tests/search_general/mixes.h"

#include <fermata/models/search/search.h>

namespace fermata::search {
namespace {

using namespace test;

constexpr std::uint64_t kEffort = 4000;  // a fiftieth of the default: 1000 mixes in seconds
constexpr std::uint64_t kMixes = 50;     // mixes per sample

std::uint64_t bestPublished(const Problem& problem, const ConflictCount& count) {
  std::uint64_t best = search(MappingClass::Xor, Method::Exhaustive, problem, count).after;
  for (const MappingClass mappingClass : {MappingClass::Bits, MappingClass::Pairs}) {
    for (const Method method : {Method::Givargis, Method::MinimumImbalance}) {
      best = std::min(best, search(mappingClass, method, problem, count).after);
    }
  }
  return best;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(random_mixes)

// The general search is never worse. Of the mixes in which the published methods leave conflicts,
// it must be strictly better on at least a quarter.
BOOST_DATA_TEST_CASE(mixes, bdata::xrange(std::uint64_t{0}, std::uint64_t{1000}, kMixes), first) {
  unsigned left = 0;
  unsigned better = 0;
  unsigned proved = 0;
  for (std::uint64_t seed = first; seed < first + kMixes; ++seed) {
    const Mix mix = makeMix(seed);
    const Problem problem{mix.sets, {32, Word{1} << mix.addressBits}};
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

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::search
