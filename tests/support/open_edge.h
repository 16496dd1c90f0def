// An edge that passes debug and blocking calls on. A test derives from it to look at non-blocking
// ones, or to change them.
#pragma once

#include <fermata/models/transaction/warp_protocol.h>

#include <systemc>

namespace fermata::test {

/// `Forward` and `Backward` are the interfaces of the sockets.
template <class Target, class Initiator, class Forward, class Backward>
class OpenEdge : public sc_core::sc_module, public Forward, public Backward {
 public:
  using Payload = tlm::tlm_generic_payload;

  Target in{"in"};
  Initiator out{"out"};

  explicit OpenEdge(const sc_core::sc_module_name& name) : sc_module(name) {
    in.bind(*this);
    out.bind(*this);
  }

  void b_transport(Payload& payload, sc_core::sc_time& delay) override {
    out->b_transport(payload, delay);
  }
  unsigned transport_dbg(Payload& payload) override { return out->transport_dbg(payload); }
  bool get_direct_mem_ptr(Payload&, tlm::tlm_dmi&) override { return false; }
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}
};

using WarpEdge = OpenEdge<WarpTargetSocket, WarpInitiatorSocket, WarpForward, WarpBackward>;
using LineEdge = OpenEdge<LineTargetSocket, LineInitiatorSocket, LineForward, LineBackward>;

}  // namespace fermata::test
