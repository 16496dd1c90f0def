// Tells which accesses may be executed in another order.
#include <fermata/stimuli/traces/order_check.h>

#include "tests/support/test.h"

using namespace fermata;
using traces::OrderCheck;

namespace {

constexpr std::uint32_t kWarps = 2;  // warps per CTA
constexpr unsigned kCtas = 3;

Grid grid() {
  Grid grid;
  grid.ctas = kCtas;
  grid.threadsPerCta = kWarps * kWarpLanes;
  grid.sharedBytesPerCta = 256;
  return grid;
}

/// An order check; slot 2 c + w is warp w of CTA c.
struct Run {
  OrderCheck check{kWarps * kCtas};
  Run() { begin(); }

  Run& begin() {
    check.gridStarted(grid());
    for (unsigned cta = 0; cta < kCtas; ++cta) check.ctaStarted(cta, cta * kWarps);
    return *this;
  }
  Run& access(MemoryOperation operation, MemorySpace space, unsigned slot, std::uint64_t address,
              std::uint8_t bytes = 4) {
    StaticInstruction instruction;
    instruction.instructionClass = InstructionClass::Memory;
    WarpInstruction done;
    done.active = 0x10;
    done.operation = operation;
    done.space = space;
    done.bytesPerLane = bytes;
    done.address[4] = address;
    check.executed(slot, instruction, done);
    return *this;
  }
  Run& load(unsigned slot, std::uint64_t address, std::uint8_t bytes = 4) {
    return access(MemoryOperation::Load, MemorySpace::Global, slot, address, bytes);
  }
  Run& store(unsigned slot, std::uint64_t address, std::uint8_t bytes = 4) {
    return access(MemoryOperation::Store, MemorySpace::Global, slot, address, bytes);
  }
  Run& barrier(unsigned slot, std::uint32_t threads = 0, bool waits = true) {
    StaticInstruction instruction;
    instruction.instructionClass = InstructionClass::Barrier;
    WarpInstruction done;
    done.active = kAllLanes;
    done.barrierThreads = threads;
    done.barrierWaits = waits;
    check.executed(slot, instruction, done);
    return *this;
  }
  Run& barriers(unsigned cta) { return barrier(2 * cta).barrier(2 * cta + 1); }
  bool free() const { return check.orderFree(); }
};

struct Access {
  unsigned slot;
  unsigned barriers;
  bool stores;
};

bool mayMeet(const Access& a, const Access& b) {
  const bool ordered =
      a.slot == b.slot || (a.slot / kWarps == b.slot / kWarps && a.barriers != b.barriers);
  return (a.stores || b.stores) && !ordered;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(order_checks)

BOOST_AUTO_TEST_CASE(a_barrier_of_the_cta_orders_its_warps) {
  BOOST_TEST(!Run().store(0, 64).load(1, 64).free());
  BOOST_TEST(!Run().load(0, 64).store(1, 64).free());
  BOOST_TEST(!Run().store(0, 64).store(1, 64).free());
  BOOST_TEST(Run().load(0, 64).load(1, 64).free());
  BOOST_TEST(Run().store(0, 64).barriers(0).load(1, 64).load(0, 64).free());
  BOOST_TEST(Run().load(0, 64).load(1, 64).barriers(0).store(1, 64).free());
  BOOST_TEST(!Run().load(0, 64).barriers(0).load(1, 64).store(0, 64).free());
}

BOOST_AUTO_TEST_CASE(nothing_else_does) {
  BOOST_TEST(!Run().store(0, 64).barriers(0).load(2, 64).free());  // a warp of another CTA
  BOOST_TEST(!Run().store(0, 64).barriers(0).barriers(1).load(2, 64).free());
  BOOST_TEST(!Run().store(0, 64).barrier(0, 32).barrier(1, 32).load(1, 64).free());
  BOOST_TEST(!Run().barrier(0, 0, false).store(0, 64).barrier(1).load(1, 64).free());
}

BOOST_AUTO_TEST_CASE(a_grid_begins_behind_all_of_the_one_before) {
  BOOST_TEST(Run().store(0, 64).begin().load(1, 64).load(4, 64).begin().store(3, 64).free());
  BOOST_TEST(!Run().store(0, 64).begin().load(1, 64).store(4, 64).free());
}

BOOST_AUTO_TEST_CASE(bytes_apart_do_not_meet) {
  const auto shared = [](unsigned slot, std::uint64_t address, std::uint8_t bytes) {
    return Run()
        .access(MemoryOperation::Store, MemorySpace::Shared, slot, address, bytes)
        .access(MemoryOperation::Store, MemorySpace::Shared, 1, 100, 1)
        .free();
  };
  BOOST_TEST(shared(0, 101, 1));
  BOOST_TEST(!shared(0, 96, 8));
  BOOST_TEST(shared(2, 100, 1));  // another CTA has another window
  BOOST_TEST(Run().store(0, 64, 16).store(1, 80).free());
  BOOST_TEST(!Run().store(0, 64, 16).store(1, 76).free());
  BOOST_TEST(Run().store(0, 4096 * 5 - 4).store(1, 4096 * 5).free());
}

// Compares with a check of every pair of accesses to one word.
BOOST_AUTO_TEST_CASE(any_history_of_a_word) {
  unsigned free = 0;
  for (unsigned seed = 1; seed <= 4000; ++seed) {
    std::mt19937 random(seed);
    Run run;
    std::vector<Access> all;
    std::vector<unsigned> passed(kCtas);
    const unsigned length = 2 + random() % 8;
    const unsigned stores = random() % 4;  // about so many of eight are stores
    for (unsigned i = 0; i < length; ++i) {
      const unsigned slot = random() % (seed % 2 == 0 ? kWarps : kWarps * kCtas);
      if (random() % 3 == 0) {
        run.barriers(slot / kWarps);
        ++passed[slot / kWarps];
        continue;
      }
      const bool stored = random() % 8 < stores;
      stored ? run.store(slot, 64) : run.load(slot, 64);
      all.push_back({slot, passed[slot / kWarps], stored});
    }
    bool meet = false;
    for (std::size_t i = 0; i < all.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) meet = meet || mayMeet(all[i], all[j]);
    }
    BOOST_TEST(run.free() == !meet, "seed " << seed);
    free += meet ? 0 : 1;
  }
  BOOST_TEST(free > 500U);
  BOOST_TEST(free < 3500U);
}

BOOST_AUTO_TEST_SUITE_END()
