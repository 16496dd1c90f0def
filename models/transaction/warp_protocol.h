// The protocol between the modules of a streaming multiprocessor. It has the phases and rules of
// the TLM-2.0 base protocol, a generic payload, a WarpAccess extension that every module needs, and
// two more phases for lanes that are not served.
//
// A transaction is one *try* of an access: BEGIN_REQ asks for the lanes of WarpAccess::asked.
//
//   END_REQ       the path takes the next try; says nothing of the lanes
//   TRY_OUTCOME   backward: the outcome of the try stands in WarpAccess::outcome. With lanes left
//                 it ends the try: the initiator may ask for these lanes again, in another try.
//                 With no lane left every lane is taken and the response follows. Implies END_REQ
//   TRY_AGAIN     backward, behind a TRY_OUTCOME whose `retry` is kNever: something for which lanes
//                 left wait has happened (their line is there), and another try makes sense.
//                 May come before the outcome's cycle, and more than once
//   BEGIN_RESP    the data of all lanes asked for are there (loads), or have been taken (stores).
//                 Implies END_REQ and a TRY_OUTCOME without lanes left
//
// The return of BEGIN_REQ is one of these answers; the annotated delay says when it takes effect:
//
//   TLM_COMPLETED                  every lane is served: a path whose latency is known at the call
//   TLM_UPDATED with BEGIN_RESP    every lane is served, and END_RESP is due
//   TLM_UPDATED with TRY_OUTCOME   the outcome, as above
//   TLM_UPDATED with END_REQ       the next try may come after the delay
//   TLM_ACCEPTED                   nothing yet
//
// If the answer comes with the call, WarpAccess::occupancy says when the next try may come. Every
// backward call may also be made from within the forward call. TRY_OUTCOME is sent in the cycle in
// which the hardware would know, or earlier with that cycle annotated; the initiator acts on it in
// that cycle, not before.
//
// Order: a path that leaves lanes of an access also leaves all lanes of the warp's later accesses,
// until the first access has been served (WarpOrder). An initiator of several paths keeps this
// order across its paths (core/memory_port.h). For that, a path that does not answer at the call
// must send the outcome of a try as soon as it is settled.
//
// A path does not split an atomic whose instruction does not take outcomes
// (WarpInstruction::takesOutcome).
//
// A mandatory extension and a phase that must not be ignored need their own traits class (IEEE
// 1666-2011, 14.2.2). The compiler then refuses to bind a plain memory-mapped target by mistake.
// Behind the coalescer one line is one plain payload of the base protocol.
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
/// 32 bits is the smallest bus width that TLM allows. The width is not used.
using WarpInitiatorSocket = tlm::tlm_initiator_socket<32, WarpProtocol>;
using WarpTargetSocket = tlm::tlm_target_socket<32, WarpProtocol>;

/// The base protocol, used behind the coalescer.
using LineForward = tlm::tlm_fw_transport_if<>;
using LineBackward = tlm::tlm_bw_transport_if<>;
using LineInitiatorSocket = tlm::tlm_initiator_socket<>;
using LineTargetSocket = tlm::tlm_target_socket<>;

}  // namespace fermata
