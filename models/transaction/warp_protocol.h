// The protocol between the modules of a streaming multiprocessor: the phases and rules of the
// TLM-2.0 base protocol, a generic payload, a WarpAccess extension that every module needs, and two
// phases more, for lanes that are not served.
//
// A transaction is one *try* of an access: BEGIN_REQ asks for the lanes of WarpAccess::asked.
//
//   END_REQ       the path takes the next try; says nothing of the lanes
//   TRY_OUTCOME   backward: what became of the lanes, WarpAccess::outcome. With lanes left it ends
//                 the try: the initiator may ask for those lanes again, in another try. With none
//                 left every lane is taken and the response follows. Implies END_REQ
//   TRY_AGAIN     backward, behind a TRY_OUTCOME whose `retry` is kNever: something that lanes
//                 left wait for has happened (their line is there), and another try makes sense.
//                 May come before the outcome's cycle, and more than once
//   BEGIN_RESP    the data of all lanes asked for are there (loads), or they have been taken
//                 (stores). Implies END_REQ and a TRY_OUTCOME without lanes left
//
// An answer to BEGIN_REQ on the return path may be, with the annotated delay saying when:
//
//   TLM_COMPLETED                  every lane is served: a path whose latency is known at the call
//   TLM_UPDATED with BEGIN_RESP    the same, and END_RESP is due
//   TLM_UPDATED with TRY_OUTCOME   as above
//   TLM_UPDATED with END_REQ       the next try may come after the delay
//   TLM_ACCEPTED                   nothing yet
//
// Where the answer comes at once, WarpAccess::occupancy says when the next try may come. Any of the
// backward calls may also be made from within the forward call. TRY_OUTCOME is sent in the cycle in
// which the hardware would know, or before it with the cycle annotated: the initiator acts on it no
// earlier.
//
// A path that leaves lanes of a warp's access also leaves all lanes of that warp's later accesses,
// until the first has been served (WarpOrder keeps count); it does not split an atomic whose
// instruction does not ask for outcomes (WarpInstruction::takesOutcome). An initiator of several
// paths keeps that order from one to another (core/memory_port.h); so that it can, a path that does
// not answer at the call says what became of a try as soon as it is settled.
//
// A mandatory extension and a phase that must not be ignored call for a traits class of its own
// (IEEE 1666-2011, 14.2.2): a plain memory-mapped target can then not be bound here by mistake; the
// compiler refuses it. Behind the coalescer one line is one plain payload of the base protocol.
#pragma once

#include <systemc>
#include <tlm>

namespace fermata {

struct WarpProtocol {
  using tlm_payload_type = tlm::tlm_generic_payload;
  using tlm_phase_type = tlm::tlm_phase;
};

DECLARE_EXTENDED_PHASE(TRY_OUTCOME);
DECLARE_EXTENDED_PHASE(TRY_AGAIN);

using WarpForward = tlm::tlm_fw_transport_if<WarpProtocol>;
using WarpBackward = tlm::tlm_bw_transport_if<WarpProtocol>;
/// 32 bits are the least that TLM allows a bus width to say; the width plays no part here.
using WarpInitiatorSocket = tlm::tlm_initiator_socket<32, WarpProtocol>;
using WarpTargetSocket = tlm::tlm_target_socket<32, WarpProtocol>;

/// Behind the coalescer: the base protocol.
using LineForward = tlm::tlm_fw_transport_if<>;
using LineBackward = tlm::tlm_bw_transport_if<>;
using LineInitiatorSocket = tlm::tlm_initiator_socket<>;
using LineTargetSocket = tlm::tlm_target_socket<>;

}  // namespace fermata
