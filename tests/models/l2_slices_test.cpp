// Several ports, slices of an L2 and a DRAM with a socket for each: random traffic that compares
// every byte.
#include <fermata/models/memory/dram.h>
#include <fermata/models/memory/interconnect.h>
#include <fermata/models/memory/l2_cache.h>
#include <fermata/models/transaction/protocol_checker.h>

#include "tests/support/test.h"

using namespace fermata;

namespace {

const Clock kChipClock(sc_core::sc_time(1, sc_core::SC_NS));

struct Layout {
  unsigned slices;
  const char* mapping;
  const char* sets;
};
std::ostream& operator<<(std::ostream& out, const Layout& layout) {
  return out << layout.slices << " slices, '" << layout.mapping << "', sets '" << layout.sets
             << "'";
}
const Layout kLayouts[] = {{1, "", ""},
                           {10, "", ""},
                           {10, "ami 10", "ami 3"},
                           {12, "ami 12", ""},
                           {12, "", "ami 3"},
                           {8, "xor k1=0 k2=3 mask=7", "ami 3"},
                           {4, "matrix 0x11,0x102", ""}};

/// Slices of four lines, so that lines leave all the time, with buffers of a few requests.
L2Cache::Parameters sliceOf(WritePolicy policy) {
  L2Cache::Parameters p;
  p.shape = {4 * 128, 128, 1};
  p.writePolicy = policy;
  p.latency = 10;
  p.mshrs = 2;
  p.input = 2;
  p.queue = 1;
  p.verify = true;
  return p;
}

Dram::Parameters twoChannels() {
  Dram::Parameters p;
  p.channels = 2;
  p.queue = 2;
  p.verify = true;
  return p;
}

/// An SM that reads and writes whole lines of its own, as fast as its link takes them, and expects
/// what it has written last.
class Port : public LineRequester::Client {
 public:
  Port(const std::string& name, unsigned seed)
      : requester((name + "_requester").c_str(), kChipClock, *this, 128, 2000), random_(seed) {}

  void ask(std::uint64_t line, Cycle at) {
    std::vector<std::uint8_t>& kept = lines_.emplace(line, Bytes(128, 0)).first->second;
    const bool write = random_() % 2 == 0;
    auto& payload =
        requester.open(write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND, line * 128, 128);
    LineRequester::of(payload).token = static_cast<std::uint32_t>(expected_.size());
    if (write) {
      for (auto& byte : kept) byte = static_cast<std::uint8_t>(random_());
      for (std::uint32_t i = 0; i < 128; ++i) requester.enable(payload, i, kept[i]);
      LineRequester::of(payload).whole = 15;
    }
    expected_.push_back(kept);
    requester.send(payload, at);
  }
  const std::map<std::uint64_t, std::vector<std::uint8_t>>& lines() const { return lines_; }

  LineRequester requester;
  unsigned answers = 0;
  unsigned wrong = 0;

 private:
  using Bytes = std::vector<std::uint8_t>;
  void answered(tlm::tlm_generic_payload& payload, Cycle) override {
    ++answers;
    const Bytes& expected = expected_[LineRequester::of(payload).token];
    if (payload.is_read() && !std::equal(expected.begin(), expected.end(), payload.get_data_ptr()))
      ++wrong;
  }
  void roomFreed(Cycle) override {}

