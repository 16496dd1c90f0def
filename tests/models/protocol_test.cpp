// The checker finds each violation; a well-behaved asynchronous target works behind the memory
// port.

#include <fermata/models/core/memory_port.h>
#include <fermata/models/transaction/protocol_checker.h>
#include <fermata/models/transaction/warp_stage.h>

#include "tests/support/says.h"

using namespace fermata;

namespace {

sc_core::sc_time ns(unsigned value) {
  return {static_cast<double>(value), sc_core::SC_NS};
}

/// A target whose answers the test gives.
struct Target : sc_core::sc_module, WarpForward {
  using Answer = std::function<tlm::tlm_sync_enum(tlm::tlm_generic_payload&, tlm::tlm_phase&,
                                                  sc_core::sc_time&)>;
  WarpTargetSocket in{"in"};
  Answer answer;
  tlm::tlm_generic_payload* taken = nullptr;  ///< by an answer of take()
  explicit Target(const sc_core::sc_module_name& name) : sc_module(name) { in.bind(*this); }
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& p, tlm::tlm_phase& ph,
                                     sc_core::sc_time& t) override {
    return answer(p, ph, t);
  }
  /// Accepts each request; with `outcome`, says that no lane is left.
  void take(bool outcome = false) {
    answer = [this, outcome](auto& payload, auto& phase, auto&) {
      taken = &payload;
      if (outcome) phase = TRY_OUTCOME;
      return outcome ? tlm::TLM_UPDATED : tlm::TLM_ACCEPTED;
    };
  }
  /// Calls back for the payload taken.
  tlm::tlm_sync_enum call(tlm::tlm_phase phase, unsigned delay) {
    if (phase == tlm::BEGIN_RESP) taken->set_response_status(tlm::TLM_OK_RESPONSE);
    sc_core::sc_time time = ns(delay);
    return in->nb_transport_bw(*taken, phase, time);
  }
  void b_transport(tlm::tlm_generic_payload&, sc_core::sc_time&) override {}
  unsigned transport_dbg(tlm::tlm_generic_payload&) override { return 0; }
  bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi&) override { return false; }
};

struct Client : MemoryPort::Client {
  std::vector<Cycle> at;
  std::vector<Cycle> freeAt;
  std::vector<LaneMask> left;  ///< lanes left, for each outcome received
  void responded(WarpAccess& access, Cycle) override { left.push_back(access.unserved); }
  void arrived(WarpAccess&, Cycle cycle) override { at.push_back(cycle); }
  void again(WarpAccess&, Cycle) override {}
  void pathFree(MemoryPath, Cycle cycle) override { freeAt.push_back(cycle); }
  void due(Cycle) override {}
};

struct Bench {
  ClockDomain domain{"domain", Clock(sc_core::sc_time(1, sc_core::SC_NS))};
  Client client;
  MemoryPort port;
  ProtocolChecker checker{"checker"};
  ProtocolChecker globalChecker{"global_checker"};
  Target shared{"shared"};
  Target global{"global"};

  explicit Bench(Cycle detection = 0) : port("port", domain, client, detection) {
    port.shared.bind(checker.in);
    checker.out.bind(shared.in);
    port.global.bind(globalChecker.in);
    globalChecker.out.bind(global.in);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }
  WarpAccess& open(LaneMask lanes = 1) {
    WarpAccess& access = port.open();
    access.instruction.space = MemorySpace::Shared;
    access.instruction.active = lanes;
    access.instruction.address[0] = 64;
    return access;
  }
  MemoryPort::Sent send() { return port.send(open(), domain.now()); }
  void expectViolation(const std::string& text) {
    BOOST_CHECK_EXCEPTION(send(), sc_core::sc_report, test::says(text));
  }
};

