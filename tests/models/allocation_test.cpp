// Running simulations allocate nothing, once the most accesses have been under way.
#include <fermata/models/memory/dram.h>
#include <fermata/models/memory/interconnect.h>
#include <fermata/models/memory/l2_cache.h>

#include <new>

#include "tests/support/test.h"

using namespace fermata;

namespace {
std::size_t allocations = 0;
}

// Replaces the operator for the whole program, hence a file of its own. Not inlined: the compiler
// would report a mismatch of new and delete where it sees only one of the pair inlined.
[[gnu::noinline]] void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
  ++allocations;
  return std::malloc(bytes);
}
[[gnu::noinline]] void* operator new(std::size_t bytes) {
  if (void* const place = operator new(bytes, std::nothrow)) return place;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* place) noexcept {
  std::free(place);
}
[[gnu::noinline]] void operator delete(void* place, std::size_t) noexcept {
  std::free(place);
}

namespace {

const Clock kClock(sc_core::sc_time(1, sc_core::SC_NS));

L2Cache::Parameters small() {
  L2Cache::Parameters p;
  p.shape = {2048, 128, 2};
  p.latency = 10;
  p.mshrs = 4;
  p.input = 4;
  p.queue = 2;
  return p;
}

Dram::Parameters full() {
  Dram::Parameters p;
  p.queue = 2;
  return p;
}

/// Two ports that overload all below them, with lines that the L2 has no room for.
struct Bench : LineRequester::Client {
  static constexpr unsigned kPorts = 2;
  LineRequester first{"first", kClock, *this, 128, 8};
  LineRequester second{"second", kClock, *this, 128, 8};
  Interconnect net{"net", kClock, {4, 32, 2}, kPorts};
  L2Cache l2{"l2", kClock, small(), SetIndex(small().shape, ""), nullptr};
  Interconnect behind{"behind", kClock, {4, 32, 2}};
  Dram dram{"dram", kClock, full()};
  unsigned answers = 0;

  Bench() {
    first.out.bind(net.in(0));
    second.out.bind(net.in(1));
    net.out().bind(l2.in);
    l2.out.bind(behind.in());
    behind.out().bind(dram.in);
  }
  /// Sends `count` requests from each port and waits for their answers.
  void burst(unsigned count) {
    const unsigned before = answers;
    for (unsigned i = 0; i < count; ++i) {
      for (LineRequester* port : {&first, &second}) {
        const bool write = i % 3 == 0;
        const auto command = write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND;
        port->send(port->open(command, i * 7 % 64 * 128 + i % 4 * kSectorBytes, kSectorBytes), 0);
      }
    }
    sc_core::sc_start(kClock.time(100000));
    BOOST_TEST(answers - before == kPorts * count);
  }
  void answered(tlm::tlm_generic_payload&, Cycle) override { ++answers; }
  void roomFreed(Cycle) override {}
};

}  // namespace

BOOST_AUTO_TEST_SUITE(allocation)

BOOST_AUTO_TEST_CASE(nothing_is_allocated_on_the_way_to_memory) {
  Bench bench;
  BOOST_TEST(allocations > 0U);
  bench.burst(300);
  bench.burst(300);
  const std::size_t before = allocations;
  bench.burst(300);
  const std::size_t after = allocations;
  BOOST_TEST(after == before);
}

BOOST_AUTO_TEST_SUITE_END()
