#include <fermata/models/conformance/answerer.h>

#include <type_traits>

namespace fermata::conformance {

const char* nameOf(Way way) {
  static const char* const names[] = {"completed at the call",
                                      "response returned by the call",
                                      "END_REQ returned by the call",
                                      "END_REQ and response later",
                                      "nested response",
                                      "nested response, then completed",
                                      "nested END_REQ",
                                      "END_REQ withheld for long",
                                      "responses out of order",
                                      "outcome returned without lanes left",
                                      "outcome later without lanes left",
                                      "lanes left, outcome returned",
                                      "lanes left, nested outcome",
                                      "lanes left, outcome later",
                                      "every kind of answer"};
  return names[static_cast<unsigned>(way)];
}

std::vector<Way> warpsWays() {
  std::vector<Way> ways;
  for (unsigned w = 0; w <= static_cast<unsigned>(Way::Mixed); ++w)
    ways.push_back(static_cast<Way>(w));
  return ways;
}

std::vector<Way> linesWays() {
  std::vector<Way> ways = warpsWays();
  ways.erase(ways.begin() + static_cast<int>(Way::TakenReturned), ways.end() - 1);
  return ways;
}

template <class Types>
Answerer<Types>::Answerer(const sc_core::sc_module_name& name, const Options& options, Way way,
                          Log& log, Ledger* ledger)
    : sc_module(name), in("in"), options_(options), way_(way), log_(log), ledger_(ledger) {
  SC_METHOD(act);
  sensitive << due_;
  dont_initialize();
  in.bind(*this);
}

template <class Types>
constexpr bool Answerer<Types>::warps() {
  return std::is_same_v<Types, WarpProtocol>;
}

template <class Types>
sc_core::sc_time Answerer<Types>::cycles(std::uint64_t quarters) const {
  return sc_core::sc_time::from_value(options_.period.value() * quarters / 4);
}

template <class Types>
sc_core::sc_time Answerer<Types>::latency() const {
  const std::uint64_t range = way_ == Way::OutOfOrder ? 600 : 100;
  return known() + cycles(dice_ % range);
}

template <class Types>
sc_core::sc_time Answerer<Types>::known() const {
  return cycles((dice_ >> 16) % 16);
}

template <class Types>
Way Answerer<Types>::wayOf() const {
  if (way_ != Way::Mixed) return way_;
  const unsigned ways = static_cast<unsigned>(warps() ? Way::Mixed : Way::TakenReturned);
  return static_cast<Way>((dice_ >> 40) % ways);
}

template <class Types>
tlm::tlm_sync_enum Answerer<Types>::nb_transport_fw(Payload& payload, tlm::tlm_phase& phase,
                                                    sc_core::sc_time& delay) {
  if (phase == tlm::END_RESP) {
    if (&payload == responding_) endResponse(payload);
    return tlm::TLM_COMPLETED;
  }
  std::uint64_t what = payload.get_address();
  if (warps()) {
    const WarpAccess& access = warpAccess(payload);
    what = access.instruction.pc * std::uint64_t{4096} + access.tries;
  }
  dice_ = mix(options_.seed, what);
  payload.acquire();
  open_.insert(&payload);
  return answer(payload, wayOf(), phase, delay);
}

template <class Types>
tlm::tlm_sync_enum Answerer<Types>::answer(Payload& payload, Way way, tlm::tlm_phase& phase,
                                           sc_core::sc_time& delay) {
  if (warps() && way >= Way::TakenReturned) return tell(payload, way, phase, delay);
  serve(payload);
  switch (way) {
    case Way::ResponseReturned:
      return returnResponse(payload, phase, delay);
    case Way::NestedResponse:
    case Way::NestedCompleted:
      return respondNested(payload, way, delay);
    case Way::AtOnce:
      return complete(payload, delay);
    default:
      return endRequest(payload, way, phase, delay);
  }
}

template <class Types>
void Answerer<Types>::serve(Payload& payload) {
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
  if (warps()) {
    const WarpAccess& access = warpAccess(payload);
    if (access.outcome.lanesLeft() == 0 && access.lastTry()) order_.served(access);
    if (ledger_ != nullptr) ledger_->servedLanes(access.instruction.pc, access.asked);
  } else if (ledger_ != nullptr) {
    ledger_->servedLine(payload.get_address(), payload.get_data_length());
  }
}

template <class Types>
tlm::tlm_sync_enum Answerer<Types>::complete(Payload& payload, sc_core::sc_time& delay) {
  delay += latency();
  open_.erase(&payload);
  payload.release();
  return tlm::TLM_COMPLETED;
}

// A response may only begin when the last one has been ended; a completion is no response.
template <class Types>
tlm::tlm_sync_enum Answerer<Types>::returnResponse(Payload& payload, tlm::tlm_phase& phase,
                                                   sc_core::sc_time& delay) {
  if (responding_ != nullptr) return complete(payload, delay);
  responding_ = &payload;
  delay += latency();
  phase = tlm::BEGIN_RESP;
  return tlm::TLM_UPDATED;
}

template <class Types>
tlm::tlm_sync_enum Answerer<Types>::respondNested(Payload& payload, Way way,
                                                  sc_core::sc_time& delay) {
  if (responding_ != nullptr) return complete(payload, delay);
  const bool ended = respond(payload, delay + latency());
  return ended && way == Way::NestedCompleted ? tlm::TLM_COMPLETED : tlm::TLM_ACCEPTED;
}

template <class Types>
tlm::tlm_sync_enum Answerer<Types>::endRequest(Payload& payload, Way way, tlm::tlm_phase& phase,
                                               sc_core::sc_time& delay) {
  const bool withheld = way == Way::BackPressure;
  const sc_core::sc_time end = delay + (withheld ? cycles(100 + (dice_ >> 24) % 400) : known());
  const sc_core::sc_time response = delay + latency() + (withheld ? cycles(400) : known());
  plan(payload, tlm::BEGIN_RESP, response);
  if (way == Way::RequestEnded) {
    phase = tlm::END_REQ;
    delay = end;
    return tlm::TLM_UPDATED;
  }
  if (way == Way::NestedEndRequest) {
    sc_core::sc_time at = end;
    tlm::tlm_phase ended = tlm::END_REQ;
    in->nb_transport_bw(payload, ended, at);
  } else if (end < response) {
    plan(payload, tlm::END_REQ, end);
  }
  return tlm::TLM_ACCEPTED;
}

template <class Types>
LaneMask Answerer<Types>::leave(WarpAccess& access) {
  LaneMask left = access.asked & static_cast<LaneMask>(dice_ >> 8);
  LeftCause cause = LeftCause::Absent;
  if (access.tries > 3) left = 0;
  if (!order_.mayServe(access)) {
    left = access.asked;
    cause = LeftCause::Order;
  }
  if (left == 0) return 0;
  access.outcome.leave(left, cause);
  access.outcome.retry = dice_ % 5;
  order_.left(access);
  return left;
}

template <class Types>
tlm::tlm_sync_enum Answerer<Types>::tell(Payload& payload, Way way, tlm::tlm_phase& phase,
                                         sc_core::sc_time& delay) {
  WarpAccess& access = warpAccess(payload);
  const bool mayLeave = way >= Way::LeftReturned;
  const LaneMask left = mayLeave ? leave(access) : 0;
  if (left == 0) {
    serve(payload);
  } else {
    if (ledger_ != nullptr) ledger_->servedLanes(access.instruction.pc, access.asked & ~left);
    access.outcome.data = latency().value() / options_.period.value();
  }
  const sc_core::sc_time at = delay + known();
  const bool later = way == Way::LeftLater || way == Way::TakenLater;
  if (later) plan(payload, TRY_OUTCOME, at);
  if (left == 0) plan(payload, tlm::BEGIN_RESP, at + latency());
  if (later) return tlm::TLM_ACCEPTED;
  if (left != 0) open_.erase(&payload);
  tlm::tlm_sync_enum status = tlm::TLM_UPDATED;
  if (way == Way::LeftNested) {
    sc_core::sc_time nested = at;
    tlm::tlm_phase outcome = TRY_OUTCOME;
    in->nb_transport_bw(payload, outcome, nested);
    status = tlm::TLM_ACCEPTED;
  } else {
    phase = TRY_OUTCOME;
    delay = at;
  }
  if (left != 0) payload.release();
  return status;
}

template <class Types>
void Answerer<Types>::plan(Payload& payload, const tlm::tlm_phase& phase,
                           const sc_core::sc_time& delay) {
  answers_.emplace(sc_core::sc_time_stamp() + delay, Answer{&payload, phase});
  arm();
}

template <class Types>
void Answerer<Types>::arm() {
  if (!answers_.empty()) due_.notify(answers_.begin()->first - sc_core::sc_time_stamp());
}

template <class Types>
void Answerer<Types>::act() {
  while (!answers_.empty() && answers_.begin()->first <= sc_core::sc_time_stamp()) {
    const Answer next = answers_.begin()->second;
    answers_.erase(answers_.begin());
    if (next.phase == tlm::BEGIN_RESP && responding_ != nullptr) {
      waiting_.push_back(next.payload);
    } else {
      send(next);
    }
  }
  arm();
}

template <class Types>
void Answerer<Types>::send(Answer answer) {
  Payload& payload = *answer.payload;
  if (answer.phase == tlm::BEGIN_RESP) {
    respond(payload, sc_core::SC_ZERO_TIME);
    return;
  }
  bool left = false;  // left by us, not by a stage above: what we serve has a status by now
  if (warps() && answer.phase == TRY_OUTCOME)
    left = warpAccess(payload).outcome.lanesLeft() != 0 && !payload.is_response_ok();
  if (left) open_.erase(&payload);
  sc_core::sc_time delay;
  in->nb_transport_bw(payload, answer.phase, delay);
  if (left) payload.release();
}

/// Sends the response. Returns true if the call has ended it.
template <class Types>
bool Answerer<Types>::respond(Payload& payload, sc_core::sc_time delay) {
  responding_ = &payload;
  tlm::tlm_phase phase = tlm::BEGIN_RESP;
  const tlm::tlm_sync_enum status = in->nb_transport_bw(payload, phase, delay);
  const bool ended =
      status == tlm::TLM_COMPLETED || (status == tlm::TLM_UPDATED && phase == tlm::END_RESP);
  if (ended && responding_ == &payload) endResponse(payload);
  return ended;
}

template <class Types>
void Answerer<Types>::endResponse(Payload& payload) {
  responding_ = nullptr;
  open_.erase(&payload);
  payload.release();
  if (waiting_.empty()) return;
  plan(*waiting_.front(), tlm::BEGIN_RESP, sc_core::SC_ZERO_TIME);
  waiting_.pop_front();
}

template <class Types>
void Answerer<Types>::b_transport(Payload& payload, sc_core::sc_time& delay) {
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
  delay += options_.period;
}

template class Answerer<WarpProtocol>;
template class Answerer<tlm::tlm_base_protocol_types>;

}  // namespace fermata::conformance
