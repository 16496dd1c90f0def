#include <fermata/models/memory/interconnect.h>

#include <algorithm>
#include <string>

namespace fermata {

Interconnect::Interconnect(const sc_core::sc_module_name& name, const Clock& clock,
                           const Parameters& parameters, unsigned ports)
    : sc_module(name),
      out("out"),
      clock_(clock),
      parameters_(parameters),
      due_(Turn::Interconnect, [this] { pump(); }) {
  if (parameters.bytesPerCycle == 0 || parameters.queue == 0 || ports == 0)
    SC_REPORT_FATAL("fermata/interconnect", "bytesPerCycle, queue and ports must be 1 or more");
  for (unsigned i = 0; i < ports; ++i)
    ports_.push_back(std::make_unique<Port>(("port" + std::to_string(i)).c_str(), *this, i));
  out.bind(*this);
}

// Payloads under way when the simulation ends may outlive the interconnect: takes its extensions
// off them.
Interconnect::~Interconnect() {
  for (const auto& request : requests_) {
    if (request->payload != nullptr) close(*request);
  }
}

tlm::tlm_sync_enum Interconnect::Port::nb_transport_fw(Payload& payload, tlm::tlm_phase& phase,
                                                       sc_core::sc_time& delay) {
  if (phase != tlm::BEGIN_REQ) return LateLineTarget::nb_transport_fw(payload, phase, delay);
  keep(payload);
  if (!net_.take(number_, payload, delay)) return tlm::TLM_ACCEPTED;
  phase = tlm::END_REQ;
  return tlm::TLM_UPDATED;
}

void Interconnect::Port::b_transport(Payload& payload, sc_core::sc_time& delay) {
  delay += net_.clock_.time(2 * net_.parameters_.latency);
  net_.out->b_transport(payload, delay);
}

/// Takes a request onto the port's link. True: the link takes the next one after `delay`; false:
/// the port's queue is full, and END_REQ follows later.
bool Interconnect::take(unsigned port, Payload& payload, sc_core::sc_time& delay) {
  const sc_core::sc_time now = sc_core::sc_time_stamp();
  const Cycle arrival = clock_.cycles(now + delay);
  Reservation& link = ports_[port]->up;
  const Cycle length = flits(payload.is_write() ? payload.get_data_length() : 0);
  const Cycle start = link.free(arrival, length);
  link.take(arrival, start, start + length);
  Ring<Request*>& queue = ports_[port]->queue;
  // While memory accepts requests, none waits: requests under way need no place in the queue.
  const bool room = unacknowledged_ == nullptr || queue.size() < parameters_.queue;
  const sc_core::sc_time free = std::max(now + delay, clock_.time(start + length));
  Request& request = open(payload);
  request.port = port;
  request.at = start + length - 1 + parameters_.latency;
  request.held = !room;
  request.linkFree = free;
  queue.push(&request);
  announce();
  delay = free - now;
  return room;
}

// Passes requests on. With one port they are in order and go on at once, with an annotated delay.
// With several ports a request waits for its time: a request of another port may be there sooner,
// or at the same time from a port of a lower number.
void Interconnect::announce() {
  if (ports_.size() == 1) return pump();
  if (unacknowledged_ != nullptr) return;
  due_.set(std::max(clock_.time(first()->queue.front()->at), sc_core::sc_time_stamp()));
}

void Interconnect::pump() {
  if (pumping_) return;
  pumping_ = true;
  while (unacknowledged_ == nullptr) {
    Port* const port = first();
    if (port == nullptr) break;
    const sc_core::sc_time there = clock_.time(port->queue.front()->at);
    if (ports_.size() > 1 && there > sc_core::sc_time_stamp()) {
      due_.set(there);
      break;
    }
    sendFirst(*port);
  }
  pumping_ = false;
}

/// Returns the port whose request reaches the far side first; null: there is no request.
Interconnect::Port* Interconnect::first() const {
  Port* first = nullptr;
  for (const auto& port : ports_) {
    if (port->queue.empty()) continue;
    if (first == nullptr || port->queue.front()->at < first->queue.front()->at) first = port.get();
  }
  return first;
}

void Interconnect::sendFirst(Port& port) {
  const Request& request = *port.queue.pop();
  if (request.held) release(port, request);
  send(request);
  if (port.queue.size() < parameters_.queue) return;
  Request& next = *port.queue[parameters_.queue - 1];
  if (!next.held) return;
  next.held = false;
  release(port, next);
}

void Interconnect::send(const Request& request) {
  Payload& payload = *request.payload;
  const sc_core::sc_time now = sc_core::sc_time_stamp();
  unacknowledged_ = &payload;
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_core::sc_time delay = std::max({clock_.time(request.at), next_, now}) - now;
  next_ = now + delay;
  const tlm::tlm_sync_enum status = out->nb_transport_fw(payload, phase, delay);
  if (status == tlm::TLM_ACCEPTED) return;
  const bool response = status == tlm::TLM_UPDATED && phase == tlm::BEGIN_RESP;
  if (status == tlm::TLM_UPDATED && !response) next_ = std::max(next_, now + delay);
  acknowledged(payload);
  if (status == tlm::TLM_COMPLETED || response) respond(payload, now + delay);
  if (!response) return;
  phase = tlm::END_RESP;
  out->nb_transport_fw(payload, phase, delay);
}

void Interconnect::release(Port& port, const Request& request) {
  const sc_core::sc_time now = sc_core::sc_time_stamp();
  port.acknowledge(*request.payload, std::max(request.linkFree, now) - now);
}

tlm::tlm_sync_enum Interconnect::nb_transport_bw(Payload& payload, tlm::tlm_phase& phase,
                                                 sc_core::sc_time& delay) {
  if (phase != tlm::END_REQ && phase != tlm::BEGIN_RESP) {
    SC_REPORT_ERROR("fermata/protocol",
                    "only END_REQ and BEGIN_RESP may come on the backward path");
    return tlm::TLM_ACCEPTED;
  }
  if (phase == tlm::END_REQ) next_ = std::max(next_, sc_core::sc_time_stamp() + delay);
  acknowledged(payload);
  if (phase == tlm::BEGIN_RESP) respond(payload, sc_core::sc_time_stamp() + delay);
  pump();
  return phase == tlm::BEGIN_RESP ? tlm::TLM_COMPLETED : tlm::TLM_ACCEPTED;
}

void Interconnect::acknowledged(const Payload& payload) {
  if (unacknowledged_ == &payload) unacknowledged_ = nullptr;
}

Interconnect::Request& Interconnect::open(Payload& payload) {
  if (idle_.empty()) {
    requests_.push_back(std::make_unique<Request>());
    idle_.push_back(requests_.back().get());
  }
  Request& request = *idle_.back();
  idle_.pop_back();
  request.net = this;
  request.payload = &payload;
  request.outer = payload.set_extension(&request);
  return request;
}

void Interconnect::close(Request& request) {
  Request* inner = request.payload->get_extension<Request>();
  if (inner == &request) {
    request.payload->set_extension(request.outer);
  } else {
    while (inner->outer != &request) inner = inner->outer;
    inner->outer = request.outer;
  }
  request.payload = nullptr;
  idle_.push_back(&request);
}

// A target may answer twice, by BEGIN_RESP within the call and by TLM_COMPLETED: the first counts.
void Interconnect::respond(Payload& payload, const sc_core::sc_time& at) {
  Request* const request = payload.get_extension<Request>();
  if (request == nullptr || request->net != this) return;
  Port& port = *ports_[request->port];
  close(*request);
  const sc_core::sc_time now = sc_core::sc_time_stamp();
  const Cycle arrival = clock_.cycles(at);
  const Cycle length = flits(payload.is_read() ? payload.get_data_length() : 0);
  const Cycle start = port.down.free(arrival, length);
  port.down.take(arrival, start, start + length);
  const Cycle there = start + length - 1 + parameters_.latency;
  port.respond(payload, clock_.time(there) - now);
}

}  // namespace fermata