  std::mt19937 random_;
  std::map<std::uint64_t, Bytes> lines_;
  std::vector<Bytes> expected_;
};

struct Chip {
  Chip(const Layout& layout, unsigned count, WritePolicy policy)
      : map(layout.slices, 128, layout.mapping),
        net("net", kChipClock, Interconnect::Parameters{4, 32, 1, 64, 2, 9}, count, map),
        dram("dram", kChipClock, twoChannels(), nullptr, layout.slices) {
    const L2Cache::Parameters parameters = sliceOf(policy);
    for (unsigned i = 0; i < layout.slices; ++i) {
      slices.push_back(
          std::make_unique<L2Cache>(("l2_" + std::to_string(i)).c_str(), kChipClock, parameters,
                                    SetIndex(parameters.shape, layout.sets, map), nullptr));
      join(net.out(i), slices[i]->in);
      join(slices[i]->out, dram.input(i));
    }
    for (unsigned i = 0; i < count; ++i) {
      ports.push_back(std::make_unique<Port>("port" + std::to_string(i), i));
      join(ports[i]->requester.out, net.in(i));
    }
  }
  template <class From, class To>
  void join(From& from, To& to) {
    checkers.emplace_back(("checker" + std::to_string(checkers.size())).c_str());
    from.bind(checkers.back().in);
    checkers.back().out.bind(to);
  }
  /// Bytes that a debug access of the whole range of a port's line finds.
  std::vector<std::uint8_t> found(std::uint64_t line) {
    std::vector<std::uint8_t> data(128);
    tlm::tlm_generic_payload payload;
    payload.set_command(tlm::TLM_READ_COMMAND);
    payload.set_address(line * 128);
    payload.set_data_ptr(data.data());
    payload.set_data_length(128);
    net.in().get_base_export()->transport_dbg(payload);
    return data;
  }

  SliceMap map;
  Interconnect net;
  std::vector<std::unique_ptr<L2Cache>> slices;
  Dram dram;
  std::vector<std::unique_ptr<Port>> ports;
  std::deque<LineProtocolChecker> checkers;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(l2_slices)

BOOST_DATA_TEST_CASE(every_byte_is_right,
                     bdata::make(kLayouts) * bdata::make({1U, 5U}) * bdata::make({false, true}),
                     layout, count, through) {
  Chip chip(layout, count, through ? WritePolicy::Through : WritePolicy::Back);
  std::mt19937 random(count);
  const unsigned requests = 800;
  for (unsigned i = 0; i < requests; ++i) {
    const auto port = static_cast<unsigned>(random() % count);
    chip.ports[port]->ask((random() % 128) * count + port, i);
  }
  sc_core::sc_start(kChipClock.time(1000000));
  unsigned answers = 0;
  for (const auto& port : chip.ports) {
    answers += port->answers;
    BOOST_TEST(port->wrong == 0U);
    for (const auto& [line, bytes] : port->lines()) BOOST_TEST((chip.found(line) == bytes));
  }
  BOOST_TEST(answers == requests);
  for (const auto& slice : chip.slices) BOOST_TEST(slice->quiet());
  for (const LineProtocolChecker& checker : chip.checkers) BOOST_TEST(checker.inFlight() == 0U);
  BOOST_TEST(chip.dram.counts().reads > 100U);
}

namespace {

/// An SM that sends writes to one line, and keeps the cycles of their answers.
struct Updates : LineRequester::Client {
  Updates() : requester("updates", kChipClock, *this, 128, 100) {}
  void send(unsigned updates, unsigned further, bool floats) {
    auto& payload = requester.open(tlm::TLM_WRITE_COMMAND, 0, 32 * std::max(1U, updates));
    LineRequest& request = LineRequester::of(payload);
    request.updates = static_cast<std::uint16_t>(updates);
    request.furtherUpdates = static_cast<std::uint16_t>(further);
    request.addsFloats = floats;
    requester.send(payload, 0);
  }
  void answered(tlm::tlm_generic_payload&, Cycle now) override { answers.push_back(now); }
  void roomFreed(Cycle) override {}

