#include <fermata/models/core/memory_port.h>

#include <algorithm>
#include <utility>

namespace fermata {

MemoryPort::MemoryPort(const sc_core::sc_module_name& name, const ClockDomain& domain,
                       Client& client, Cycle detection)
    : sc_module(name),
      shared("shared"),
      global("global"),
      domain_(domain),
      client_(client),
      detection_(detection) {
  shared.bind(*this);
  global.bind(*this);
}

WarpAccess& MemoryPort::open() {
  WarpAccess& access = warpAccess(pool_.acquire());
  access.begin((*sequence_)++);
  return access;
}

void MemoryPort::close(WarpAccess& access) {
  access.payload->release();
}

void MemoryPort::begin(tlm::tlm_generic_payload& payload, WarpAccess& access, Cycle now) {
  const WarpInstruction& instruction = access.instruction;
  access.beginTry(now);
  ++access.tries;
  payload.set_command(instruction.operation == MemoryOperation::Load ? tlm::TLM_READ_COMMAND
                                                                     : tlm::TLM_WRITE_COMMAND);
  payload.set_address(instruction.address[static_cast<unsigned>(__builtin_ctz(access.asked))]);
  payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
}

tlm::tlm_sync_enum MemoryPort::forward(tlm::tlm_generic_payload& payload, WarpAccess& access,
                                       tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  WarpInitiatorSocket& path =
      pathOf(access.instruction.space) == MemoryPath::Shared ? shared : global;
  return path->nb_transport_fw(payload, phase, delay);
}

MemoryPort::Sent MemoryPort::send(WarpAccess& access, Cycle now) {
  if (!order_.mayServe(access)) return squash(access, now);
  tlm::tlm_generic_payload& payload = *access.payload;
  begin(payload, access, now);
  call_ = {&access};
  ++inFlight_;
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_core::sc_time delay = domain_.delayTo(now);
  const tlm::tlm_sync_enum status = forward(payload, access, phase, delay);
  const Cycle at = domain_.cycleAfter(delay);
  const bool response = status == tlm::TLM_UPDATED && phase == tlm::BEGIN_RESP;
  if (status == tlm::TLM_COMPLETED || response) {
    if (!call_.over) responseAt(payload, access, at);
    if (response) {
      phase = tlm::END_RESP;
      forward(payload, access, phase, delay);
    }
  } else if (status == tlm::TLM_UPDATED && phase == TRY_OUTCOME) {
    outcomeAt(access, at);
  } else if (status == tlm::TLM_UPDATED && phase == tlm::END_REQ) {
    acceptedAt(access, at);
    access.occupancy = std::max(access.occupancy, at - now);
  }
  const Call call = std::exchange(call_, Call{});
  if (!call.accepted)
    unaccepted_[static_cast<unsigned>(pathOf(access.instruction.space))] = &access;
  return {call.accepted, std::max<Cycle>(1, access.occupancy), call.served, access.arrives};
}

// Fails a try without sending it. The core may not yet have been told of the failure that is the
// cause; the squash is then told with that failure, not before.
MemoryPort::Sent MemoryPort::squash(WarpAccess& access, Cycle now) {
  access.beginTry(now);
  access.outcome.leave(access.asked, LeftCause::Order);
  Cycle known = std::max(now + 1, now + detection_);
  for (const Delivery& d : deliveries_) {
    const bool failed = !d.response && d.access->outcome.lanesLeft() != 0;
    if (failed && d.access->slot == access.slot) known = std::max(known, d.at);
  }
  ++inFlight_;
  access.decided = true;
  order_.left(access);
  plan(access, known, false);
  return {};
}

tlm::tlm_sync_enum MemoryPort::nb_transport_bw(tlm::tlm_generic_payload& payload,
                                               tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  const Cycle at = domain_.cycleAfter(delay);
  WarpAccess& access = warpAccess(payload);
  if (phase == tlm::END_REQ) {
    acceptedAt(access, at);
    return tlm::TLM_ACCEPTED;
  }
  if (phase == tlm::BEGIN_RESP) {
    responseAt(payload, access, at);
    return tlm::TLM_COMPLETED;
  }
  if (phase == TRY_OUTCOME) {
    const bool last = access.outcome.lanesLeft() != 0;
    outcomeAt(access, at);
    return last ? tlm::TLM_COMPLETED : tlm::TLM_ACCEPTED;
  }
  if (phase == TRY_AGAIN) {
    access.again = std::min(access.again, at);
    if (access.outcomeTold && access.unserved != 0) client_.again(access, at);
    return tlm::TLM_ACCEPTED;
  }
  SC_REPORT_ERROR(
      "fermata/protocol",
      "only END_REQ, TRY_OUTCOME, TRY_AGAIN and BEGIN_RESP may come on the backward path");
  return tlm::TLM_ACCEPTED;
}

void MemoryPort::acceptedAt(WarpAccess& access, Cycle at) {
  if (call_.access == &access) {
    call_.accepted = true;
    return;
  }
  const MemoryPath path = pathOf(access.instruction.space);
  const WarpAccess*& unaccepted = unaccepted_[static_cast<unsigned>(path)];
  if (unaccepted != &access) return;
  unaccepted = nullptr;
  client_.pathFree(path, at);
}

// Records which lanes are served, before the core is told: accesses that the core sends meanwhile
// must already be ordered behind this one.
inline void MemoryPort::decide(WarpAccess& access, LaneMask left) {
  if (access.decided) return;
  access.decided = true;
  if (left != 0) {
    order_.left(access);
  } else {
    order_.served(access);
  }
  if (call_.access != &access) client_.decided(access);
}

void MemoryPort::outcomeAt(WarpAccess& access, Cycle at) {
  TryOutcome& outcome = access.outcome;
  const LaneMask left = outcome.lanesLeft();
  if ((left & ~access.unserved) != 0)
    SC_REPORT_ERROR("fermata/protocol", "a try leaves lanes that it was not asked for");
  acceptedAt(access, at);
  decide(access, left);
  if (call_.access == &access) call_.over = left != 0;
  if (left != access.unserved)
    access.arrives = std::max(access.arrives, at + outcome.data + access.farther);
  plan(access, left == 0 ? at : detect(access, at), false);
}

// Returns the cycle in which the core detects lanes left. The outcome's times are counted from the
// outcome, so they are made shorter by the cycles until the detection.
Cycle MemoryPort::detect(WarpAccess& access, Cycle at) const {
  const Cycle known = std::max(at, access.sent + detection_);
  TryOutcome& outcome = access.outcome;
  outcome.data -= std::min(outcome.data, known - at);
  if (outcome.retry != kNever) outcome.retry -= std::min(outcome.retry, known - at);
  return known;
}

// Takes a response. One that is known at its call is not delivered later: send() returns it.
void MemoryPort::responseAt(tlm::tlm_generic_payload& payload, WarpAccess& access, Cycle at) {
  checkResponse(payload, access);
  acceptedAt(access, at);
  const bool outcomePlanned = access.decided;
  decide(access, 0);
  if (call_.access == &access) call_.over = true;
  if (call_.access != &access || outcomePlanned) return plan(access, at, true);
  call_.served = true;
  --inFlight_;
  serveAll(access, at);
}

void MemoryPort::serveAll(WarpAccess& access, Cycle at) {
  access.unserved = 0;
  access.arrives = std::max(access.arrives, at + access.farther);
}

void MemoryPort::plan(WarpAccess& access, Cycle at, bool response) {
  deliveries_.push_back({at, &access, response});
  nextDue_ = std::min(nextDue_, at);
  client_.due(at);
}

void MemoryPort::deliver(Cycle now) {
  for (std::size_t i = 0; i < deliveries_.size();) {
    if (deliveries_[i].at > now) {
      ++i;
      continue;
    }
    const Delivery delivery = deliveries_[i];
    deliveries_.erase(deliveries_.begin() + static_cast<std::ptrdiff_t>(i));
    tell(delivery, now);
  }
  nextDue_ = kNever;
  for (const Delivery& d : deliveries_) nextDue_ = std::min(nextDue_, d.at);
}

void MemoryPort::tell(const Delivery& delivery, Cycle now) {
  WarpAccess& access = *delivery.access;
  if (delivery.response) {
    serveAll(access, delivery.at);
    --inFlight_;
    if (!access.outcomeTold) client_.responded(access, now);
    return client_.arrived(access, access.arrives);
  }
  const LaneMask left = access.outcome.lanesLeft();
  access.unserved = left;
  access.outcomeTold = true;
  if (left != 0) --inFlight_;
  client_.responded(access, now);
}

void MemoryPort::checkResponse(const tlm::tlm_generic_payload& payload,
                               const WarpAccess& access) const {
  if (access.outcome.lanesLeft() != 0)
    SC_REPORT_ERROR("fermata/protocol",
                    "a response to a try that left lanes; expected TRY_OUTCOME");
  if (payload.is_response_ok()) return;
  SC_REPORT_ERROR("fermata/port", ("access failed: " + payload.get_response_string()).c_str());
}

void MemoryPort::foresee(WarpAccess& access) {
  tlm::tlm_generic_payload& payload = *access.payload;
  access.asked = access.instruction.active;
  payload.set_command(tlm::TLM_IGNORE_COMMAND);
  shared->transport_dbg(payload);
}

void MemoryPort::clearWindow(std::uint32_t base, std::uint32_t bytes) {
  WarpAccess& access = open();
  access.payload->set_command(tlm::TLM_WRITE_COMMAND);
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
    access.asked = instruction.active;
    for (unsigned i = 0; i < kWarpLanes; ++i) instruction.address[i] = offset + i * 4;
    shared->transport_dbg(*access.payload);
  }
  close(access);
}

}  // namespace fermata
