#include <fermata/models/memory/coalescer.h>
#include <fermata/models/memory/lane_scan.h>

#include <algorithm>
#include <utility>

namespace fermata {

Coalescer::Coalescer(const sc_core::sc_module_name& name, const Clock& clock,
                     const Parameters& parameters, Probe* probe)
    : LateWarpTarget(name),
      out("out"),
      clock_(clock),
      parameters_(parameters),
      probe_(probe),
      pool_(parameters.segmentBytes, parameters.instructions) {
  const std::uint32_t bytes = parameters.segmentBytes;
  if (bytes < WarpInstruction::kMaxBytesPerLane || (bytes & (bytes - 1)) != 0)
    SC_REPORT_FATAL("fermata/coalescer", "segmentBytes must be a power of two, 16 or more");
  out.bind(*this);
}

tlm::tlm_sync_enum Coalescer::nb_transport_fw(tlm::tlm_generic_payload& payload,
                                              tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  if (phase != tlm::BEGIN_REQ) return LateWarpTarget::nb_transport_fw(payload, phase, delay);
  LineJoin& join = split(warpAccess(payload), delay);
  sending_ = &join;
  sendLines(join);
  sending_ = nullptr;
  if (allAccepted(join) && join.open == 0) {
    payload.set_response_status(join.status);
    delay = join.last - clock_.stamp();
    idleJoins_.push_back(&join);
    return tlm::TLM_COMPLETED;
  }
  keep(payload);
  if (!allAccepted(join)) {
    accepting_ = &join;
    return tlm::TLM_ACCEPTED;
  }
  phase = TRY_OUTCOME;
  return tlm::TLM_UPDATED;
}

LineJoin& Coalescer::split(WarpAccess& access, const sc_core::sc_time& delay) {
  if (!validWidth(access.instruction.bytesPerLane))
    SC_REPORT_FATAL("fermata/coalescer", "bytesPerLane must be 1, 2, 4, 8 or 16");
  gather(access);
  const sc_core::sc_time now = clock_.stamp() + delay;
  const Cycle arrival = clock_.cycles(now);
  const Cycle start = port_.free(arrival);
  port_.take(arrival, start, start + access.segments);
  access.occupancy = start + access.segments - arrival;
  access.allSegments += access.segments;
  if (probe_ != nullptr && access.lastTry()) probe_->globalAccess(access);
  LineJoin& join = takeJoin();
  join.access = &access;
  join.base = join.last = now + clock_.time(start - arrival + parameters_.latency);
  return join;
}

LineJoin& Coalescer::takeJoin() {
  if (idleJoins_.empty()) {
    joins_.push_back(std::make_unique<LineJoin>());
    idleJoins_.push_back(joins_.back().get());
  }
  LineJoin& join = *idleJoins_.back();
  idleJoins_.pop_back();
  join = LineJoin{};
  return join;
}

// Lanes are aligned to their own width, and no segment is narrower: each lane lies in one segment.
void Coalescer::gather(WarpAccess& access) const {
  const std::uint64_t mask = ~std::uint64_t{parameters_.segmentBytes - 1};
  access.segments = 0;
  for (LaneMask m = access.asked; m != 0;) {
    const std::uint64_t segment =
        access.instruction.address[static_cast<unsigned>(__builtin_ctz(m))] & mask;
    access.segment[access.segments++] = segment;
    m &= ~lane_scan::lanesIn(access.instruction.address, segment, parameters_.segmentBytes);
  }
}

// Sends lines until the memory does not accept one; its END_REQ later continues with the rest.
void Coalescer::sendLines(LineJoin& join) {
  while (join.sent < join.access->segments && unacknowledged_ == nullptr) sendLine(join);
}

void Coalescer::sendLine(LineJoin& join) {
  tlm::tlm_generic_payload& line = pool_.acquire(join, join.access->segment[join.sent]);
  const sc_core::sc_time now = clock_.stamp();
  const sc_core::sc_time leaves = std::max({now, nextRequest_, join.base + clock_.time(join.sent)});
  ++join.sent;
  ++join.open;
  unacknowledged_ = &line;
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_core::sc_time delay = leaves - now;
  line.acquire();  // the call may answer the line and release it
  const tlm::tlm_sync_enum status = out->nb_transport_fw(line, phase, delay);
  const bool response = status == tlm::TLM_UPDATED && phase == tlm::BEGIN_RESP;
  if (status == tlm::TLM_COMPLETED || response) {
    acknowledged(line, leaves);
    answered(line, now + delay);
  } else if (status == tlm::TLM_UPDATED) {
    acknowledged(line, now + delay);
  }
  if (response) {
    phase = tlm::END_RESP;
    out->nb_transport_fw(line, phase, delay);
  }
  line.release();
}

tlm::tlm_sync_enum Coalescer::nb_transport_bw(tlm::tlm_generic_payload& line, tlm::tlm_phase& phase,
                                              sc_core::sc_time& delay) {
  const sc_core::sc_time at = clock_.stamp() + delay;
  LineJoin& join = LinePool::joinOf(line);
  const bool response = phase == tlm::BEGIN_RESP;
  if (!response && phase != tlm::END_REQ) {
    SC_REPORT_ERROR("fermata/protocol",
                    "only END_REQ and BEGIN_RESP may come on the backward path");
    return tlm::TLM_ACCEPTED;
  }
  acknowledged(line, response ? clock_.stamp() : at);
  if (response) answered(line, at);
  if (&join != sending_) finishLate(join);
  return response ? tlm::TLM_COMPLETED : tlm::TLM_ACCEPTED;
}

void Coalescer::acknowledged(tlm::tlm_generic_payload& line, const sc_core::sc_time& at) {
  if (unacknowledged_ != &line) return;
  unacknowledged_ = nullptr;
  nextRequest_ = at;
}

// A target may answer twice, by BEGIN_RESP within the call and by TLM_COMPLETED: the first counts.
void Coalescer::answered(tlm::tlm_generic_payload& line, const sc_core::sc_time& at) {
  LineOrigin& origin = *line.get_extension<LineOrigin>();
  if (std::exchange(origin.answered, true)) return;
  LineJoin& join = *origin.join;
  if (!line.is_response_ok()) join.status = line.get_response_status();
  join.last = std::max(join.last, at);
  --join.open;
  line.release();
}

// Continues an access whose answer was not known at its call: sends the next lines, then accepts
// the access, then responds.
void Coalescer::finishLate(LineJoin& join) {
  LineJoin* const outer = std::exchange(sending_, &join);
  sendLines(join);
  sending_ = outer;
  if (!allAccepted(join) && accepting_ == &join) return;
  tlm::tlm_generic_payload& payload = *join.access->payload;
  const sc_core::sc_time now = clock_.stamp();
  if (accepting_ == &join) {
    accepting_ = nullptr;
    join.last = std::max(join.last, nextRequest_);  // never answered before it is accepted
    tell(payload, std::max(now, nextRequest_) - now);
  }
  if (join.open != 0) return;
  payload.set_response_status(join.status);
  respond(payload, std::max(now, join.last) - now);
  idleJoins_.push_back(&join);
}

void Coalescer::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  LineJoin& join = split(warpAccess(payload), delay);
  for (; join.sent < join.access->segments; ++join.sent) {
    tlm::tlm_generic_payload& line = pool_.acquire(join, join.access->segment[join.sent]);
    ++join.open;
    sc_core::sc_time own = join.base + clock_.time(join.sent) - clock_.stamp();
    out->b_transport(line, own);
    answered(line, clock_.stamp() + own);
  }
  delay = join.last - clock_.stamp();
  payload.set_response_status(join.status);
  idleJoins_.push_back(&join);
}

}  // namespace fermata
