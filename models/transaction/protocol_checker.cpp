#include <fermata/models/transaction/protocol_checker.h>

#include <fermata/models/transaction/warp_access.h>

namespace fermata {

ProtocolChecker::ProtocolChecker(const sc_core::sc_module_name& name)
    : sc_module(name), in("in"), out("out") {
  in.bind(*this);
  out.bind(*this);
}

void ProtocolChecker::require(bool holds, const char* what) const {
  if (!holds)
    SC_REPORT_ERROR("fermata/protocol", (std::string(this->name()) + ": " + what).c_str());
}

void ProtocolChecker::checkStart(tlm::tlm_generic_payload& payload) {
  require(payload.has_mm(), "payload without a memory manager");
  require(payload.get_ref_count() > 0, "payload without a reference");
  require(payload.get_extension<WarpAccess>() != nullptr, "payload without a WarpAccess");
  require(payload.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE,
          "a request starts with a response status other than incomplete");
}

void ProtocolChecker::begin(tlm::tlm_generic_payload& payload) {
  checkStart(payload);
  require(unacknowledged_ == nullptr, "BEGIN_REQ before the previous request was acknowledged");
  require(state_.emplace(&payload, State::Requested).second,
          "BEGIN_REQ of a payload that is in flight");
  unacknowledged_ = &payload;
  ++started_;
}

void ProtocolChecker::complete(tlm::tlm_generic_payload& payload) {
  require(payload.get_response_status() != tlm::TLM_INCOMPLETE_RESPONSE,
          "completed without a response status");
  require(state_.erase(&payload) == 1, "completed a payload that is not in flight");
  if (unacknowledged_ == &payload) unacknowledged_ = nullptr;
  ++completed_;
}

void ProtocolChecker::advance(tlm::tlm_generic_payload& payload, const tlm::tlm_phase& phase) {
  const auto found = state_.find(&payload);
  require(found != state_.end(), "a phase of a payload that is not in flight");
  if (found == state_.end()) return;
  if (phase == tlm::END_REQ) {
    require(found->second == State::Requested, "END_REQ out of order");
    found->second = State::Accepted;
  } else if (phase == tlm::BEGIN_RESP) {
    require(found->second != State::Responding, "BEGIN_RESP out of order");
    found->second = State::Responding;
  } else {
    require(false, "a phase that this direction does not have");
  }
  if (unacknowledged_ == &payload) unacknowledged_ = nullptr;
}

void ProtocolChecker::outcome(tlm::tlm_generic_payload& payload, tlm::tlm_sync_enum status,
                              const tlm::tlm_phase& phase) {
  if (status == tlm::TLM_COMPLETED) {
    complete(payload);
  } else if (status == tlm::TLM_UPDATED) {
    advance(payload, phase);
  }
}

tlm::tlm_sync_enum ProtocolChecker::nb_transport_fw(tlm::tlm_generic_payload& payload,
                                                    tlm::tlm_phase& phase,
                                                    sc_core::sc_time& delay) {
  const sc_core::sc_time before = delay;
  const bool last = phase == tlm::END_RESP;
  if (phase == tlm::BEGIN_REQ) {
    begin(payload);
  } else {
    const auto found = state_.find(&payload);
    require(last && found != state_.end() && found->second == State::Responding,
            "only BEGIN_REQ, and END_RESP after BEGIN_RESP, come on the forward path");
  }
  const tlm::tlm_sync_enum status = out->nb_transport_fw(payload, phase, delay);
  require(delay >= before, "the annotated delay shrank");
  if (last) {
    complete(payload);
  } else {
    outcome(payload, status, phase);
  }
  return status;
}

tlm::tlm_sync_enum ProtocolChecker::nb_transport_bw(tlm::tlm_generic_payload& payload,
                                                    tlm::tlm_phase& phase,
                                                    sc_core::sc_time& delay) {
  advance(payload, phase);
  payload.acquire();  // the initiator may drop the last reference
  const tlm::tlm_sync_enum status = in->nb_transport_bw(payload, phase, delay);
  if (status == tlm::TLM_COMPLETED || (status == tlm::TLM_UPDATED && phase == tlm::END_RESP))
    complete(payload);
  payload.release();
  return status;
}

void ProtocolChecker::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  require(payload.get_extension<WarpAccess>() != nullptr, "payload without a WarpAccess");
  ++started_;
  out->b_transport(payload, delay);
  require(payload.get_response_status() != tlm::TLM_INCOMPLETE_RESPONSE,
          "completed without a response status");
  ++completed_;
}

}  // namespace fermata
