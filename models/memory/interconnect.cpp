#include <fermata/models/memory/interconnect.h>
#include <fermata/models/memory/line_requester.h>

#include <fermata/models/vocabulary/prefetch.h>

#include <algorithm>
#include <optional>
#include <string>

namespace fermata {

Interconnect::Interconnect(const sc_core::sc_module_name& name, const Clock& clock,
                           const Parameters& parameters, unsigned ports, const SliceMap& slices,
                           const Islands& islands, const Places& places)
    : sc_module(name),
      clock_(clock),
      parameters_(parameters),
      map_(slices),
      requestQueues_(parameters.inputQueues ? ports : 0, slices.slices()),
      answerQueues_(parameters.inputQueues ? slices.slices() : 0, ports),
      requestRouter_(parameters.routerSteps != 0 ? ports : 0, slices.slices(),
                     parameters.routerSteps),
      answerRouter_(parameters.routerSteps != 0 ? slices.slices() : 0, ports,
                    parameters.routerSteps),
      due_(Turn::Interconnect, [this] { parameters_.inputQueues ? cross() : arrive(); }),
      islands_(!islands.empty()) {
  if (parameters.bytesPerCycle == 0 || parameters.queue == 0 || parameters.partitions == 0 ||
      ports == 0)
    SC_REPORT_FATAL("fermata/interconnect",
                    "bytesPerCycle, queue, partitions and ports must be 1 or more");
  for (unsigned i = 0; i < ports; ++i) {
    std::optional<Island::Construction> alone;
    if (islands_) alone.emplace(islands.at(i));
    ports_.push_back(std::make_unique<Port>(("port" + std::to_string(i)).c_str(), *this, i));
    ports_.back()->waiting.resize(slices.slices());
    ports_.back()->part = places.parts.empty() ? std::uint64_t{i} * parameters.partitions / ports
                                               : places.parts.at(i);
  }
  for (unsigned i = 0; i < slices.slices(); ++i)
    slices_.push_back(std::make_unique<Slice>(("slice" + std::to_string(i)).c_str(), *this));
  if (places.groups.empty() || (parameters.groupBytesUp == 0 && parameters.groupBytesDown == 0))
    return;
  for (unsigned i = 0; i < ports; ++i) {
    const unsigned group = places.groups.at(i);
    while (groups_.size() <= group) groups_.push_back(std::make_unique<Group>(parameters));
    ports_[i]->group = groups_[group].get();
  }
}

// Payloads under way when the simulation ends may outlive the interconnect: takes its extensions
// off them.
Interconnect::~Interconnect() {
  for (const auto& port : ports_) {
    for (const auto& request : port->requests) {
      if (request->payload != nullptr) close(*request);
    }
  }
}

bool Interconnect::quiet() const {
  return std::all_of(ports_.begin(), ports_.end(),
                     [](const auto& port) { return port->idle.size() == port->requests.size(); });
}

// The near half

tlm::tlm_sync_enum Interconnect::Port::nb_transport_fw(Payload& payload, tlm::tlm_phase& phase,
                                                       sc_core::sc_time& delay) {
  if (phase != tlm::BEGIN_REQ) return LateLineTarget::nb_transport_fw(payload, phase, delay);
  keep(payload);
  if (!net_.take(number_, payload, delay)) return tlm::TLM_ACCEPTED;
  phase = tlm::END_REQ;
  return tlm::TLM_UPDATED;
}

void Interconnect::Port::b_transport(Payload& payload, sc_core::sc_time& delay) {
  const unsigned slice = net_.map_.ofAddress(payload.get_address());
  delay += net_.clock_.time(2 * (net_.parameters_.latency + net_.far(number_, slice, payload)));
  net_.out(slice)->b_transport(payload, delay);
}

unsigned Interconnect::Port::transport_dbg(Payload& payload) {
  return net_.debug(payload);
}

/// Takes a request onto the port's link. True: the link takes the next one after `delay`; false:
/// the port has too many requests at a slice that takes none, and END_REQ follows later.
bool Interconnect::take(unsigned number, Payload& payload, sc_core::sc_time& delay) {
  Port& port = *ports_[number];
  const sc_core::sc_time now = port.stamp();
  const Cycle arrival = clock_.cycles(now + delay);
  const Cycle length = flitsUp(payload);
  const Cycle start = port.up.free(arrival, length);
  port.up.take(arrival, start, start + length);
  port.left = std::max(port.left, start + length - 1);
  Request& request = port.open(payload);
  request.port = number;
  request.slice = map_.ofAddress(payload.get_address());
  request.grouped = port.group != nullptr && port.group->up.limits();
  request.at = port.left + parameters_.latency;
  request.far = far(number, request.slice, payload);
  if (!request.grouped) request.at += request.far;
  request.number = port.taken++;
  request.linkFree = std::max(now + delay, clock_.time(start + length));
  const Slice& slice = *slices_[request.slice];
  const bool takes = islands_ ? slice.seenToTake : slice.takes();
  port.inside += parameters_.routerSteps == 0 ? 0 : static_cast<unsigned>(length);
  const bool room =
      parameters_.routerSteps != 0
          ? port.inside <= parameters_.queue
          : takes || parameters_.inputQueues || port.waiting[request.slice] < parameters_.queue;
  ++port.waiting[request.slice];
  if (!room) port.held = &request;
  delay = request.linkFree - now;
  passOn(request);
  return room;
}

// With one port, requests for a slice are in order and enter it at once, with an annotated delay.
// With several, a request waits for its time: a request of another port may be there sooner, or at
// the same time from a port of a lower number.
void Interconnect::passOn(Request& request) {
  if (islands_) return ports_[request.port]->sent.push_back(&request);
  if (ports_.size() == 1 && !parameters_.inputQueues && !request.grouped)
    return slices_[request.slice]->enter(request);
  setOut(request);
}

void Interconnect::exchange() {
  for (const auto& port : ports_) {
    for (const Request* request : port->sent) prefetch(*request);
  }
  for (const auto& port : ports_) {
    for (Request* request : port->sent) {
      prefetchLine(request->payload);
      setOut(*request);
    }
    port->sent.clear();
    port->seenToHold = port->held != nullptr;
  }
}

void Interconnect::deliver() {
  for (const auto& port : ports_) {
    for (const Back& back : port->back) {
      if (back.answered != nullptr) prefetch(*back.answered);
    }
  }
  for (const auto& port : ports_) {
    for (const Back& back : port->back) {
      if (back.answered != nullptr) {
        bringDown(*back.answered);
      } else if (back.flits != 0) {
        port->inside -= back.flits;
        endHeldInside(*port);
      } else {
        --port->waiting[back.slice];
        endHeld(*port, back.slice);
      }
    }
    port->back.clear();
  }
  for (const auto& slice : slices_) slice->seenToTake = slice->takes();
}

void Interconnect::push(Request& request) {
  underWay_.emplace_back(request);
  std::push_heap(underWay_.begin(), underWay_.end());
}

/// Takes the first request off the heap, and asks the host's cache for the one behind it.
Interconnect::Request& Interconnect::popFirst() {
  std::pop_heap(underWay_.begin(), underWay_.end());
  Request& first = *underWay_.back().request;
  underWay_.pop_back();
  if (!underWay_.empty()) {
    prefetch(*underWay_.front().request);
    prefetchLine(underWay_.front().payload);
  }
  return first;
}

void Interconnect::setOut(Request& request) {
  push(request);
  due_.set(std::max(clock_.time(underWay_.front().at), clock_.stamp()));
}

/// Lets requests whose time has come pass the links of their groups and enter their slices.
void Interconnect::arrive() {
  if (parameters_.inputQueues) return;
  while (!underWay_.empty()) {
    const sc_core::sc_time there = clock_.time(underWay_.front().at);
    if (there > clock_.stamp()) return due_.set(there);
    Request& request = popFirst();
    if (request.grouped) {
      passGroup(request);
      push(request);
    } else {
      slices_[request.slice]->enter(request);
    }
  }
}

/// Tells the port that one of its requests, sent already, has left the slice's queue.
void Interconnect::freed(unsigned number, unsigned slice) {
  Port& port = *ports_[number];
  if (!islands_) return endHeld(port, slice);
  port.back.push_back({nullptr, slice});
  if (port.seenToHold && waits_) waits_();
}

/// Ends the request that waits for a place in the slice's queue, if there is one.
void Interconnect::endHeld(Port& port, unsigned slice) {
  if (parameters_.routerSteps != 0 || port.held == nullptr || port.held->slice != slice) return;
  if (port.waiting[slice] > parameters_.queue) return;
  endHeld(port);
}

void Interconnect::endHeld(Port& port) {
  const Request& request = *std::exchange(port.held, nullptr);
  const sc_core::sc_time at = std::max({request.linkFree, clock_.stamp(), port.stamp()});
  port.acknowledgeAt(*request.payload, at);
}

// A target may answer twice, by BEGIN_RESP within the call and by TLM_COMPLETED: the first counts.
void Interconnect::respond(Payload& payload, const sc_core::sc_time& at) {
  Request* const request = payload.get_extension<Request>();
  if (request == nullptr || request->net != this || request->answered) return;
  request->answered = true;
  request->arrival = clock_.cycles(at);
  if (parameters_.inputQueues) return queueAnswer(*request);
  request->leaves = leavesSlice(*slices_[request->slice], request->arrival, payload);
  const Group* const group = ports_[request->port]->group;
  if (group != nullptr && group->down.limits()) request->leaves = leavesGroup(*request, payload);
  passBack(*request);
}

/// Takes an answer that is on its way to the port's link.
void Interconnect::passBack(Request& request) {
  if (!islands_) return bringDown(request);
  ports_[request.port]->back.push_back({&request, request.slice});
  if (waits_) waits_();
}

/// Brings an answer to its port, and down the port's link.
void Interconnect::bringDown(Request& request) {
  Port& port = *ports_[request.port];
  Payload& payload = *request.payload;
  const Cycle length = flitsDown(payload, parameters_.bytesPerCycle);
  Cycle start = request.leaves + request.far;
  if (!parameters_.inputQueues) {
    start = port.down.free(start, length);
    port.down.take(request.arrival, start, start + length);
  }
  close(request);
  port.respondAt(payload, clock_.time(start + length - 1 + parameters_.latency));
}

void Interconnect::Port::acknowledgeAt(Payload& payload, const sc_core::sc_time& at) {
  acknowledge(payload, at - stamp());
}

void Interconnect::Port::respondAt(Payload& payload, const sc_core::sc_time& at) {
  respond(payload, at - stamp());
}

/// Returns the cycle from which a port's link can take the answer. The first bytes pass while the
/// slice's link still has the last.
Cycle Interconnect::leavesSlice(Slice& slice, Cycle arrival, const Payload& payload) const {
  if (parameters_.sliceBytesPerCycle == 0) return arrival;
  const Cycle length = flitsDown(payload, parameters_.bytesPerCycle);
  const Cycle gap = parameters_.messageGap;
  const Cycle own =
      flitsDown(payload, parameters_.sliceBytesPerCycle) + (messages(payload) - 1) * gap;
  const Cycle start = slice.down.free(arrival, own + gap);
  slice.down.take(arrival, start, start + own + gap);
  return start + (own > length ? own - length : 0);
}

unsigned Interconnect::far(unsigned port, unsigned slice, const Payload& payload) const {
  const std::uint64_t parts = parameters_.partitions;
  if (parts == 1) return 0;
  if (parameters_.nearWrites && payload.is_write()) {
    const auto* request = payload.get_extension<LineRequest>();
    if (request == nullptr || request->updates == 0) return 0;
  }
  return ports_[port]->part == slice * parts / slices_.size() ? 0 : parameters_.farLatency;
}

Interconnect::Request& Interconnect::Port::open(Payload& payload) {
  if (idle.empty()) {
    requests.push_back(std::make_unique<Request>());
    idle.push_back(requests.back().get());
  }
  Request& request = *idle.back();
  idle.pop_back();
  request.net = &net_;
  request.answered = false;
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
  ports_[request.port]->idle.push_back(&request);
}

/// Hands a debug access on, a line at a time if there are several slices.
unsigned Interconnect::debug(Payload& payload) {
  if (slices_.size() == 1) return out()->transport_dbg(payload);
  Payload piece;
  piece.set_command(payload.get_command());
  unsigned done = 0;
  while (done < payload.get_data_length()) {
    const std::uint64_t address = payload.get_address() + done;
    const auto toEnd = static_cast<unsigned>(map_.lineBytes() - address % map_.lineBytes());
    const unsigned bytes = std::min(toEnd, payload.get_data_length() - done);
    piece.set_address(address);
    piece.set_data_ptr(payload.get_data_ptr() + done);
    piece.set_data_length(bytes);
    piece.set_streaming_width(bytes);
    const unsigned moved = out(map_.ofAddress(address))->transport_dbg(piece);
    done += moved;
    if (moved != bytes) break;
  }
  return done;
}

}  // namespace fermata
