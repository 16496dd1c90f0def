// The suite can fail: it finds a module with one fault, and names the fault.
#include <fermata/models/transaction/late_target.h>
#include <fermata/models/transaction/warp_stage.h>

#include "tests/conformance/support.h"

using namespace fermata;
using namespace fermata::conformance;
using test::checkFound;

namespace {

const sc_core::sc_time kNanosecond(1, sc_core::SC_NS);

enum class Fault {
  None,
  LosesResponse,
  EndsRequestTwice,
  IgnoresDelay,
  AnswersNestedAndLater,
  ForgetsStatus,
  Fails,
  LooksAtTheClock,
  HoldsPayload,
  NeverAcknowledges,
  RespondsTwiceAtATime,
};

/// A memory that makes one error, with every eighth line.
class FaultyMemory : public LateLineTarget {
 public:
  FaultyMemory(const sc_core::sc_module_name& name, Fault fault)
      : LateLineTarget(name), fault_(fault) {}
  void b_transport(tlm::tlm_generic_payload&, sc_core::sc_time&) override {}

 private:
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override {
    if (phase == tlm::BEGIN_REQ && chosen(payload, Fault::IgnoresDelay))
      delay = sc_core::SC_ZERO_TIME;
    if (phase == tlm::BEGIN_REQ && chosen(payload, Fault::HoldsPayload)) payload.acquire();
    if (phase == tlm::BEGIN_REQ && chosen(payload, Fault::AnswersNestedAndLater))
      respondNow(payload, delay);
    if (fault_ == Fault::RespondsTwiceAtATime) {
      if (phase == tlm::END_RESP) return tlm::TLM_COMPLETED;
      respondNow(payload, delay + 20 * kNanosecond);
      return tlm::TLM_ACCEPTED;
    }
    return LateLineTarget::nb_transport_fw(payload, phase, delay);
  }
  void respondNow(tlm::tlm_generic_payload& payload, sc_core::sc_time delay) {
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    tlm::tlm_phase response = tlm::BEGIN_RESP;
    in->nb_transport_bw(payload, response, delay);
  }
  void requested(tlm::tlm_generic_payload& payload) override {
    std::uint64_t cycles = 20;
    if (chosen(payload, Fault::LooksAtTheClock))
      cycles += sc_core::sc_time_stamp().value() / kNanosecond.value() % 97;
    if (!chosen(payload, Fault::ForgetsStatus))
      payload.set_response_status(chosen(payload, Fault::Fails) ? tlm::TLM_ADDRESS_ERROR_RESPONSE
                                                                : tlm::TLM_OK_RESPONSE);
    if (chosen(payload, Fault::NeverAcknowledges)) return;
    acknowledge(payload, kNanosecond);
    if (chosen(payload, Fault::EndsRequestTwice)) acknowledge(payload, 2 * kNanosecond);
    if (!chosen(payload, Fault::LosesResponse)) respond(payload, cycles * kNanosecond);
  }
  bool chosen(const tlm::tlm_generic_payload& payload, Fault fault) const {
    return fault == fault_ && payload.get_address() / 128 % 8 == 3;
  }

  Fault fault_;
};

enum class LaneFault { None, Drops, ServesTwice, LeavesServed, NeverServes, NeverTells };

/// A stage that loses count of a lane, in accesses of all lanes.
class FaultyStage : public WarpStage {
 public:
  FaultyStage(const sc_core::sc_module_name& name, LaneFault fault)
      : WarpStage(name), fault_(fault) {}

