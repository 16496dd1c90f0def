// Several ports: order between ports, and waits between them.
#include <fermata/models/memory/interconnect.h>
#include <fermata/models/memory/line_requester.h>
#include <fermata/models/transaction/protocol_checker.h>

#include "tests/support/test.h"

using namespace fermata;
using namespace fermata::test;

namespace {

const Clock kClock(sc_core::sc_time(1, sc_core::SC_NS));

/// Takes a request every `interval` cycles and answers each `interval` cycles after its arrival.
class Memory : public LateLineTarget {
 public:
  struct Came {
    Cycle at;
    std::uint64_t address;
  };
  Memory(const sc_core::sc_module_name& name, Cycle interval)
      : LateLineTarget(name), interval_(interval) {}

  void b_transport(tlm::tlm_generic_payload&, sc_core::sc_time&) override {}
  std::vector<Came> came;

 private:
  void requested(tlm::tlm_generic_payload& payload) override {
    came.push_back({kClock.now(), payload.get_address()});
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    if (interval_ != 1) acknowledge(payload, kClock.time(interval_ - 1));
    respond(payload, kClock.time(interval_));
  }
  Cycle interval_;
};

struct Request {
  unsigned port;
  Cycle at;
  bool write;
  std::uint64_t address;
};

/// Sends requests at all ports, in the order of a list.
class Bench : public sc_core::sc_module, public LineRequester::Client {
 public:
  SC_HAS_PROCESS(Bench);
  Bench(const Interconnect::Parameters& parameters, unsigned ports, Cycle interval,
        std::vector<Request> requests)
      : sc_module(sc_core::sc_module_name("bench")),
        net("net", kClock, parameters, ports),
        memory("memory", interval),
        requests_(std::move(requests)) {
    for (unsigned i = 0; i < ports; ++i) {
      const std::string number = std::to_string(i);
      askers_.push_back(
          std::make_unique<LineRequester>(("asker" + number).c_str(), kClock, *this, 128, 1000));
      join(askers_.back()->out, net.in(i));
    }
    join(net.out(), memory.in);
    SC_METHOD(ask);
  }
  void run() {
    sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_MS));
    BOOST_TEST(answers == requests_.size());
    BOOST_TEST(memory.came.size() == requests_.size());
    for (const LineProtocolChecker& checker : checkers_) BOOST_TEST(checker.inFlight() == 0U);
  }

  Interconnect net;
  Memory memory;
  std::size_t answers = 0;
  Cycle lastAnswer = 0;

 private:
  template <class From, class To>
  void join(From& from, To& to) {
    checkers_.emplace_back(("checker" + std::to_string(checkers_.size())).c_str());
    from.bind(checkers_.back().in);
    checkers_.back().out.bind(to);
  }
  void ask() {
    for (const Request& request : requests_) {
      LineRequester& asker = *askers_[request.port];
      const auto command = request.write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND;
      asker.send(asker.open(command, request.address, 128), request.at);
    }
  }
  void answered(tlm::tlm_generic_payload&, Cycle now) override {
    ++answers;
    lastAnswer = now;
  }
  void roomFreed(Cycle) override {}

  std::vector<Request> requests_;
  std::vector<std::unique_ptr<LineRequester>> askers_;
  std::list<LineProtocolChecker> checkers_;
};

