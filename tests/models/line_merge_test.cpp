// Several slices before a memory of one socket.
#include <fermata/models/memory/line_merge.h>
#include <fermata/models/memory/line_requester.h>
#include <fermata/models/transaction/late_target.h>
#include <fermata/models/transaction/protocol_checker.h>

#include "tests/support/foreign_memory.h"
#include "tests/support/test.h"

using namespace fermata;

namespace {

const Clock kMergeClock(sc_core::sc_time(1, sc_core::SC_NS));

/// Slices that send reads, each through a checker.
class Slices : public LineRequester::Client {
 public:
  Slices(LineMerge& merge, unsigned count, LineRequester::ResponseEnd end) {
    for (unsigned i = 0; i < count; ++i) {
      const std::string number = std::to_string(i);
      slices_.push_back(std::make_unique<LineRequester>(("slice" + number).c_str(), kMergeClock,
                                                        *this, 128, 1000, 1, Turn::L2, end));
      checkers_.emplace_back(("checker" + number).c_str());
      slices_.back()->out.bind(checkers_.back().in);
      checkers_.back().out.bind(merge.in(i));
    }
  }
  void ask(unsigned slice, Cycle at, std::uint64_t address) {
    LineRequester& from = *slices_[slice];
    from.send(from.open(tlm::TLM_READ_COMMAND, address, 128), at);
    ++asked_;
  }
  void run() {
    sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_MS));
    BOOST_TEST(answers == asked_);
    for (const LineProtocolChecker& checker : checkers_) BOOST_TEST(checker.inFlight() == 0U);
  }
  std::size_t answers = 0;

 private:
  void answered(tlm::tlm_generic_payload&, Cycle) override { ++answers; }
  void roomFreed(Cycle) override {}

  std::vector<std::unique_ptr<LineRequester>> slices_;
  std::list<LineProtocolChecker> checkers_;
  std::size_t asked_ = 0;
};

/// Takes a request every `interval` cycles and answers it 20 cycles after it came.
class Slow : public LateLineTarget {
 public:
  Slow(const sc_core::sc_module_name& name, Cycle interval)
      : LateLineTarget(name), interval_(interval) {}
  void b_transport(tlm::tlm_generic_payload&, sc_core::sc_time&) override {}
  std::vector<std::pair<Cycle, std::uint64_t>> came;

 private:
  void requested(tlm::tlm_generic_payload& payload) override {
    came.emplace_back(kMergeClock.now(), payload.get_address());
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    acknowledge(payload, kMergeClock.time(interval_));
    respond(payload, kMergeClock.time(20));
  }
  Cycle interval_;
};

using Came = std::vector<std::pair<Cycle, std::uint64_t>>;

}  // namespace

BOOST_AUTO_TEST_SUITE(line_merge)

BOOST_AUTO_TEST_CASE(at_one_time_the_lower_slice_is_first) {
  LineMerge merge("merge", 3);
  Slow memory("memory", 2);
  merge.out.bind(memory.in);
  Slices slices(merge, 3, LineRequester::ResponseEnd::Early);
  slices.ask(2, 10, 200);
  slices.ask(0, 10, 0);
  slices.ask(1, 9, 100);
  slices.run();
  BOOST_TEST((memory.came == Came{{9, 100}, {11, 0}, {13, 200}}));
}

BOOST_AUTO_TEST_CASE(a_request_is_not_early) {
  LineMerge merge("merge", 2);
  Slow memory("memory", 2);
  merge.out.bind(memory.in);
  Slices slices(merge, 2, LineRequester::ResponseEnd::Early);
  slices.ask(0, 30, 0);
  slices.ask(1, 10, 100);
  slices.run();
  BOOST_TEST((memory.came == Came{{10, 100}, {30, 0}}));
}

// A memory that knows the standard alone, in both ways of ending a response.
BOOST_DATA_TEST_CASE(nothing_is_lost, bdata::make({1U, 3U, 12U}) * bdata::make({false, true}),
                     count, strict) {
  LineMerge merge("merge", count);
  foreign::Memory memory("memory", strict ? foreign::Kind::Strict : foreign::Kind::Lenient);
  merge.out.bind(memory.socket);
  Slices slices(merge, count,
                strict ? LineRequester::ResponseEnd::FourPhase : LineRequester::ResponseEnd::Early);
  std::mt19937 random(count);
  for (unsigned i = 0; i < 300; ++i)
    slices.ask(static_cast<unsigned>(random() % count), i, std::uint64_t{random() % 4096} * 128);
  slices.run();
  BOOST_TEST(memory.reads().requests == 300U);
  BOOST_TEST(memory.open() == 0U);
}

BOOST_AUTO_TEST_SUITE_END()
