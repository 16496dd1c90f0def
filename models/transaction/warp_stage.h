// A module between two sockets that passes each access on. Most stages only add to its delay.
#pragma once

#include <systemc>

#include <fermata/models/transaction/warp_protocol.h>

namespace fermata {

/// Forwards every transport call. A derived stage overrides `pass`, which sees each request once,
/// on its way down.
class WarpStage : public sc_core::sc_module, public WarpForward, public WarpBackward {
 public:
  WarpTargetSocket in;
  WarpInitiatorSocket out;

  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override {
    if (phase == tlm::BEGIN_REQ) pass(payload, delay);
    return out->nb_transport_fw(payload, phase, delay);
  }
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) final {
    return in->nb_transport_bw(payload, phase, delay);
  }
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) final {
    pass(payload, delay);
    out->b_transport(payload, delay);
  }
  /// Forwards a debug call without time and without pass(). Debuggers and test loaders use it.
  unsigned transport_dbg(tlm::tlm_generic_payload& payload) final {
    translate(payload);
    return out->transport_dbg(payload);
  }
  bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi&) final { return false; }
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) final {}

 protected:
  explicit WarpStage(const sc_core::sc_module_name& name) : sc_module(name), in("in"), out("out") {
    in.bind(*this);
    out.bind(*this);
  }

  /// Handles a request. `delay` is the annotated delay of the request and may grow.
  virtual void pass(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) = 0;
  /// Adds to the access, for a debug call, what the stage adds to a request. Untimed.
  virtual void translate(tlm::tlm_generic_payload&) {}
};

}  // namespace fermata
