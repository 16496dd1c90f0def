// Cycles of registers in 32 bits read as they were written, however far the clock has gone on.
#include <fermata/models/core/register_cycles.h>
#include <fermata/models/vocabulary/cycle.h>

#include "tests/support/test.h"

#include <random>

using namespace fermata;

namespace {

constexpr unsigned kSlots = 2;
constexpr std::uint32_t kRegisters = 5;

}  // namespace

BOOST_AUTO_TEST_SUITE(register_cycles)

BOOST_AUTO_TEST_CASE(unknown_is_later_than_all) {
  RegisterCycles cycles;
  cycles.configure(kSlots, kRegisters);
  BOOST_TEST(cycles.cycle(cycles.value(kNever)) == kNever);
  BOOST_TEST(cycles.value(kNever) > cycles.value(1000));
  BOOST_TEST(cycles.value(1001) > cycles.value(1000));
}

// The clock jumps by up to 2^33: values move, unknown ones stay, and those that have passed may
// read as any cycle that has.
BOOST_AUTO_TEST_CASE(values_stay_right_as_the_base_moves) {
  std::mt19937_64 random(1);
  RegisterCycles cycles;
  cycles.configure(kSlots, kRegisters);
  std::vector<Cycle> naive(kSlots * kRegisters, 0);
  Cycle now = 0;
  for (unsigned step = 0; step < 2000; ++step) {
    now += random() % 8 == 0 ? random() % (Cycle{1} << 33) : random() % 100;
    const auto slot = static_cast<unsigned>(random() % kSlots);
    const auto one = static_cast<unsigned>(random() % kRegisters);
    const Cycle at = random() % 5 == 0 ? kNever : now + random() % 1000;
    const std::uint32_t value = cycles.value(at);
    cycles.of(slot)[one] = value;
    naive[slot * kRegisters + one] = at;
    for (unsigned k = 0; k < naive.size(); ++k) {
      const Cycle got = cycles.cycle(cycles.of(k / kRegisters)[k % kRegisters]);
      if (naive[k] > now)
        BOOST_TEST(got == naive[k]);
      else
        BOOST_TEST(got <= now);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
