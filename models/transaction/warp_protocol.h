// The protocol between the modules of a streaming multiprocessor: the phases and rules of the
// TLM-2.0 base protocol, a generic payload, and a WarpAccess extension that every module needs.
//
// A mandatory extension calls for a traits class of its own (IEEE 1666-2011, 14.2.2): a plain
// memory-mapped target can then not be bound here by mistake; the compiler refuses it. Targets may
// answer TLM_COMPLETED to BEGIN_REQ where the latency is known at the call; the annotated delay is
// the latency.
#pragma once

#include <systemc>
#include <tlm>

namespace fermata {

struct WarpProtocol {
  using tlm_payload_type = tlm::tlm_generic_payload;
  using tlm_phase_type = tlm::tlm_phase;
};

using WarpForward = tlm::tlm_fw_transport_if<WarpProtocol>;
using WarpBackward = tlm::tlm_bw_transport_if<WarpProtocol>;
/// 32 bits are the least that TLM allows a bus width to say; the width plays no part here.
using WarpInitiatorSocket = tlm::tlm_initiator_socket<32, WarpProtocol>;
using WarpTargetSocket = tlm::tlm_target_socket<32, WarpProtocol>;

}  // namespace fermata
