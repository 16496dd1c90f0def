// A DRAM with a socket for each slice of an L2: what holds what, and the order between sockets.
#include <fermata/models/memory/dram.h>

#include "tests/support/line_master.h"
#include "tests/support/test.h"

using namespace fermata;
using test::LineMaster;
using test::LineRequest;

namespace {

/// Two channels of 256 bytes in turn, with a queue of one request.
Dram::Parameters narrow() {
  Dram::Parameters p;
  p.channels = 2;
  p.queue = 1;
  p.verify = true;
  return p;
}

struct Inputs {
  explicit Inputs(unsigned count) : dram("dram", clock, narrow(), nullptr, count) {
    for (unsigned i = 0; i < count; ++i) {
      const std::string number = std::to_string(i);
      masters.emplace_back(("master" + number).c_str());
      checkers.emplace_back(("checker" + number).c_str());
      masters.back().out.bind(checkers.back().in);
      checkers.back().out.bind(dram.input(i));
    }
  }
  LineRequest& add(unsigned input, Cycle cycle, std::uint64_t address, bool write = false) {
    return masters[input].add(clock.time(cycle), write, address, 64);
  }
  void run() {
    sc_core::sc_start();
    std::size_t requests = 0;
    for (const LineMaster& master : masters) {
      requests += master.requests.size();
      for (const LineRequest& r : master.requests) BOOST_TEST(r.answers == 1U);
    }
    BOOST_TEST(dram.counts().reads + dram.counts().writes == requests);
  }

  Clock clock{sc_core::sc_time(1, sc_core::SC_NS)};
  Dram dram;
  std::deque<LineMaster> masters;
  std::deque<LineProtocolChecker> checkers;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(dram_inputs)

// Three requests of socket 0 fill channel 0, whose queue has one place. Socket 1 goes on, at
// channel 1.
BOOST_AUTO_TEST_CASE(a_full_channel_holds_the_sockets_that_want_it) {
  Inputs bench(2);
  const auto &second = bench.add(0, 0, 0x400), &third = bench.add(0, 0, 0x800);
  const auto& other = bench.add(1, 10, 0x100);
  bench.run();
  BOOST_TEST(second.accepted < third.accepted);
  BOOST_TEST(third.accepted > bench.clock.time(10));
  BOOST_TEST(other.accepted == bench.clock.time(10));
}

// Socket 1 asks first, so it enters the full queue first; at one time the lower socket does.
BOOST_AUTO_TEST_CASE(held_requests_go_on_in_order) {
  Inputs bench(3);
  bench.add(2, 0, 0x000);
  const auto& a = bench.add(1, 5, 0x400);
  const auto& b = bench.add(2, 6, 0x800);
  const auto& c = bench.add(0, 6, 0xc00);
  bench.run();
  BOOST_TEST(a.accepted < c.accepted);
  BOOST_TEST(c.accepted < b.accepted);
}

BOOST_DATA_TEST_CASE(the_bytes_are_shared, bdata::xrange(1U, 5U), seed) {
  Inputs bench(4);
  std::mt19937 random(seed);
  for (unsigned i = 0; i < 400; ++i) {
    LineRequest& r =
        bench.add(static_cast<unsigned>(random() % 4), i, std::uint64_t{random() % 64} * 256, true);
    std::fill(r.data.begin(), r.data.end(), std::uint8_t{7});
  }
  std::vector<LineRequest*> reads;
  for (unsigned i = 0; i < 64; ++i)
    reads.push_back(&bench.add(i % 4, 100000 + i, std::uint64_t{i} * 256));
  bench.run();
  for (const LineRequest* read : reads) BOOST_TEST((read->data[63] == 7 || read->data[63] == 0));
  BOOST_TEST(bench.dram.counts().writes == 400U);
}

BOOST_AUTO_TEST_SUITE_END()
