// Loads of the scratchpad that another order of writes explains, and loads that it does not.
#include <fermata/models/memory/arrival_order.h>

#include "tests/support/test.h"

using fermata::ArrivalOrder;

namespace {

constexpr std::uint32_t kAt = 3;

struct OneByte : ArrivalOrder {
  OneByte() : ArrivalOrder(8) {}
  bool writes(std::uint64_t order, unsigned slot, std::uint8_t value) {
    return write(kAt, {order, slot}, value);
  }
  void doubts(std::uint64_t order, unsigned slot, std::uint8_t expected) {
    doubt(kAt, {order, slot}, expected, "load " + std::to_string(order));
  }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(arrival_order)

BOOST_FIXTURE_TEST_CASE(the_newest_byte_stays, OneByte) {
  BOOST_TEST(writes(5, 0, 9));
  BOOST_TEST(!writes(3, 1, 8));
  BOOST_TEST(writes(5, 0, 7));  // a higher lane of the same access
  BOOST_TEST(writes(6, 1, 8));
}

BOOST_FIXTURE_TEST_CASE(a_newer_write_of_another_warp_has_overtaken_the_load, OneByte) {
  writes(5, 0, 9);
  BOOST_TEST(isOvertaken(kAt, {4, 1}));
  BOOST_TEST(!isOvertaken(kAt, {4, 0}));  // the load's own warp keeps its order
  BOOST_TEST(!isOvertaken(kAt, {6, 1}));
  BOOST_TEST(!isOvertaken(kAt + 1, {4, 1}));
}

BOOST_FIXTURE_TEST_CASE(an_older_write_that_comes_later_explains_the_load, OneByte) {
  doubts(5, 0, 9);
  writes(4, 1, 9);
  BOOST_TEST(!unexplained().has_value());
}

BOOST_FIXTURE_TEST_CASE(other_writes_explain_nothing, OneByte) {
  doubts(5, 0, 9);
  writes(4, 1, 8);            // differs from the executor's byte
  writes(4, 0, 9);            // from the load's own warp
  writes(6, 1, 9);            // newer than the load
  write(kAt + 1, {4, 1}, 9);  // at another address
  BOOST_TEST(unexplained().value_or("") == "load 5");
  BOOST_TEST(!unexplained().has_value());
}

BOOST_FIXTURE_TEST_CASE(a_window_that_is_cleared_begins_anew, OneByte) {
  writes(7, 0, 9);
  doubts(5, 1, 9);
  BOOST_TEST(!forget(kAt + 1).has_value());
  BOOST_TEST(forget(kAt).value_or("") == "load 5");
  BOOST_TEST(!forget(kAt).has_value());
  BOOST_TEST(!isOvertaken(kAt, {4, 1}));
  BOOST_TEST(writes(1, 1, 8));
}

BOOST_AUTO_TEST_SUITE_END()
