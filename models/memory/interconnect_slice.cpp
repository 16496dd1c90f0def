// The far half of the interconnect: what a slice has before it.
#include <fermata/models/memory/interconnect.h>

#include <algorithm>

namespace fermata {

Interconnect::Slice::Slice(const sc_core::sc_module_name& name, Interconnect& net)
    : sc_module(name), out("out"), net_(net) {
  out.bind(*this);
}

// Requests enter in order, except in one instant: without latency, a request of a lower port may
// come after one of a higher port that waits already.
void Interconnect::Slice::enter(Request& request) {
  if (net_.parameters_.sliceBytesPerCycle != 0) passLink(request);
  queue_.push(&request);
  for (std::size_t i = queue_.size() - 1; i != 0 && queue_[i - 1]->isAfter(*queue_[i]); --i)
    std::swap(queue_[i - 1], queue_[i]);
  pump();
}

void Interconnect::Slice::passed(Request& request) {
  request.at = std::max(request.at, net_.clock_.now());
  queue_.push(&request);
  pump();
}

/// Delays the request until its last byte has passed the slice's link, which takes the first while
/// the port's link still has the last.
void Interconnect::Slice::passLink(Request& request) {
  const Cycle first = request.at - (net_.flitsUp(*request.payload) - 1);
  const Cycle start = std::max(upFree_, first);
  const Cycle end = start + flits(bytesUp(*request.payload), net_.parameters_.sliceBytesPerCycle);
  upFree_ = end + net_.parameters_.messageGap;
  request.at = std::max(request.at, end - 1);
}

void Interconnect::Slice::pump() {
  if (pumping_) return;
  pumping_ = true;
  while (takes() && !queue_.empty()) {
    const Request& request = *queue_.pop();
    const unsigned port = request.port;
    const unsigned slice = request.slice;
    if (!net_.islands_) --net_.ports_[port]->waiting[slice];
    send(request);
    net_.freed(port, slice);
  }
  pumping_ = false;
}

void Interconnect::Slice::send(const Request& request) {
  Payload& payload = *request.payload;
  const sc_core::sc_time now = net_.clock_.stamp();
  unacknowledged_ = &payload;
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_core::sc_time delay = std::max({net_.clock_.time(request.at), next_, now}) - now;
  next_ = now + delay;
  const tlm::tlm_sync_enum status = out->nb_transport_fw(payload, phase, delay);
  if (status == tlm::TLM_ACCEPTED) return;
  const bool response = status == tlm::TLM_UPDATED && phase == tlm::BEGIN_RESP;
  if (status == tlm::TLM_UPDATED && !response) next_ = std::max(next_, now + delay);
  acknowledged(payload);
  if (status == tlm::TLM_COMPLETED || response) net_.respond(payload, now + delay);
  if (!response) return;
  phase = tlm::END_RESP;
  out->nb_transport_fw(payload, phase, delay);
}

tlm::tlm_sync_enum Interconnect::Slice::nb_transport_bw(Payload& payload, tlm::tlm_phase& phase,
                                                        sc_core::sc_time& delay) {
  if (phase != tlm::END_REQ && phase != tlm::BEGIN_RESP) {
    SC_REPORT_ERROR("fermata/protocol",
                    "only END_REQ and BEGIN_RESP may come on the backward path");
    return tlm::TLM_ACCEPTED;
  }
  if (phase == tlm::END_REQ) next_ = std::max(next_, net_.clock_.stamp() + delay);
  acknowledged(payload);
  if (phase == tlm::BEGIN_RESP) net_.respond(payload, net_.clock_.stamp() + delay);
  net_.arrive();
  pump();
  return phase == tlm::BEGIN_RESP ? tlm::TLM_COMPLETED : tlm::TLM_ACCEPTED;
}

void Interconnect::Slice::acknowledged(const Payload& payload) {
  if (unacknowledged_ == &payload) unacknowledged_ = nullptr;
}

}  // namespace fermata
