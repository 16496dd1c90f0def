// The engine for bulk copies: when each piece of a copy may go.
#include <fermata/models/core/bulk_engine.h>
#include "tests/support/test.h"

#include <vector>

using namespace fermata;

namespace {

/// Loads: a copy each 69 cycles, 128 bytes a cycle, 10 cycles behind its issue. Stores: 21, 32, 5.
BulkEngine engine() {
  BulkEngineParameters p;
  p.loadInterval = 69;
  p.loadLatency = 10;
  p.loadBytes = 128;
  p.storeInterval = 21;
  p.storeLatency = 5;
  p.storeBytes = 32;
  return BulkEngine(p);
}

constexpr bool kIn = false, kOut = true;

/// Plans a copy of `bytes` bytes that issues in cycle `now`; returns the cycles of its pieces.
std::vector<Cycle> copy(BulkEngine& engine, unsigned bytes, bool out, Cycle now) {
  std::vector<Cycle> cycles;
  bool begins = true;
  for (unsigned left = bytes; left != 0; begins = false) {
    const unsigned piece = std::min(left, 512U);
    cycles.push_back(engine.plan(piece, out, begins, now));
    left -= piece;
  }
  return cycles;
}

void same(const std::vector<Cycle>& got, const std::vector<Cycle>& expected) {
  BOOST_TEST(got == expected, boost::test_tools::per_element());
}

}  // namespace

BOOST_AUTO_TEST_SUITE(bulk_engine)

BOOST_AUTO_TEST_CASE(there_is_none_without_an_interval) {
  BOOST_TEST(!BulkEngine(BulkEngineParameters()).exists());
  BOOST_TEST(engine().exists());
}

// 512 bytes take 4 cycles on their way in, 16 on their way out.
BOOST_AUTO_TEST_CASE(pieces_go_at_the_rate_of_their_way) {
  BulkEngine in = engine(), out = engine();
  same(copy(in, 1552, kIn, 100), {110, 114, 118, 122});
  same(copy(out, 1040, kOut, 100), {105, 121, 152});  // the last 16 bytes at the end of 16 cycles
}

// Short copies wait for the interval, long ones for the pieces before them.
BOOST_AUTO_TEST_CASE(copies_go_one_behind_another) {
  BulkEngine one = engine();
  same(copy(one, 16, kIn, 0), {10});
  same(copy(one, 16, kIn, 1), {79});
  same(copy(one, 16, kIn, 500), {510});
  same(copy(one, 16, kOut, 501), {594});  // behind a copy in, whose interval counts
  same(copy(one, 16, kOut, 502), {615});
  BulkEngine two = engine();
  same(copy(two, 2048, kOut, 0), {5, 21, 37, 53});
  same(copy(two, 512, kOut, 1), {69});
}

BOOST_AUTO_TEST_CASE(pieces_leave_in_order) {
  BulkEngine one = engine();
  BOOST_TEST(one.due() == kNever);
  WarpAccess a, b;
  one.push(a, 7);
  one.push(b, 9);
  BOOST_TEST(one.due() == 7U);
  BOOST_TEST(&one.front() == &a);
  one.pop();
  BOOST_TEST(one.due() == 9U);
  one.pop();
  BOOST_TEST(one.empty());
}

BOOST_AUTO_TEST_SUITE_END()
