// A module that ends a path and knows its latency at the call.
#pragma once

#include <fermata/models/transaction/warp_protocol.h>

namespace fermata {

/// Answers TLM_COMPLETED, with the latency as annotated delay. `Types`: WarpProtocol, or the base
/// protocol's tlm::tlm_base_protocol_types.
template <class Types>
class ImmediateTarget : public sc_core::sc_module, public tlm::tlm_fw_transport_if<Types> {
 public:
  tlm::tlm_target_socket<32, Types> in;

  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) final {
    if (phase != tlm::BEGIN_REQ) {
      SC_REPORT_ERROR("fermata/protocol", "only BEGIN_REQ may come on this forward path");
      return tlm::TLM_COMPLETED;
    }
    serve(payload, delay);
    return tlm::TLM_COMPLETED;
  }
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) final {
    serve(payload, delay);
  }
  unsigned transport_dbg(tlm::tlm_generic_payload&) override { return 0; }
  bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi&) final { return false; }

 protected:
  explicit ImmediateTarget(const sc_core::sc_module_name& name) : sc_module(name), in("in") {
    in.bind(*this);
  }

  /// Serves the request, which takes effect at the time stamp plus `delay`: adds its latency to
  /// `delay` and sets the response status.
  virtual void serve(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) = 0;
};

using WarpTarget = ImmediateTarget<WarpProtocol>;
using LineTarget = ImmediateTarget<tlm::tlm_base_protocol_types>;

}  // namespace fermata
