// Entries of a reorder buffer, against a list of all instructions ever issued.
#include <fermata/models/core/reorder_buffer.h>

#include "tests/support/test.h"

using namespace fermata;

namespace {

/// All issued instructions, oldest first. One retires when it and all before it have completed.
struct List {
  std::vector<Cycle> completes;

  Cycle retires(std::size_t index) const {
    return *std::max_element(completes.begin(),
                             completes.begin() + static_cast<std::ptrdiff_t>(index) + 1);
  }
  /// Returns the cycle from which one of `entries` entries is free.
  Cycle free(unsigned entries) const {
    return completes.size() < entries ? 0 : retires(completes.size() - entries);
  }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(reorder_buffer)

BOOST_AUTO_TEST_CASE(none_is_not_used) {
  BOOST_TEST(!ReorderBuffer(48, 0).used());
  BOOST_TEST(ReorderBuffer(48, 1).used());
}

BOOST_AUTO_TEST_CASE(a_slow_one_in_front_holds_those_behind_it) {
  ReorderBuffer buffer(2, 2);
  buffer.issue(1, 100, 0);
  BOOST_TEST(buffer.free(1) == 0U);
  buffer.issue(1, 10, 0);
  BOOST_TEST(buffer.free(1) == 100U);
  BOOST_TEST(buffer.retired(1) == 100U);
  BOOST_TEST(buffer.free(0) == 0U);  // of another warp
  buffer.issue(1, 109, 0);
  BOOST_TEST(buffer.free(1) == 100U);  // the retirement of the one issued in 10
  buffer.issue(1, 110, 0);
  BOOST_TEST(buffer.free(1) == 109U);
}

BOOST_AUTO_TEST_CASE(what_is_not_known_holds_until_it_is) {
  ReorderBuffer buffer(1, 3);
  buffer.issue(0, kNever, 7);
  buffer.issue(0, 20, 0);
  buffer.issue(0, kNever, 9);
  BOOST_TEST(buffer.free(0) == kNever);
  buffer.complete(0, 9, 50);
  BOOST_TEST(buffer.free(0) == kNever);
  buffer.complete(0, 7, 30);
  BOOST_TEST(buffer.free(0) == 30U);
  BOOST_TEST(buffer.retired(0) == 50U);
  buffer.clear(0);
  BOOST_TEST(buffer.free(0) == 0U);
  BOOST_TEST(buffer.retired(0) == 0U);
}

BOOST_DATA_TEST_CASE(retires_as_it_issued, bdata::make({1U, 2U, 5U, 32U}) * bdata::xrange(20U),
                     entries, seed) {
  constexpr unsigned slots = 3;
  std::mt19937 random(seed);
  ReorderBuffer buffer(slots, entries);
  std::vector<List> lists(slots);
  struct Open {
    unsigned slot;
    std::size_t index;
    std::uint64_t access;
  };
  std::vector<Open> open;
  std::uint64_t access = 0;
  Cycle now = 0;
  for (unsigned step = 0; step < 2000; ++step, now += random() % 3) {
    const auto slot = static_cast<unsigned>(random() % slots);
    List& list = lists[slot];
    if (!open.empty() && random() % 3 == 0) {
      const std::size_t which = random() % open.size();
      const Open known = open[which];
      open.erase(open.begin() + static_cast<std::ptrdiff_t>(which));
      const Cycle at = now + random() % 40;
      lists[known.slot].completes[known.index] = at;
      buffer.complete(known.slot, known.access, at);
    } else if (list.free(entries) <= now) {
      const bool known = random() % 4 != 0;
      const Cycle at = known ? now + 1 + random() % 30 : kNever;
      if (!known) open.push_back({slot, list.completes.size(), access});
      list.completes.push_back(at);
      buffer.issue(slot, at, access++);
    }
    for (unsigned s = 0; s < slots; ++s) {
      const Cycle expected = lists[s].free(entries);
      // For past cycles the exact time is unknown.
      BOOST_REQUIRE(std::max(now, buffer.free(s)) == std::max(now, expected));
    }
  }
  BOOST_TEST(access > 100U);
}

BOOST_AUTO_TEST_SUITE_END()
