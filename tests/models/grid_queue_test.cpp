// The order in which grids of a set place CTAs, and the room that CTAs of several grids find.
#include <fermata/models/core/grid_queue.h>
#include <fermata/models/core/sm_room.h>

#include "tests/support/test.h"

using namespace fermata;

namespace {

GridSet::Member gridOf(std::uint64_t ctas, int priority = 0, std::vector<unsigned> after = {}) {
  GridSet::Member member;
  member.grid.ctas = ctas;
  member.grid.threadsPerCta = 64;
  member.priority = priority;
  member.after = std::move(after);
  return member;
}

/// Begins the head and places all of its CTAs.
void placeAll(GridQueue& queue, unsigned member, Cycle now = 0) {
  queue.begin(member, now);
  while (queue.hasCtas(member)) queue.place(member);
}

OccupancyLimits limits() {
  OccupancyLimits l;
  l.warps = 16;
  l.threads = 512;
  l.ctas = 8;
  l.registers = 16384;
  l.sharedBytes = 4096;
  l.sharedUnit = 128;
  return l;
}

CtaNeeds needs(unsigned warps, std::uint32_t window = 0) {
  return {warps, 64, window, window};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(grid_queue)

BOOST_AUTO_TEST_CASE(the_head_places_all_of_its_ctas_before_the_next) {
  const GridSet set{{gridOf(2), gridOf(1)}};
  GridQueue queue(set);
  BOOST_TEST(queue.head() == 0);
  queue.begin(0, 5);
  BOOST_TEST(queue.place(0) == 0);
  BOOST_TEST(queue.head() == 0);
  BOOST_TEST(queue.place(0) == 1);
  BOOST_TEST(queue.head() == 1);
  placeAll(queue, 1, 7);
  BOOST_TEST(queue.head() == GridQueue::kNone);
  BOOST_TEST(!queue.retire(0, 20));
  BOOST_TEST(queue.retire(1, 30));
  BOOST_TEST(queue.retire(0, 25));
  BOOST_TEST(queue.allOver());
  BOOST_TEST(queue.of(0).begun == 5);
  BOOST_TEST(queue.of(0).ended == 25);
  BOOST_TEST(queue.last() == 30);
  BOOST_TEST(queue.endedCtas() == 3);
}

BOOST_AUTO_TEST_CASE(a_grid_waits_for_those_before_it) {
  const GridSet set{{gridOf(1), gridOf(1), gridOf(1, 0, {0, 1}), gridOf(1, 0, {2})}};
  GridQueue queue(set);
  placeAll(queue, 0);
  placeAll(queue, 1);
  BOOST_TEST(queue.head() == GridQueue::kNone);
  queue.retire(1, 10);
  BOOST_TEST(queue.head() == GridQueue::kNone);
  queue.retire(0, 11);
  BOOST_TEST(queue.head() == 2);
  placeAll(queue, 2);
  queue.retire(2, 12);
  BOOST_TEST(queue.head() == 3);
}

BOOST_AUTO_TEST_CASE(a_higher_priority_goes_first_even_when_another_has_begun) {
  const GridSet set{{gridOf(4), gridOf(1, 0, {}), gridOf(2, -1, {})}};
  GridQueue queue(set);
  BOOST_TEST(queue.head() == 2);
  placeAll(queue, 2);
  BOOST_TEST(queue.head() == 0);
  const GridSet later{{gridOf(4), gridOf(1), gridOf(2, -5, {1})}};
  GridQueue other(later);
  other.begin(0, 0);
  other.place(0);
  BOOST_TEST(other.head() == 0);
  other.begin(1, 0);
  other.place(1);
  other.retire(1, 3);
  BOOST_TEST(other.head() == 2);  // grid 0 has CTAs left, and waits
}

BOOST_AUTO_TEST_CASE(an_early_grid_begins_when_it_is_let) {
  GridSet set{{gridOf(1), gridOf(1), gridOf(1, 0, {0, 1})}};
  set.members[1].early = {0};
  GridQueue queue(set);
  placeAll(queue, 0);
  BOOST_TEST(queue.awaited() == std::vector<unsigned>{0}, tt::per_element());
  BOOST_TEST(queue.head() == GridQueue::kNone);
  queue.letBegin(0);
  BOOST_TEST(queue.awaited().empty());
  BOOST_TEST(queue.head() == 1);
  placeAll(queue, 1);
  queue.retire(1, 4);
  BOOST_TEST(queue.head() == GridQueue::kNone);  // grid 2 waits for the end of grid 0
  queue.retire(0, 5);
  BOOST_TEST(queue.head() == 2);
  GridQueue other(set);
  placeAll(other, 0);
  other.retire(0, 9);  // without a signal
  BOOST_TEST(other.head() == 1);
}

BOOST_AUTO_TEST_CASE(work_of_the_host_takes_no_place) {
  const GridSet set{{gridOf(1), gridOf(0, 0, {0}), gridOf(1, 0, {1})}};
  GridQueue queue(set);
  placeAll(queue, 0);
  queue.retire(0, 9);
  BOOST_TEST(queue.head() == 1);
  queue.begin(1, 9);
  queue.end(1, 9);
  BOOST_TEST(queue.head() == 2);
}

BOOST_AUTO_TEST_CASE(no_more_grids_are_live_than_a_device_has) {
  GridSet set;
  for (unsigned i = 0; i <= GridQueue::kMostGrids; ++i) set.members.push_back(gridOf(1));
  GridQueue queue(set);
  for (unsigned i = 0; i < GridQueue::kMostGrids; ++i) placeAll(queue, i);
  BOOST_TEST(queue.head() == GridQueue::kNone);
  queue.retire(7, 1);
  BOOST_TEST(queue.head() == GridQueue::kMostGrids);
}

BOOST_AUTO_TEST_CASE(ctas_take_neighbouring_slots_where_they_are_free) {
  SmRoom room;
  room.clear(limits());
  BOOST_TEST(room.room(needs(4)) == 4);
  const auto first = room.find(needs(4));
  room.take(needs(4), *first);
  const auto second = room.find(needs(2));
  BOOST_TEST(second->firstSlot == 4);
  room.take(needs(2), *second);
  const auto third = room.find(needs(8));
  BOOST_TEST(third->firstSlot == 6);
  room.take(needs(8), *third);
  BOOST_TEST(room.find(needs(2))->firstSlot == 14);
  room.giveBack(needs(4), *first);
  BOOST_TEST(room.room(needs(6)) == 1);
  BOOST_TEST(!room.find(needs(6)));  // 4 free slots, and 2 elsewhere
  BOOST_TEST(room.find(needs(3))->firstSlot == 0);
}

BOOST_AUTO_TEST_CASE(windows_lie_between_others_and_are_aligned_where_they_can) {
  SmRoom room;
  room.clear(limits());
  const auto first = room.find(needs(1, 384));
  room.take(needs(1, 384), *first);
  const auto second = room.find(needs(1, 1024));
  BOOST_TEST(second->windowBase == 1024);
  room.take(needs(1, 1024), *second);
  const auto between = room.find(needs(1, 384));
  BOOST_TEST(between->windowBase == 512);
  room.take(needs(1, 384), *between);
  SmRoom other;
  other.clear(limits());
  other.take(needs(1, 384), *other.find(needs(1, 384)));
  BOOST_TEST(other.find(needs(1, 2176))->windowBase == 384);  // 4096 is too far
}

BOOST_AUTO_TEST_CASE(every_limit_bounds_the_room) {
  SmRoom room;
  room.clear(limits());
  BOOST_TEST(room.room({1, 16384, 0, 0}) == 1);
  BOOST_TEST(room.room({1, 64, 0, 0}) == 8);  // places
  BOOST_TEST(room.room({1, 64, 2048, 2048}) == 2);
  BOOST_TEST(room.room({8, 64, 0, 0}) == 2);
  BOOST_TEST(room.room({17, 64, 0, 0}) == 0);
}

BOOST_AUTO_TEST_SUITE_END()
