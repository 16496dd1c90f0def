#include <fermata/models/transaction/leaving_stage.h>

namespace fermata {

tlm::tlm_sync_enum LeavingStage::forwardRest(tlm::tlm_generic_payload& payload, LaneMask left,
                                             tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  WarpAccess& access = warpAccess(payload);
  access.asked &= ~left;
  const sc_core::sc_time known = delay;
  tlm::tlm_sync_enum status = tlm::TLM_COMPLETED;
  if (access.asked != 0) status = out->nb_transport_fw(payload, phase, delay);
  if (status == tlm::TLM_UPDATED && phase == tlm::BEGIN_RESP) {
    tlm::tlm_phase end = tlm::END_RESP;
    sc_core::sc_time later = delay;
    out->nb_transport_fw(payload, end, later);
    status = tlm::TLM_COMPLETED;
  }
  if (status != tlm::TLM_COMPLETED) return status;  // its answer comes later, or is an outcome
  access.outcome.data = clock_.cycles(delay - known);
  delay = known;
  phase = TRY_OUTCOME;
  return tlm::TLM_UPDATED;
}

// A response to the lanes that went on says, to the initiator, that the others were left.
tlm::tlm_sync_enum LeavingStage::nb_transport_bw(tlm::tlm_generic_payload& payload,
                                                 tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  if (phase != tlm::BEGIN_RESP || warpAccess(payload).outcome.lanesLeft() == 0)
    return in->nb_transport_bw(payload, phase, delay);
  tlm::tlm_phase outcome = TRY_OUTCOME;
  in->nb_transport_bw(payload, outcome, delay);
  return tlm::TLM_COMPLETED;
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
