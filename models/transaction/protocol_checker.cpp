#include <fermata/models/transaction/protocol_checker.h>

#include <string>
#include <type_traits>

namespace fermata {

template <class Types>
BasicProtocolChecker<Types>::BasicProtocolChecker(const sc_core::sc_module_name& name)
    : sc_module(name), in("in"), out("out") {
  in.bind(*this);
  out.bind(*this);
}

template <class Types>
constexpr bool BasicProtocolChecker<Types>::warps() {
  return std::is_same_v<Types, WarpProtocol>;
}

template <class Types>
void BasicProtocolChecker<Types>::require(bool holds, const char* what) const {
  if (!holds)
    SC_REPORT_ERROR("fermata/protocol", (std::string(this->name()) + ": " + what).c_str());
}

template <class Types>
typename BasicProtocolChecker<Types>::State BasicProtocolChecker<Types>::checkedStart(
    Payload& payload) const {
  require(payload.has_mm(), "payload without a memory manager");
  require(payload.get_ref_count() > 0, "payload without a reference");
  require(payload.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE,
          "a request starts with a response status other than incomplete");
  if (!warps()) return {};
  const WarpAccess* access = payload.get_extension<WarpAccess>();
  require(access != nullptr, "payload without a WarpAccess");
  if (access == nullptr) return {};
  const State state{Step::Requested, access->asked, access->outcome.lanesLeft()};
  require(state.asked != 0, "a try that asks for no lane");
  require((state.asked & state.leftBefore) == 0, "a try asks for lanes that were left already");
  return state;
}

template <class Types>
void BasicProtocolChecker<Types>::begin(Payload& payload) {
  const State state = checkedStart(payload);
  require(unacknowledged_ == nullptr, "BEGIN_REQ before the previous request was acknowledged");
  require(state_.emplace(&payload, state).second, "BEGIN_REQ of a payload that is in flight");
  unacknowledged_ = &payload;
  ++started_;
}

template <class Types>
void BasicProtocolChecker<Types>::end(Payload& payload) {
  require(state_.erase(&payload) == 1, "completed a payload that is not in flight");
  if (unacknowledged_ == &payload) unacknowledged_ = nullptr;
  if (responding_ == &payload) responding_ = nullptr;
  ++completed_;
}

template <class Types>
LaneMask BasicProtocolChecker<Types>::leftHere(const Payload& payload, const State& state) {
  const WarpAccess* access = warps() ? payload.get_extension<WarpAccess>() : nullptr;
  return access == nullptr ? 0 : access->outcome.lanesLeft() & ~state.leftBefore;
}

template <class Types>
void BasicProtocolChecker<Types>::requireStatus(const Payload& payload) const {
  require(payload.get_response_status() != tlm::TLM_INCOMPLETE_RESPONSE,
          "completed without a response status");
}

template <class Types>
void BasicProtocolChecker<Types>::complete(Payload& payload, const State& state) {
  requireStatus(payload);
  require(leftHere(payload, state) == 0, "completed with lanes left; expected TRY_OUTCOME");
  end(payload);
}

template <class Types>
void BasicProtocolChecker<Types>::told(Payload& payload, State& state) {
  require(state.step == Step::Requested || state.step == Step::Accepted,
          "TRY_OUTCOME out of order");
  const LaneMask left = leftHere(payload, state);
  require((left & ~state.asked) == 0, "lanes left that were not asked for");
  if (left != 0) return end(payload);
  state.step = Step::Told;
}

// Checks the response here, not in end(): a stage upstream may turn the response into an outcome.
template <class Types>
void BasicProtocolChecker<Types>::respond(Payload& payload, State& state) {
  require(state.step != Step::Responding, "BEGIN_RESP out of order");
  require(responding_ == nullptr, "BEGIN_RESP before the previous response was ended");
  responding_ = &payload;
  requireStatus(payload);
  require(leftHere(payload, state) == 0, "a response with lanes left; expected TRY_OUTCOME");
  state.step = Step::Responding;
}

template <class Types>
void BasicProtocolChecker<Types>::advance(Payload& payload, const tlm::tlm_phase& phase) {
  // TRY_AGAIN concerns lanes of a try that is over. The next try may have begun already.
  if (warps() && phase == TRY_AGAIN) return;
  const auto found = state_.find(&payload);
  require(found != state_.end(), "a phase of a payload that is not in flight");
  if (found == state_.end()) return;
  if (unacknowledged_ == &payload) unacknowledged_ = nullptr;
  if (phase == tlm::END_REQ) {
    require(found->second.step == Step::Requested, "END_REQ out of order");
    found->second.step = Step::Accepted;
  } else if (phase == tlm::BEGIN_RESP) {
    respond(payload, found->second);
  } else if (warps() && phase == TRY_OUTCOME) {
    told(payload, found->second);
  } else {
    require(false, "a phase that this direction does not have");
  }
}

template <class Types>
void BasicProtocolChecker<Types>::returned(Payload& payload, tlm::tlm_sync_enum status,
                                           const tlm::tlm_phase& phase) {
  if (status == tlm::TLM_UPDATED) return advance(payload, phase);
  // A target that completed the payload from within the call may return TLM_COMPLETED as well.
  const auto found = state_.find(&payload);
  if (status == tlm::TLM_COMPLETED && found != state_.end()) complete(payload, found->second);
}

template <class Types>
tlm::tlm_sync_enum BasicProtocolChecker<Types>::nb_transport_fw(Payload& payload,
                                                                tlm::tlm_phase& phase,
                                                                sc_core::sc_time& delay) {
  const sc_core::sc_time before = delay;
  const bool last = phase == tlm::END_RESP;
  if (phase == tlm::BEGIN_REQ) {
    begin(payload);
  } else {
    const auto found = state_.find(&payload);
    require(last && found != state_.end() && found->second.step == Step::Responding,
            "only BEGIN_REQ, and END_RESP after BEGIN_RESP, come on the forward path");
  }
  payload.acquire();       // an answer from within the call may drop the last reference
  if (last) end(payload);  // the next response may begin from within the call
  const tlm::tlm_sync_enum status = out->nb_transport_fw(payload, phase, delay);
  require(delay >= before, "the annotated delay shrank");
  if (!last) returned(payload, status, phase);
  payload.release();
  return status;
}

template <class Types>
tlm::tlm_sync_enum BasicProtocolChecker<Types>::nb_transport_bw(Payload& payload,
                                                                tlm::tlm_phase& phase,
                                                                sc_core::sc_time& delay) {
  const bool response = phase == tlm::BEGIN_RESP;
  advance(payload, phase);
  payload.acquire();  // the initiator may drop the last reference
  const tlm::tlm_sync_enum status = in->nb_transport_bw(payload, phase, delay);
  const bool ended =
      status == tlm::TLM_COMPLETED || (status == tlm::TLM_UPDATED && phase == tlm::END_RESP);
  if (response && ended) end(payload);
  payload.release();
  return status;
}

template <class Types>
void BasicProtocolChecker<Types>::b_transport(Payload& payload, sc_core::sc_time& delay) {
  require(!warps() || payload.get_extension<WarpAccess>() != nullptr,
          "payload without a WarpAccess");
  ++started_;
  out->b_transport(payload, delay);
  requireStatus(payload);
  ++completed_;
}

template class BasicProtocolChecker<WarpProtocol>;
template class BasicProtocolChecker<tlm::tlm_base_protocol_types>;

}  // namespace fermata
