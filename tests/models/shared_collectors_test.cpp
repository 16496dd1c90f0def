// Collectors that all kinds of instructions share.
#include <fermata/models/core/shared_collectors.h>

#include <vector>

#include "tests/support/test.h"

using namespace fermata;
using namespace fermata::test;

namespace {

constexpr unsigned kSum = static_cast<unsigned>(IssueKind::Integer);
constexpr unsigned kFloat = static_cast<unsigned>(IssueKind::Alu);

/// Instructions on their way through one or two collectors.
struct Way : Named {
  struct One {
    unsigned scheduler;
    unsigned place;
    Cycle issued;
    Cycle reading;
    Cycle taken;
    Cycle leaves;
    Cycle started;
  };
  unsigned collectors;
  unsigned schedulers;
  std::vector<One> instructions;
};
const Way kWays[] = {
    {"registers are read in the collector", 1, 1, {{0, kSum, 5, 2, 6, 8, 9}}},
    {"the place behind is taken until the start",
     1,
     1,
     {{0, kSum, 0, 0, 1, 1, 2}, {0, kSum, 1, 0, 2, 2, 6}, {0, kSum, 2, 0, 3, 6, 10}}},
    {"another kind waits for the collector",
     1,
     1,
     {{0, kSum, 0, 0, 1, 1, 2},
      {0, kSum, 1, 0, 2, 2, 6},
      {0, kSum, 2, 0, 3, 6, 10},
      {0, kFloat, 3, 0, 6, 6, 7}}},
    {"a second collector takes it",
     2,
     1,
     {{0, kSum, 1, 0, 2, 2, 6}, {0, kSum, 2, 0, 3, 6, 10}, {0, kFloat, 3, 0, 4, 4, 5}}},
    {"a kind keeps its order over schedulers",
     2,
     2,
     {{0, kSum, 0, 9, 1, 10, 11}, {0, kSum, 1, 0, 10, 11, 12}, {1, kSum, 2, 0, 10, 10, 11}}},
    {"another kind of another scheduler does not wait",
     2,
     2,
     {{0, kSum, 0, 9, 1, 10, 11}, {0, kSum, 1, 0, 10, 11, 12}, {1, kFloat, 2, 0, 3, 3, 4}}}};

}  // namespace

BOOST_AUTO_TEST_SUITE(shared_collectors)

BOOST_DATA_TEST_CASE(ways, bdata::make(kWays), row) {
  SharedCollectors collectors(row.collectors, row.schedulers);
  for (const Way::One& one : row.instructions) {
    const SharedCollectors::Way way =
        collectors.take(one.scheduler, one.place, one.issued, one.reading);
    BOOST_TEST(way.taken == one.taken);
    BOOST_TEST(way.leaves == one.leaves);
    collectors.start(one.scheduler, one.place, one.started);
  }
}

BOOST_AUTO_TEST_SUITE_END()
