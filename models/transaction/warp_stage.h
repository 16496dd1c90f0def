// A module between two sockets that passes an access on and, mostly, only adds to its delay.
#pragma once

#include <systemc>

#include <fermata/models/transaction/warp_protocol.h>

namespace fermata {

/// Forwards every transport call. A stage overrides `pass`, which sees each request once, on its
/// way down.
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
  /// Untimed and unseen: what the debugger and the loader of a test use.
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

  /// Timed: `delay` is the annotated delay of the request and may grow.
  virtual void pass(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) = 0;
  /// Untimed: what the stage adds to the access for a debug call.
  virtual void translate(tlm::tlm_generic_payload&) {}
};

}  // namespace fermata
