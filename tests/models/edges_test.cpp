// Edge cases: a foreign initiator, an impossible clock, a time beyond sc_time.
#include <fermata/models/memory/address_generation_unit.h>
#include <fermata/models/memory/coalescer.h>
#include <fermata/models/timing/clock_domain.h>
#include <fermata/models/transaction/payload_pool.h>

#include "tests/support/says.h"

using namespace fermata;

namespace {

/// Ticks every `every` cycles up to `last`, and records its ticks.
struct Part : Ticked {
  Cycle every = 1;
  Cycle last = 0;
  std::vector<Cycle> ticked;
  std::vector<sc_core::sc_time> stamps;
  Cycle tick(Cycle now) override {
    ticked.push_back(now);
    stamps.push_back(sc_core::sc_time_stamp());
    return now + every <= last ? now + every : kNever;
  }
};

/// Acts every `period`.
struct Other : sc_core::sc_module {
  SC_HAS_PROCESS(Other);
  sc_core::sc_time period;
  unsigned left;
  sc_core::sc_event event;
  Other(const sc_core::sc_module_name& name, const sc_core::sc_time& p, unsigned times)
      : sc_module(name), period(p), left(times) {
    SC_METHOD(act);
    sensitive << event;
  }
  void act() {
    if (left-- > 0) event.notify(period);
  }
};

struct Fixture {
  Clock clock{sc_core::sc_time(1, sc_core::SC_NS)};
  PayloadPool pool;

  Fixture() { sc_core::sc_report_handler::set_actions(sc_core::SC_FATAL, sc_core::SC_THROW); }

  /// Sends a request straight into the module, as a foreign initiator.
  template <class Module>
  void send(Module& module, unsigned bytesPerLane) {
    tlm::tlm_generic_payload& payload = pool.acquire();
    payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    WarpAccess& access = warpAccess(payload);
    access.instruction.active = access.asked = access.unserved = 1;
    access.instruction.address[0] = 0;
    access.instruction.bytesPerLane = static_cast<std::uint8_t>(bytesPerLane);
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay;
    static_cast<WarpForward&>(module).nb_transport_fw(payload, phase, delay);
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(edges, Fixture)

BOOST_AUTO_TEST_CASE(an_impossible_frequency_is_refused) {
  for (const double megahertz : {0.0, -700.0, 1e9, std::numeric_limits<double>::quiet_NaN(),
                                 std::numeric_limits<double>::infinity()}) {
    BOOST_CHECK_EXCEPTION(Clock::fromMegahertz(megahertz), sc_core::sc_report,
                          test::says("frequency must be"));
  }
  BOOST_TEST(Clock::fromMegahertz(700).period().value() == 1429U);
}

// 175.439 ps, 0.25 % off.
BOOST_AUTO_TEST_CASE(a_frequency_that_the_resolution_changes_is_refused) {
  BOOST_CHECK_EXCEPTION(Clock::fromMegahertz(5700), sc_core::sc_report,
                        test::says("makes it 175 ps"));
  for (const double megahertz : {1e-6, 1.0, 924.0, 3000.0, 7000.0, 1e5, 1e6})
    BOOST_TEST(Clock::wrong(megahertz) == "");
}

struct Nanoseconds {
  Nanoseconds() { sc_core::sc_set_time_resolution(1, sc_core::SC_NS); }
};

BOOST_FIXTURE_TEST_CASE(a_resolution_that_changes_a_clock_is_refused, Nanoseconds) {
  BOOST_TEST(Clock::wrong(700) ==
             "a clock of 700 MHz has a period of 1428.57 ps, and a time resolution of 1000 ps "
             "makes it 1000 ps, 30 % off; expected 0.1 % or less: another frequency, or a finer "
             "resolution");
  BOOST_TEST(Clock::wrong(3000) != "");  // no period at all
  for (const double megahertz : {1.0, 250.0, 1000.0}) BOOST_TEST(Clock::wrong(megahertz) == "");
}

BOOST_AUTO_TEST_CASE(cycles_cover_a_time_wherever_it_lies) {
  std::mt19937_64 random(3);
  for (const std::uint64_t ticks : {1ULL, 2ULL, 713ULL, 1429ULL, 1000000007ULL, 1ULL << 40}) {
    const Clock some(sc_core::sc_time::from_value(ticks));
    const auto check = [&](std::uint64_t value) {
      const std::uint64_t expected = value / ticks + (value % ticks != 0 ? 1 : 0);
      BOOST_REQUIRE_EQUAL(some.cycles(sc_core::sc_time::from_value(value)), expected);
    };
    const std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
    for (std::uint64_t i = 0; i < 20000; ++i) {
      check(i);
      check(most - i);
      check((1ULL << 53) - 10000 + i);
      check(random() >> random() % 64);
      const std::uint64_t multiple = random() % (most / ticks) * ticks;
      check(multiple);
      if (multiple != 0) check(multiple - 1);
      check(multiple + 1);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_width_that_no_lane_has_is_refused_at_the_edge) {
  AddressGenerationUnit agu("agu", clock, {}, indexing::build("mod 32", {32, 12288}));
  Coalescer coalescer("coalescer", clock, {}, nullptr);
  const auto expected = test::says("bytesPerLane must be");
  for (const unsigned bytes : {0U, 3U, 5U, 12U, 32U, 64U, 255U}) {
    BOOST_CHECK_EXCEPTION(send(agu, bytes), sc_core::sc_report, expected);
    BOOST_CHECK_EXCEPTION(send(coalescer, bytes), sc_core::sc_report, expected);
  }
}

BOOST_AUTO_TEST_CASE(time_beyond_what_sc_time_holds_is_said) {
  ClockDomain domain("domain", clock);
  BOOST_CHECK_EXCEPTION(domain.wake(clock.lastCycle() + 1), sc_core::sc_report,
                        test::says("beyond the time"));
}

// The domain runs ahead if it is alone; it cannot beside a process that acts in every cycle. The
// parts see the same cycles.
BOOST_AUTO_TEST_CASE(running_ahead_changes_no_cycle) {
  ClockDomain alone("alone", clock, 64);
  Part part;
  part.every = 3;
  part.last = 300;
  alone.add(part);
  alone.wake(2);
  sc_core::sc_start();
  BOOST_TEST(part.ticked.size() == 100U);
  for (std::size_t i = 0; i < part.ticked.size(); ++i) BOOST_TEST(part.ticked[i] == 2 + 3 * i);
  // At most 64 cycles ahead, so that the kernel is called only so often.
  std::set<sc_core::sc_time> activations(part.stamps.begin(), part.stamps.end());
  BOOST_TEST(activations.size() == 5U);
  for (std::size_t i = 0; i < part.ticked.size(); ++i)
    BOOST_TEST(part.ticked[i] - clock.cycles(part.stamps[i]) <= 64U);
}

BOOST_AUTO_TEST_CASE(another_process_keeps_its_turn) {
  ClockDomain domain("domain", clock, 64);
  Other other("other", sc_core::sc_time(10, sc_core::SC_NS), 30);
  Part part;
  part.last = 299;
  domain.add(part);
  domain.wake(0);
  sc_core::sc_start();
  BOOST_TEST(part.ticked.size() == 300U);
  // Never beyond the next action of the other process.
  for (std::size_t i = 0; i < part.ticked.size(); ++i) {
    const Cycle lead = part.ticked[i] - clock.cycles(part.stamps[i]);
    BOOST_TEST(lead < 10U);
  }
}

BOOST_AUTO_TEST_SUITE_END()
