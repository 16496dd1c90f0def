#include <fermata/models/transaction/leaving_stage.h>

#include <algorithm>

namespace fermata {

// Sends the lanes that go on downstream, as a try with an empty outcome.
tlm::tlm_sync_enum LeavingStage::forwardRest(tlm::tlm_generic_payload& payload, LaneMask left,
                                             tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  WarpAccess& access = warpAccess(payload);
  access.asked &= ~left;
  const sc_core::sc_time known = delay;
  held_.push_back({&payload, access.outcome, clock_.stamp() + known});
  tlm::tlm_sync_enum status = tlm::TLM_COMPLETED;
  if (access.asked != 0) {
    access.outcome = {};
    status = out->nb_transport_fw(payload, phase, delay);
  }
  Held* const held = find(payload);
  if (held == nullptr) return tlm::TLM_ACCEPTED;  // the outcome was sent from within the call
  const bool response = status == tlm::TLM_UPDATED && phase == tlm::BEGIN_RESP;
  if (status == tlm::TLM_COMPLETED || response) {
    if (response) endResponse(payload, delay);
    tellServed(*held, delay);
    phase = TRY_OUTCOME;
    return tlm::TLM_UPDATED;
  }
  if (status == tlm::TLM_UPDATED && phase == TRY_OUTCOME) return rewrite(*held, phase);
  if (status == tlm::TLM_UPDATED) held->acknowledged = true;
  return status;
}

void LeavingStage::endResponse(tlm::tlm_generic_payload& payload, sc_core::sc_time delay) {
  tlm::tlm_phase phase = tlm::END_RESP;
  out->nb_transport_fw(payload, phase, delay);
}

// Writes the final outcome. The lanes that went on have their data after `delay`; the outcome was
// known earlier, and `delay` becomes that time.
void LeavingStage::tellServed(Held& held, sc_core::sc_time& delay) {
  const sc_core::sc_time now = clock_.stamp();
  const sc_core::sc_time known = std::max(held.known, now) - now;
  WarpAccess& access = warpAccess(*held.payload);
  access.outcome = held.outcome;
  access.outcome.data = delay > known ? clock_.cycles(delay - known) : 0;
  delay = known;
  drop(held);
}

// Turns an outcome from downstream into this stage's answer. An outcome that leaves more lanes ends
// the try. One that leaves none does not: only the response tells when the data arrive.
tlm::tlm_sync_enum LeavingStage::rewrite(Held& held, tlm::tlm_phase& phase) {
  TryOutcome& outcome = warpAccess(*held.payload).outcome;
  if (outcome.lanesLeft() != 0) {
    for (unsigned cause = 0; cause < kLeftCauses; ++cause)
      outcome.left[cause] |= held.outcome.left[cause];
    outcome.retry = std::max(outcome.retry, held.outcome.retry);
    drop(held);
    return tlm::TLM_UPDATED;
  }
  if (held.acknowledged) return tlm::TLM_ACCEPTED;
  held.acknowledged = true;
  phase = tlm::END_REQ;
  return tlm::TLM_UPDATED;
}

tlm::tlm_sync_enum LeavingStage::nb_transport_bw(tlm::tlm_generic_payload& payload,
                                                 tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  Held* const held = find(payload);
  if (held == nullptr) return in->nb_transport_bw(payload, phase, delay);
  tlm::tlm_phase told = phase;
  if (phase == tlm::BEGIN_RESP) {
    sc_core::sc_time known = delay;
    tellServed(*held, known);
    told = TRY_OUTCOME;
    in->nb_transport_bw(payload, told, known);
    return tlm::TLM_COMPLETED;
  }
  if (phase == tlm::END_REQ) held->acknowledged = true;
  if (phase == TRY_OUTCOME && rewrite(*held, told) == tlm::TLM_ACCEPTED) return tlm::TLM_ACCEPTED;
  return in->nb_transport_bw(payload, told, delay);
}

LeavingStage::Held* LeavingStage::find(const tlm::tlm_generic_payload& payload) {
  for (Held& held : held_) {
    if (held.payload == &payload) return &held;
  }
  return nullptr;
}

void LeavingStage::drop(Held& held) {
  held = held_.back();
  held_.pop_back();
}

void LeavingStage::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  WarpAccess& access = warpAccess(payload);
  for (LaneMask todo = access.asked; todo != 0;) {
    access.asked = todo;
    access.outcome = {};
    todo = take(payload, delay);
    access.asked &= ~todo;
    if (access.asked != 0) out->b_transport(payload, delay);
  }
}

}  // namespace fermata
