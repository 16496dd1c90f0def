// Final byte when writes of several caches meet, and bytes that a load may find.
#include <fermata/models/memory/write_order.h>

#include "tests/support/test.h"

using fermata::WriteOrder;

namespace {

const int kOne = 0, kOther = 0;  // their addresses are two caches

struct Byte {
  WriteOrder::Line line{{7}};
  std::uint8_t take(std::uint64_t order, const void* cache, std::uint8_t value) {
    return line.take(0, {order, cache}, value);
  }
  bool mayFind(std::uint64_t order, const void* cache, std::uint8_t value) const {
    return line.mayFind(0, {order, cache}, value);
  }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(write_order)

BOOST_AUTO_TEST_CASE(a_write_that_comes_behind_a_newer_one_leaves_the_newer_byte) {
  Byte byte;
  BOOST_TEST(byte.take(5, &kOne, 9) == 9);
  BOOST_TEST(byte.take(3, &kOther, 8) == 9);
  BOOST_TEST(byte.take(6, &kOther, 10) == 10);
}

BOOST_AUTO_TEST_CASE(a_load_may_find_what_the_byte_has_held_where_another_cache_wrote) {
  Byte byte;
  byte.take(5, &kOne, 9);
  byte.take(3, &kOther, 8);
  byte.take(6, &kOne, 10);
  for (const std::uint8_t held : {7, 8, 9, 10}) BOOST_TEST(byte.mayFind(20, &kOther, held));
  BOOST_TEST(!byte.mayFind(20, &kOther, 11));
}

// Within a cache a value is old only once the cache's own later write overtakes it.
BOOST_AUTO_TEST_CASE(the_only_writer_finds_its_own_writes) {
  Byte byte;
  byte.take(5, &kOne, 9);
  BOOST_TEST(!byte.mayFind(8, &kOne, 7));
  BOOST_TEST(byte.mayFind(4, &kOne, 9));
  BOOST_TEST(byte.mayFind(8, &kOther, 7));
}

// Several warps' accesses may come to the cache in another order than they were executed.
BOOST_AUTO_TEST_CASE(the_only_writer_may_load_before_its_write_comes) {
  Byte byte;
  byte.line.take(0, {5, &kOne, 40}, 9);
  BOOST_TEST(byte.line.mayFind(0, {8, &kOne, 39}, 7));
  BOOST_TEST(!byte.line.mayFind(0, {8, &kOne, 41}, 7));
}

BOOST_AUTO_TEST_CASE(what_nobody_writes_is_never_excused) {
  Byte byte;
  BOOST_TEST(!byte.mayFind(8, &kOne, 7));
  WriteOrder writes;
  BOOST_TEST((writes.find(3) == nullptr));
  writes.add(3, {1, 2}).take(1, {1, &kOne}, 5);
  BOOST_TEST(writes.find(3)->mayFind(1, {9, &kOther}, 2));
  BOOST_TEST(!writes.find(3)->mayFind(0, {9, &kOther}, 1));
  writes.clear();
  BOOST_TEST((writes.find(3) == nullptr));
}

BOOST_AUTO_TEST_SUITE_END()