 private:
  void pass(tlm::tlm_generic_payload& payload, sc_core::sc_time&) override {
    WarpAccess& access = warpAccess(payload);
    if (access.unserved == kAllLanes && fault_ == LaneFault::Drops) access.asked &= ~0x20U;
  }
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override {
    WarpAccess& access = warpAccess(payload);
    if (fault_ == LaneFault::NeverTells && phase == tlm::BEGIN_REQ && access.tries == 1) {
      access.outcome.leave(access.asked, LeftCause::Absent);
      access.outcome.retry = kNever;
      phase = TRY_OUTCOME;
      return tlm::TLM_UPDATED;
    }
    if (fault_ == LaneFault::NeverServes && phase == tlm::BEGIN_REQ && access.asked == kAllLanes) {
      access.outcome.leave(kAllLanes, LeftCause::Bank);
      phase = TRY_OUTCOME;
      return tlm::TLM_UPDATED;
    }
    const tlm::tlm_sync_enum status = WarpStage::nb_transport_fw(payload, phase, delay);
    if (status != tlm::TLM_COMPLETED || access.instruction.active != kAllLanes) return status;
    switch (fault_) {
      case LaneFault::ServesTwice:
        if (access.tries > 1) return status;
        access.outcome.leave(0x100, LeftCause::Bank);
        break;
      case LaneFault::LeavesServed:
        access.outcome.leave(access.tries == 1 ? 0x100 : 0x200, LeftCause::Bank);
        if (access.tries > 3) access.outcome = {};
        break;
      default:
        return status;
    }
    phase = TRY_OUTCOME;
    return tlm::TLM_UPDATED;
  }

  LaneFault fault_;
};

Findings check(Fault fault) {
  return checkLineTarget([fault](const char* name) {
    return targetOf<Line>(std::make_shared<FaultyMemory>(name, fault));
  });
}

Findings check(LaneFault fault) {
  return checkWarpStage([fault](const char* name) {
    return stageOf<WarpProtocol, WarpProtocol>(std::make_shared<FaultyStage>(name, fault));
  });
}

}  // namespace

BOOST_AUTO_TEST_SUITE(broken)

BOOST_AUTO_TEST_CASE(the_same_memory_without_a_fault_conforms) {
  test::checkConforms(check(Fault::None));
}
BOOST_AUTO_TEST_CASE(the_same_stage_without_a_fault_conforms) {
  test::checkConforms(check(LaneFault::None));
}
BOOST_AUTO_TEST_CASE(a_lost_response) {
  checkFound(check(Fault::LosesResponse), "access 3 is never answered");
}
BOOST_AUTO_TEST_CASE(a_request_that_is_never_acknowledged) {
  checkFound(check(Fault::NeverAcknowledges), "access 3 is never acknowledged");
}
BOOST_AUTO_TEST_CASE(a_request_acknowledged_twice) {
  checkFound(check(Fault::EndsRequestTwice), "above: END_REQ out of order");
}
BOOST_AUTO_TEST_CASE(an_annotated_delay_that_is_ignored) {
  checkFound(check(Fault::IgnoresDelay), "before it took effect");
}
BOOST_AUTO_TEST_CASE(a_second_answer) {
  checkFound(check(Fault::AnswersNestedAndLater), "is answered but is not under way");
}
BOOST_AUTO_TEST_CASE(a_forgotten_status) {
  checkFound(check(Fault::ForgetsStatus), "access 3 is answered without a response status");
}
BOOST_AUTO_TEST_CASE(a_failure) {
  checkFound(check(Fault::Fails), "access 3 fails with TLM_ADDRESS_ERROR_RESPONSE");
}
BOOST_AUTO_TEST_CASE(a_payload_that_is_held) {
  checkFound(check(Fault::HoldsPayload), "its payload is still held");
}
BOOST_AUTO_TEST_CASE(two_responses_at_a_time) {
  checkFound(check(Fault::RespondsTwiceAtATime),
             "END_RESP later: above: BEGIN_RESP before the previous response was ended");
}
BOOST_AUTO_TEST_CASE(absolute_time) {
  checkFound(check(Fault::LooksAtTheClock), "a second time, response completed: access 3 has");
}
BOOST_AUTO_TEST_CASE(a_dropped_lane) {
  checkFound(check(LaneFault::Drops), "is answered as served but was never served below");
}
BOOST_AUTO_TEST_CASE(a_lane_served_twice) {
  checkFound(check(LaneFault::ServesTwice), "lane 8 of access 1 is served twice below");
}
BOOST_AUTO_TEST_CASE(a_lane_left_that_was_served_before) {
  checkFound(check(LaneFault::LeavesServed), "leaves lanes that this try was not asked for");
}
BOOST_AUTO_TEST_CASE(lanes_that_are_never_served) {
  checkFound(check(LaneFault::NeverServes), "still has lanes left after");
}
BOOST_AUTO_TEST_CASE(a_retry_that_never_makes_sense) {
  checkFound(check(LaneFault::NeverTells), "is never told that another try makes sense");
}

BOOST_AUTO_TEST_SUITE_END()