  LineRequester requester;
  std::vector<Cycle> answers;
};

struct UpdateTime {
  unsigned updates, further;
  bool floats;
  Cycle four;  ///< cycles from the first to the last of five requests
};
std::ostream& operator<<(std::ostream& out, const UpdateTime& one) {
  return out << one.updates << " + " << one.further << (one.floats ? " floats" : "");
}
// 1.5 cycles for a sector and for a further integer, 3.25 for a further float; a write of a sector
// takes one cycle.
const UpdateTime kUpdateTimes[] = {{0, 0, false, 4},    {1, 0, false, 6}, {4, 0, false, 24},
                                   {1, 31, false, 192}, {1, 1, true, 19}, {2, 3, true, 51}};

}  // namespace

BOOST_DATA_TEST_CASE(atomics_hold_their_slice, bdata::make(kUpdateTimes), one) {
  L2Cache::Parameters parameters = sliceOf(WritePolicy::Back);
  parameters.verify = false;
  parameters.input = 8;
  parameters.atomicInterval = 1.5;
  parameters.floatInterval = 3.25;
  L2Cache slice("l2", kChipClock, parameters, SetIndex(parameters.shape, ""), nullptr);
  Dram dram("dram", kChipClock, twoChannels(), nullptr, 1);
  Updates sm;
  sm.requester.out.bind(slice.in);
  slice.out.bind(dram.input(0));
  for (unsigned i = 0; i < 5; ++i) sm.send(one.updates, one.further, one.floats);
  sc_core::sc_start(kChipClock.time(10000));
  BOOST_REQUIRE(sm.answers.size() == 5U);
  BOOST_TEST(sm.answers.back() - sm.answers.front() == one.four);
}

namespace {

/// Writes of a sector, one per line and cycle.
struct Writes : Updates {
  void write(std::uint64_t line, unsigned sectors) {
    auto& payload = requester.open(tlm::TLM_WRITE_COMMAND, line * 128, 32 * sectors);
    LineRequester::of(payload).whole = (SectorMask{1} << sectors) - 1;
    requester.send(payload, line);
  }
};

}  // namespace

// The slice has four lines. Each further write evicts one of `sectors` dirty sectors.
BOOST_DATA_TEST_CASE(evictions_hold_their_slice, bdata::make({0U, 2U}) * bdata::make({1U, 4U}),
                     interval, sectors) {
  L2Cache::Parameters parameters = sliceOf(WritePolicy::Back);
  parameters.verify = false;
  parameters.input = 8;
  parameters.queue = 8;
  parameters.evictionCycles = interval;
  L2Cache slice("l2", kChipClock, parameters, SetIndex(parameters.shape, ""), nullptr);
  Dram dram("dram", kChipClock, twoChannels(), nullptr, 1);
  Writes sm;
  sm.requester.out.bind(slice.in);
  slice.out.bind(dram.input(0));
  for (std::uint64_t line = 0; line < 8; ++line) sm.write(line, sectors);
  sc_core::sc_start(kChipClock.time(10000));
  BOOST_REQUIRE(sm.answers.size() == 8U);
  BOOST_TEST(sm.answers[3] - sm.answers[0] == 3 * sectors);
  BOOST_TEST(sm.answers[7] - sm.answers[3] == 4 * std::max(1U, interval) * sectors);
}

// Four reads of one line may wait for it, the fifth holds the slice. With the latency before the
// queue, the write behind it has had its latency when the line comes.
BOOST_DATA_TEST_CASE(the_latency_may_lie_before_the_queue, bdata::make({false, true}), before) {
  L2Cache::Parameters parameters = sliceOf(WritePolicy::Back);
  parameters.verify = false;
  parameters.input = 8;
  parameters.merges = 1;
  parameters.latency = before ? 0 : 100;
  parameters.inputLatency = before ? 100 : 0;
  L2Cache slice("l2", kChipClock, parameters, SetIndex(parameters.shape, ""), nullptr);
  Dram dram("dram", kChipClock, twoChannels(), nullptr, 1);
  Updates sm;
  sm.requester.out.bind(slice.in);
  slice.out.bind(dram.input(0));
  for (unsigned i = 0; i < 2; ++i)
    sm.requester.send(sm.requester.open(tlm::TLM_READ_COMMAND, 0, 32), 0);
  sc_core::sc_start(kChipClock.time(10000));
  BOOST_REQUIRE(sm.answers.size() == 2U);
  BOOST_TEST(sm.answers[1] - sm.answers[0] < (before ? 3U : 103U));
  BOOST_TEST(sm.answers[1] - sm.answers[0] >= (before ? 0U : 99U));
}

BOOST_AUTO_TEST_SUITE_END()
