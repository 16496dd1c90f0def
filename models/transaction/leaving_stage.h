// A stage that may leave lanes of a try: these go back to the initiator, the others go on.
#pragma once

#include <fermata/models/timing/clock.h>
#include <fermata/models/transaction/warp_access.h>
#include <fermata/models/transaction/warp_protocol.h>

#include <vector>

namespace fermata {

/// A derived stage says in `take` which lanes it leaves, and why in WarpAccess::outcome. Modules
/// downstream see a try of the other lanes only. Their answer, at the call or later, becomes a
/// TRY_OUTCOME.
class LeavingStage : public sc_core::sc_module, public WarpForward, public WarpBackward {
 public:
  WarpTargetSocket in;
  WarpInitiatorSocket out;

  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) final {
    if (phase != tlm::BEGIN_REQ) return out->nb_transport_fw(payload, phase, delay);
    const LaneMask left = take(payload, delay);
    return left == 0 ? out->nb_transport_fw(payload, phase, delay)
                     : forwardRest(payload, left, phase, delay);
  }
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) final;
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) final;
  /// Forwards the debug call without time and without take(): every lane goes on.
  unsigned transport_dbg(tlm::tlm_generic_payload& payload) final {
    translate(payload);
    return out->transport_dbg(payload);
  }
  bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi&) final { return false; }
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) final {}

 protected:
  LeavingStage(const sc_core::sc_module_name& name, const Clock& clock)
      : sc_module(name), in("in"), out("out"), clock_(clock) {
    in.bind(*this);
    out.bind(*this);
  }

  /// Takes a try on its way down; `delay` is its annotated delay and may grow. Returns the lanes
  /// left, and writes them with their causes to WarpAccess::outcome. The outcome is known when the
  /// grown delay has passed.
  virtual LaneMask take(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) = 0;
  /// Adds to the access, for a debug call, what the stage adds to a try. Untimed.
  virtual void translate(tlm::tlm_generic_payload&) {}

  const Clock& clock() const { return clock_; }

 private:
  /// A try that left lanes in this stage, while its other lanes are downstream.
  struct Held {
    tlm::tlm_generic_payload* payload;
    TryOutcome outcome;      ///< outcome of this stage alone
    sc_core::sc_time known;  ///< time at which `outcome` is known
    bool acknowledged = false;
  };

  tlm::tlm_sync_enum forwardRest(tlm::tlm_generic_payload& payload, LaneMask left,
                                 tlm::tlm_phase& phase, sc_core::sc_time& delay);
  void endResponse(tlm::tlm_generic_payload& payload, sc_core::sc_time delay);
  void tellServed(Held& held, sc_core::sc_time& delay);
  tlm::tlm_sync_enum rewrite(Held& held, tlm::tlm_phase& phase);
  Held* find(const tlm::tlm_generic_payload& payload);
  void drop(Held& held);

  Clock clock_;
  std::vector<Held> held_;  ///< mostly none or one
};

}  // namespace fermata