/// A core that learns an outcome ten cycles after its try.
struct LateBench : Bench {
  LateBench() : Bench(10) {}
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(protocol, Bench)

BOOST_AUTO_TEST_CASE(completed_at_once) {
  shared.answer = [](auto& payload, auto&, auto& delay) {
    delay += ns(26);
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    return tlm::TLM_COMPLETED;
  };
  BOOST_TEST(send().arrives == 26U);
  BOOST_TEST(checker.started() == 1U);
  BOOST_TEST(checker.completed() == 1U);
}

BOOST_AUTO_TEST_CASE(response_later_on_the_backward_path) {
  shared.take();
  BOOST_TEST(!send().served);
  BOOST_TEST(port.inFlight() == 1U);
  BOOST_TEST((shared.call(tlm::BEGIN_RESP, 5) == tlm::TLM_COMPLETED));
  port.deliver(4);
  BOOST_TEST(client.at.empty());  // not before it is due
  port.deliver(5);
  BOOST_TEST(client.at == std::vector<Cycle>{5});
  BOOST_TEST(port.inFlight() == 0U);
  BOOST_TEST(checker.inFlight() == 0U);
}

BOOST_AUTO_TEST_CASE(the_port_waits_for_end_req) {
  shared.take();
  BOOST_TEST(!send().accepted);
  shared.call(tlm::END_REQ, 7);
  BOOST_TEST(client.freeAt == std::vector<Cycle>{7});
  BOOST_TEST(!send().accepted);  // the checker finds a request that comes too early
  shared.call(tlm::BEGIN_RESP, 7);
  BOOST_TEST(client.freeAt.size() == 2U);  // a response acknowledges the request too
}

BOOST_AUTO_TEST_CASE(response_on_the_return_path_is_ended) {
  std::vector<tlm::tlm_phase> phases;
  shared.answer = [&](auto& payload, auto& phase, auto& delay) {
    phases.push_back(phase);
    if (phase == tlm::END_RESP) return tlm::TLM_COMPLETED;
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    phase = tlm::BEGIN_RESP;
    delay += ns(3);
    return tlm::TLM_UPDATED;
  };
  BOOST_TEST(send().arrives == 3U);
  BOOST_TEST(phases.size() == 2U);
  BOOST_TEST(checker.inFlight() == 0U);
}

BOOST_AUTO_TEST_CASE(missing_status_is_a_violation) {
  shared.answer = [](auto&, auto&, auto&) { return tlm::TLM_COMPLETED; };
  expectViolation("without a response status");
}

BOOST_AUTO_TEST_CASE(shrinking_delay_is_a_violation) {
  PayloadPool pool;
  tlm::tlm_generic_payload& payload = pool.acquire();
  payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  warpAccess(payload).asked = 1;
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_core::sc_time delay(4, sc_core::SC_NS);
  shared.answer = [](auto& p, auto&, auto& d) {
    p.set_response_status(tlm::TLM_OK_RESPONSE);
    d = ns(1);
    return tlm::TLM_COMPLETED;
  };
  BOOST_CHECK_THROW(port.shared->nb_transport_fw(payload, phase, delay), sc_core::sc_report);
}

BOOST_AUTO_TEST_CASE(second_request_before_the_first_is_acknowledged_is_a_violation) {
  shared.answer = [](auto&, auto&, auto&) { return tlm::TLM_ACCEPTED; };
  send();
  expectViolation("before the previous request was acknowledged");
}

BOOST_AUTO_TEST_CASE(payload_without_access_is_a_violation) {
  shared.answer = [](auto&, auto&, auto&) { return tlm::TLM_ACCEPTED; };
  tlm::tlm_generic_payload payload;
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_core::sc_time delay;
  BOOST_CHECK_THROW(port.shared->nb_transport_fw(payload, phase, delay), sc_core::sc_report);
}

BOOST_AUTO_TEST_CASE(error_response_is_reported) {
  shared.answer = [](auto& payload, auto&, auto&) {
    payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    return tlm::TLM_COMPLETED;
  };
  expectViolation("access failed");
}

// A response within the forward call: IEEE 1666 lets a target use the backward path at any time.
BOOST_AUTO_TEST_CASE(nested_response_is_not_lost) {
  for (const tlm::tlm_sync_enum returned : {tlm::TLM_ACCEPTED, tlm::TLM_COMPLETED}) {
    shared.answer = [&](auto& payload, auto&, auto& delay) {
      payload.set_response_status(tlm::TLM_OK_RESPONSE);
      tlm::tlm_phase phase = tlm::BEGIN_RESP;
      sc_core::sc_time later = delay + ns(9);
      BOOST_TEST((shared.in->nb_transport_bw(payload, phase, later) == tlm::TLM_COMPLETED));
      return returned;
    };
    const MemoryPort::Sent sent = send();
    BOOST_TEST(sent.served);
    BOOST_TEST(sent.accepted);
    BOOST_TEST(sent.arrives == 9U);
  }
  BOOST_TEST(port.inFlight() == 0U);
  BOOST_TEST(checker.inFlight() == 0U);
  BOOST_TEST(checker.completed() == 2U);
}

BOOST_AUTO_TEST_CASE(nested_end_req_frees_the_path) {
  shared.answer = [&](auto& payload, auto&, auto& delay) {
    tlm::tlm_phase phase = tlm::END_REQ;
    shared.in->nb_transport_bw(payload, phase, delay);
    return tlm::TLM_ACCEPTED;
  };
  const MemoryPort::Sent sent = send();
  BOOST_TEST(sent.accepted);
  BOOST_TEST(!sent.served);
  BOOST_TEST(client.freeAt.empty());
}

// Lanes left become known in the cycle in which the hardware would know, for each way in which a
// path can report them.
enum class Way { Returned, Nested, Later };
BOOST_AUTO_TEST_CASE(lanes_left_are_told_when_they_are_known) {
  for (const Way way : {Way::Returned, Way::Nested, Way::Later}) {
    client.left.clear();
    shared.answer = [&](auto& payload, auto& phase, auto& delay) {
      shared.taken = &payload;
      warpAccess(payload).outcome.leave(0xc, LeftCause::Bank);
      warpAccess(payload).outcome.data = 20;
      if (way == Way::Later) return tlm::TLM_ACCEPTED;
      delay += ns(4);
      if (way == Way::Nested) {
        tlm::tlm_phase outcome = TRY_OUTCOME;
        shared.in->nb_transport_bw(payload, outcome, delay);
        return tlm::TLM_ACCEPTED;
      }
      phase = TRY_OUTCOME;
      return tlm::TLM_UPDATED;
    };
    WarpAccess& access = open(0xf);
    const MemoryPort::Sent sent = port.send(access, 0);
    BOOST_TEST(!sent.served);
    BOOST_TEST(sent.accepted == (way != Way::Later));
    if (way == Way::Later) {
      BOOST_TEST((shared.call(TRY_OUTCOME, 4) == tlm::TLM_COMPLETED));
      BOOST_TEST(client.freeAt.size() == 1U);  // the outcome acknowledges the request
    }
    BOOST_TEST(port.nextDue() == 4U);
    port.deliver(3);
    BOOST_TEST(client.left.empty());
    port.deliver(4);
    BOOST_TEST(client.left == std::vector<LaneMask>{0xc});
    BOOST_TEST(checker.inFlight() == 0U);
    BOOST_TEST(port.inFlight() == 0U);
    // The second try asks for the rest; the data of the first try have been under way for 24
    // cycles.
    shared.answer = [&](auto& payload, auto&, auto& delay) {
      BOOST_TEST(warpAccess(payload).asked == 0xcU);
      BOOST_TEST(warpAccess(payload).outcome.lanesLeft() == 0U);
      delay += ns(2);
      payload.set_response_status(tlm::TLM_OK_RESPONSE);
      return tlm::TLM_COMPLETED;
    };
    const MemoryPort::Sent again = port.send(access, 6);
    BOOST_TEST(again.served);
    BOOST_TEST(again.arrives == 24U);
    BOOST_TEST(access.tries == 2U);
  }
}

// Every lane is taken, the data come later: a barrier need not wait for the data.
BOOST_AUTO_TEST_CASE(an_outcome_without_lanes_left_comes_before_the_response) {
  shared.take(true);
  BOOST_TEST(send().accepted);
  port.deliver(0);
  BOOST_TEST(client.left == std::vector<LaneMask>{0});
  BOOST_TEST(client.at.empty());
  BOOST_TEST(port.inFlight() == 1U);
  shared.call(tlm::BEGIN_RESP, 3);
  port.deliver(3);
  BOOST_TEST(client.at == std::vector<Cycle>{3});
  BOOST_TEST(client.left.size() == 1U);  // once only
  BOOST_TEST(checker.inFlight() == 0U);
}

BOOST_AUTO_TEST_CASE(lanes_left_that_were_not_asked_for_are_a_violation) {
  shared.answer = [](auto& payload, auto& phase, auto&) {
    warpAccess(payload).outcome.leave(0x10, LeftCause::Lock);
    phase = TRY_OUTCOME;
    return tlm::TLM_UPDATED;
  };
  expectViolation("lanes left that were not asked for");
}

BOOST_AUTO_TEST_CASE(a_response_with_lanes_left_is_a_violation) {
  shared.answer = [](auto& payload, auto&, auto&) {
    warpAccess(payload).outcome.leave(0x1, LeftCause::Tag);
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    return tlm::TLM_COMPLETED;
  };
  expectViolation("with lanes left");
}

// The core learns the outcome late, but the path is not late: it takes the next try, the data of
// served lanes are under way, and the time of a useful retry is unchanged.
BOOST_FIXTURE_TEST_CASE(lanes_left_are_detected_late, LateBench) {
  shared.take();
  WarpAccess& access = open(0xf);
  BOOST_TEST(!port.send(access, 0).accepted);
  access.outcome.leave(0xc, LeftCause::Bank);
  access.outcome.data = 3;
  access.outcome.retry = 9;
  shared.call(TRY_OUTCOME, 4);
  BOOST_TEST(client.freeAt == std::vector<Cycle>{4});
  BOOST_TEST(port.nextDue() == 10U);
  port.deliver(10);
  BOOST_TEST(client.left == std::vector<LaneMask>{0xc});
  BOOST_TEST(access.arrives == 7U);
  BOOST_TEST(access.outcome.retry == 3U);  // from 10 on until 13
}

BOOST_FIXTURE_TEST_CASE(a_response_does_not_overtake_its_outcome, LateBench) {
  shared.take(true);
  BOOST_TEST(send().accepted);
  shared.call(tlm::BEGIN_RESP, 3);
  port.deliver(3);
  BOOST_TEST(client.left == std::vector<LaneMask>{0});
  BOOST_TEST(client.at == std::vector<Cycle>{3});
  BOOST_TEST(port.nextDue() == kNever);  // nothing more for an access that has ended
}

BOOST_AUTO_TEST_SUITE_END()
