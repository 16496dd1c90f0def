#include <fermata/models/core/memory_port.h>

#include <algorithm>
#include <utility>

namespace fermata {

MemoryPort::MemoryPort(const sc_core::sc_module_name& name, const Clock& clock, Client& client)
    : sc_module(name), shared("shared"), global("global"), clock_(clock), client_(client) {
  shared.bind(*this);
  global.bind(*this);
}

WarpAccess& MemoryPort::open() {
  if (opened_ == nullptr) opened_ = &pool_.acquire();
  return warpAccess(*opened_);
}

void MemoryPort::drop() {
  opened_->release();
  opened_ = nullptr;
}

MemoryPort::Outcome MemoryPort::send(Cycle now) {
  tlm::tlm_generic_payload& payload = *std::exchange(opened_, nullptr);
  WarpAccess& access = warpAccess(payload);
  const WarpInstruction& instruction = access.instruction;
  access.issued = now;
  access.occupancy = 1;
  payload.set_command(instruction.operation == MemoryOperation::Load ? tlm::TLM_READ_COMMAND
                                                                     : tlm::TLM_WRITE_COMMAND);
  payload.set_address(
      instruction.address[static_cast<unsigned>(__builtin_ctz(instruction.active))]);
  payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);

  WarpInitiatorSocket& path = instruction.space == MemorySpace::Shared ? shared : global;
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  const tlm::tlm_sync_enum status = path->nb_transport_fw(payload, phase, delay);
  Outcome outcome{kNever, true, std::max<Cycle>(1, access.occupancy)};
  const bool responded = status == tlm::TLM_UPDATED && phase == tlm::BEGIN_RESP;
  if (status != tlm::TLM_COMPLETED && !responded) {
    ++inFlight_;
    outcome.accepted = status == tlm::TLM_UPDATED;  // END_REQ, after the annotated delay
    if (outcome.accepted) {
      outcome.occupancy = std::max(outcome.occupancy, clock_.cycles(delay));
    } else {
      unaccepted_ = &payload;
    }
    return outcome;
  }
  checkResponse(payload);
  outcome.completed = now + clock_.cycles(delay);
  if (responded) {
    phase = tlm::END_RESP;
    path->nb_transport_fw(payload, phase, delay);
  }
  payload.release();
  return outcome;
}

tlm::tlm_sync_enum MemoryPort::nb_transport_bw(tlm::tlm_generic_payload& payload,
                                               tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  const Cycle at = clock_.cycles(sc_core::sc_time_stamp() + delay);
  if (phase == tlm::END_REQ) {
    accept(payload, at);
    return tlm::TLM_ACCEPTED;
  }
  if (phase != tlm::BEGIN_RESP) {
    SC_REPORT_ERROR("fermata/protocol",
                    "only END_REQ and BEGIN_RESP may come on the backward path");
    return tlm::TLM_ACCEPTED;
  }
  checkResponse(payload);
  --inFlight_;
  accept(payload, at);  // a response implies END_REQ
  client_.completed(warpAccess(payload), at);
  payload.release();
  return tlm::TLM_COMPLETED;
}

void MemoryPort::accept(const tlm::tlm_generic_payload& payload, Cycle at) {
  if (unaccepted_ != &payload) return;
  unaccepted_ = nullptr;
  client_.portFree(at);
}

void MemoryPort::checkResponse(const tlm::tlm_generic_payload& payload) const {
  if (payload.is_response_ok()) return;
  SC_REPORT_ERROR("fermata/port", ("access failed: " + payload.get_response_string()).c_str());
}

void MemoryPort::clearWindow(std::uint32_t base, std::uint32_t bytes) {
  tlm::tlm_generic_payload& payload = pool_.acquire();
  payload.set_command(tlm::TLM_WRITE_COMMAND);
  WarpAccess& access = warpAccess(payload);
  WarpInstruction& instruction = access.instruction;
  instruction.space = MemorySpace::Shared;
  instruction.operation = MemoryOperation::Store;
  instruction.bytesPerLane = 4;
  instruction.hasData = true;
  access.windowBase = base;
  for (auto& lane : instruction.data) lane.fill(0);
  constexpr std::uint32_t step = kWarpLanes * 4;
  for (std::uint32_t offset = 0; offset < bytes; offset += step) {
    const std::uint32_t lanes = std::min(kWarpLanes, (bytes - offset) / 4);
    instruction.active = lanes == kWarpLanes ? kAllLanes : (LaneMask{1} << lanes) - 1;
    for (unsigned i = 0; i < kWarpLanes; ++i) instruction.address[i] = offset + i * 4;
    shared->transport_dbg(payload);
  }
  payload.release();
}

}  // namespace fermata