Interconnect::Parameters net(unsigned latency, unsigned bytes, unsigned queue) {
  Interconnect::Parameters p;
  p.latency = latency;
  p.bytesPerCycle = bytes;
  p.queue = queue;
  return p;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(interconnect)

BOOST_AUTO_TEST_CASE(at_one_time_the_lower_port_is_first) {
  Bench bench(net(4, 32, 8), 3, 1, {{2, 10, false, 2}, {0, 10, false, 0}, {1, 10, false, 1}});
  bench.run();
  for (unsigned i = 0; i < 3; ++i) {
    BOOST_TEST(bench.memory.came[i].address == i);
    BOOST_TEST(bench.memory.came[i].at == 14U + i);  // one per cycle
  }
}

// The earlier request goes first, whichever port was asked first.
BOOST_AUTO_TEST_CASE(the_earlier_is_first) {
  Bench bench(net(4, 32, 8), 2, 1, {{0, 20, false, 0}, {1, 10, false, 1}});
  bench.run();
  BOOST_TEST(bench.memory.came[0].address == 1U);
  BOOST_TEST(bench.memory.came[0].at == 14U);
  BOOST_TEST(bench.memory.came[1].at == 24U);
}

// A written line takes 5 cycles of its own link, and none of another's.
BOOST_AUTO_TEST_CASE(a_link_holds_its_own_port_alone) {
  std::vector<Request> requests;
  for (unsigned i = 0; i < 6; ++i) requests.push_back({0, 0, true, i});
  requests.push_back({1, 3, false, 100});
  Bench bench(net(4, 32, 8), 2, 1, requests);
  bench.run();
  Cycle expected = 4 + 4;
  for (const Memory::Came& came : bench.memory.came) {
    if (came.address == 100) {
      BOOST_TEST(came.at == 7U);
      continue;
    }
    BOOST_TEST(came.at == expected);
    expected += 5;
  }
}

/// An access to 128 bytes that leaves in cycle 10, over a link of so many bytes per cycle.
struct Answer : Named {
  unsigned bytesPerCycle;
  unsigned answerBytes;
  bool write;
  Cycle at;  ///< when the answer is there
};
const Answer kAnswers[] = {
    // Latency 4 and a cycle of memory: the answer is at the link in cycle 15, and takes 4 more.
    {"a read of 136 bytes", 40, 0, false, 15 + 4 + 3},
    {"a read of four times 40 bytes", 40, 32, false, 15 + 4 + 3},
    {"a read of 136 bytes, by 32", 32, 0, false, 15 + 4 + 4},
    {"a read of four times 40 bytes, by 32", 32, 32, false, 15 + 4 + 7},
    // A write takes 4 cycles of the link on its way.
    {"a write's answer", 40, 0, true, 18 + 4},
    {"a write's four answers", 40, 32, true, 18 + 4 + 3}};

BOOST_DATA_TEST_CASE(answers_travel_in_parts, bdata::make(kAnswers), row) {
  Interconnect::Parameters parameters = net(4, row.bytesPerCycle, 8);
  parameters.answerBytes = row.answerBytes;
  Bench bench(parameters, 1, 1, {{0, 10, row.write, 0}});
  bench.run();
  BOOST_TEST(bench.lastAnswer == row.at);
}

BOOST_DATA_TEST_CASE(nothing_is_lost,
                     bdata::xrange(6U) * bdata::make({1U, 2U, 16U}) * bdata::make({1U, 8U}) *
                         bdata::make({1U, 7U}) * bdata::make({0U, 5U}),
                     seed, ports, queue, interval, latency) {
  std::mt19937 random(seed);
  std::vector<Request> requests;
  std::vector<Cycle> at(ports, 0);
  for (unsigned i = 0; i < 300; ++i) {
    const auto port = static_cast<unsigned>(random() % ports);
    at[port] += random() % 20;
    requests.push_back({port, at[port], random() % 3 == 0, i * ports + port});
  }
  Bench bench(net(latency, 32, queue), ports, interval, requests);
  bench.run();
  std::vector<std::uint64_t> last(ports, 0);
  for (const Memory::Came& came : bench.memory.came) {  // requests of a port keep their order
    const std::uint64_t port = came.address % ports;
    BOOST_TEST(came.address >= last[port]);
    last[port] = came.address;
  }
}

// Two interconnects in series; payloads are under way when all is destroyed, in each order.
BOOST_DATA_TEST_CASE(ends_with_requests_under_way, bdata::xrange(6), order) {
  struct : LineRequester::Client {
    void answered(tlm::tlm_generic_payload&, Cycle) override {}
    void roomFreed(Cycle) override {}
  } client;
  Memory memory("memory", 1000);
  auto asker = std::make_unique<LineRequester>("asker", kClock, client, 128, 8);
  auto upper = std::make_unique<Interconnect>("upper", kClock, net(4, 32, 8));
  auto lower = std::make_unique<Interconnect>("lower", kClock, net(4, 32, 8));
  asker->out.bind(upper->in());
  upper->out().bind(lower->in());
  lower->out().bind(memory.in);
  for (unsigned i = 0; i < 4; ++i) asker->send(asker->open(tlm::TLM_READ_COMMAND, i * 128, 128), i);
  sc_core::sc_start(kClock.time(1500));
  BOOST_TEST(asker->open() == 3U);  // one has been answered
  std::array<unsigned, 3> who{0, 1, 2};
  for (int i = 0; i < order; ++i) std::next_permutation(who.begin(), who.end());
  for (const unsigned next : who) {
    if (next == 0) asker.reset();
    if (next == 1) upper.reset();
    if (next == 2) lower.reset();
  }
}

BOOST_AUTO_TEST_SUITE_END()
