#include <fermata/models/memory/byte_enables.h>
#include <fermata/models/memory/l2_cache.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

namespace fermata {

namespace {

const L2Cache::Parameters& checked(const L2Cache::Parameters& p) {
  const auto require = [](bool holds, const char* what) {
    if (!holds) SC_REPORT_FATAL("fermata/l2", what);
  };
  require(p.mshrs >= 1, "mshrs must be 1 or more");
  require(p.queue >= 1 && p.input >= 1, "queue and input must be 1 or more");
  require(p.writePolicy == WritePolicy::Back || p.writePolicy == WritePolicy::Through,
          "writePolicy must be Back or Through");
  return p;
}

}  // namespace

L2Cache::L2Cache(const sc_core::sc_module_name& name, const Clock& clock,
                 const Parameters& parameters, SetIndex sets, Probe* probe)
    : LateLineTarget(name, Turn::L2),
      array_(checked(parameters).shape, std::move(sets),
             parameters.replacement.make(parameters.policyValues), parameters.verify),
      memory_(clock, *this, parameters.queue,
              parameters.fourPhase ? LineRequester::ResponseEnd::FourPhase
                                   : LineRequester::ResponseEnd::Early,
              parameters.wholeSectors, array_, probe),
      out(memory_.out()),
      clock_(clock),
      parameters_(parameters),
      probe_(probe),
      mshrs_(parameters.mshrs, parameters.merges),
      portFree_(Turn::L2, [this] { drain(); }) {
  if (parameters.addsBytes) array_.trackWritten();
}

// From above

tlm::tlm_sync_enum L2Cache::nb_transport_fw(Payload& payload, tlm::tlm_phase& phase,
                                            sc_core::sc_time& delay) {
  const bool request = phase == tlm::BEGIN_REQ;
  sc_core::sc_time there = delay;
  if (request) there += clock_.time(parameters_.inputLatency);
  const tlm::tlm_sync_enum status = LateLineTarget::nb_transport_fw(payload, phase, there);
  if (!request) return status;
  array_.prefetch(array_.lineOf(payload.get_address()));
  if (!queues()) ++taken_;
  if (full()) {
    unacknowledged_ = &payload;
    arrival_ = clock_.stamp() + delay;
    return tlm::TLM_ACCEPTED;
  }
  phase = tlm::END_REQ;
  return tlm::TLM_UPDATED;
}

void L2Cache::requested(Payload& payload) {
  const std::uint32_t bytes = parameters_.shape.lineBytes;
  if (payload.get_data_length() == 0 || payload.get_streaming_width() < payload.get_data_length() ||
      payload.get_address() / bytes !=
          (payload.get_address() + payload.get_data_length() - 1) / bytes) {
    SC_REPORT_FATAL("fermata/l2", "a request must be of bytes of one line");
  }
  blocked_.push(&payload);
  if (queues()) taken_ += placesOf(payload);
  drain();
}

/// Returns the places that a request has in the queue before the tags.
unsigned L2Cache::placesOf(const Payload& payload) const {
  return queues() ? laneCount(wanted(payload)) : 1;
}

/// False: requests wait for the port, and drain() is called when it is free.
bool L2Cache::portFree() {
  if (!queues()) return true;
  const Cycle now = clock_.now();
  const Cycle at = port_.free(now);
  if (at > now) portFree_.set(clock_.time(at));
  return at == now;
}

void L2Cache::drain() {
  while (!blocked_.empty() && memory_.room() && portFree()) {
    const unsigned places = placesOf(*blocked_.front());
    if (!serve(*blocked_.front())) break;
    blocked_.pop();
    taken_ -= places;
    if (unacknowledged_ == nullptr || full()) continue;
    const sc_core::sc_time now = clock_.stamp();
    acknowledge(*unacknowledged_, std::max(arrival_, now) - now);
    unacknowledged_ = nullptr;
  }
}

bool L2Cache::serve(Payload& payload) {
  return payload.is_read() ? read(payload) : write(payload);
}

bool L2Cache::read(Payload& payload) {
  const std::uint64_t line = array_.lineOf(payload.get_address());
  const SectorMask want = wanted(payload);
  const CacheArray::Frame frame = array_.find(line);
  if (frame != CacheArray::kNone && (array_.at(frame).valid & want) == want) {
    array_.touch(frame);
    give(payload, frame);
    report(CacheEvent::L2Hit, payload);
    if (auto* request = payload.get_extension<LineRequest>()) request->inL2 = true;
    answer(payload);
    return true;
  }
  if (!fetch(payload, want, frame)) return false;
  report(CacheEvent::L2Miss, payload);
  return true;
}

/// Requests the sectors of `want` that the line lacks, or joins the requests that wait for the
/// line. False: the request must wait.
bool L2Cache::fetch(Payload& payload, SectorMask want, CacheArray::Frame frame) {
  const std::uint64_t line = array_.lineOf(payload.get_address());
  if (const Waiters::Number number = mshrs_.find(line); number != Waiters::kNone) {
    if (!mshrs_.mayMerge(number)) return false;
    mshrs_.at(number).waiters.push_back(&payload);
    return true;
  }
  if (mshrs_.full() || memory_.isWritten(line)) return false;
  if (frame == CacheArray::kNone) {
    frame = makeRoom(line, payload);
    if (frame == CacheArray::kNone) return false;
    array_.place(frame, line, true);
  }
  array_.reserve(frame);
  const SectorMask missing = want & ~array_.at(frame).valid;
  mshrs_.at(mshrs_.take(line)).waiters.push_back(&payload);
  memory_.read(line, missing, payload, turn(payload) + parameters_.latency);
  return true;
}

bool L2Cache::write(Payload& payload) {
  const std::uint64_t line = array_.lineOf(payload.get_address());
  CacheArray::Frame frame = array_.find(line);
  if (const Waiters::Number number = mshrs_.find(line); number != Waiters::kNone) {
    if (parameters_.writePolicy == WritePolicy::Through || !mshrs_.mayMerge(number)) return false;
    mshrs_.at(number).waiters.push_back(&payload);
    report(CacheEvent::L2Miss, payload);
    return true;
  }
  const bool hit = frame != CacheArray::kNone;
  if (parameters_.writePolicy == WritePolicy::Through) {
    if (!writeThrough(payload, frame)) return false;
  } else {
    if (!hit) {
      frame = makeRoom(line, payload);
      if (frame == CacheArray::kNone) return false;
      array_.place(frame, line, false);
    }
    take(payload, frame);
    array_.at(frame).dirty |= wanted(payload);
    array_.touch(frame);
  }
  report(hit ? CacheEvent::L2Hit : CacheEvent::L2Miss, payload);
  answer(payload);
  return true;
}

bool L2Cache::writeThrough(Payload& payload, CacheArray::Frame frame) {
  if (memory_.isWritten(array_.lineOf(payload.get_address()))) return false;
  if (frame != CacheArray::kNone) take(payload, frame);
  memory_.write(payload, whole(payload), clock_.now() + parameters_.latency);
  return true;
}

/// Returns an empty frame for the line, after sending its tenant to memory; kNone: the request must
/// wait.
CacheArray::Frame L2Cache::makeRoom(std::uint64_t line, const Payload& cause) {
  const CacheArray::Frame frame = array_.victim(line);
  if (frame == CacheArray::kNone) return frame;
  if (const SectorMask dirty = array_.at(frame).dirty; dirty != 0) {
    effort(EffortEvent::L2Read, cause, dirty);
    evicting_ = laneCount(dirty) * parameters_.evictionCycles;
    memory_.writeBack(frame, cause, clock_.now() + parameters_.latency);
  }
  array_.drop(frame);
  return frame;
}

// From below

void L2Cache::answered(Payload& line, Cycle) {
  if (line.is_read()) {
    filled(line);
  } else {
    memory_.writeEnded(line);
  }
  drain();
}

void L2Cache::roomFreed(Cycle) {
  drain();
}

void L2Cache::filled(Payload& payload) {
  const std::uint64_t line = LineRequester::of(payload).line;
  const CacheArray::Frame frame = array_.reservedFor(line);
  CacheArray::Line& entry = array_.at(frame);
  array_.unreserve(frame);
  entry.valid |= wanted(payload);
  effort(EffortEvent::L2Write, payload, wanted(payload));
  if (array_.keepsData()) {
    const auto base = static_cast<std::uint32_t>(payload.get_address() - array_.addressOf(line));
    for (std::uint32_t i = 0; i < payload.get_data_length(); ++i) {
      if (array_.known(frame)[base + i] != 0) continue;
      array_.data(frame)[base + i] = payload.get_data_ptr()[i];
      array_.known(frame)[base + i] = 1;
    }
  }
  array_.touch(frame);
  const Waiters::Number number = mshrs_.find(line);
  std::vector<Payload*>& waiters = served_;
  waiters.clear();
  waiters.swap(mshrs_.at(number).waiters);
  mshrs_.free(number);
  // Serves the waiters in order. If a read needs sectors that have not come, and is not answered
  // with others (LineRequest::joins), it asks again, and the rest wait with it.
  for (std::size_t i = 0; i < waiters.size(); ++i) {
    Payload& waiter = *waiters[i];
    const SectorMask want = wanted(waiter);
    if (waiter.is_read() && (entry.valid & want) != want && !joins(waiter)) {
      fetch(waiter, want, frame);
      auto& rest = mshrs_.at(mshrs_.find(line)).waiters;
      rest.insert(rest.end(), waiters.begin() + static_cast<std::ptrdiff_t>(i) + 1, waiters.end());
      return;
    }
    if (waiter.is_read()) {
      give(waiter, frame);
    } else {
      take(waiter, frame);
      entry.dirty |= want;
    }
    waiter.set_response_status(tlm::TLM_OK_RESPONSE);
    respond(waiter, clock_.period());
  }
}

/// Answers after the request's turn at the port and the latency.
void L2Cache::answer(Payload& payload) {
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
  const Cycle at = turn(payload) + latency(payload);
  respond(payload, clock_.time(at) - clock_.stamp());
}

/// Returns the cycles from the request's turn to its answer.
Cycle L2Cache::latency(const Payload& payload) const {
  if (parameters_.writeLatency == 0 || payload.is_read()) return parameters_.latency;
  const auto* request = payload.get_extension<LineRequest>();
  return request == nullptr || request->updates == 0 ? parameters_.writeLatency
                                                     : parameters_.latency;
}

Cycle L2Cache::turn(const Payload& payload) {
  const Cycle now = clock_.now();
  const Cycle sectors = laneCount(wanted(payload)) * parameters_.cyclesPerSector;
  const Cycle length = std::max({sectors, updating(payload), std::exchange(evicting_, 0)});
  const Cycle start = port_.free(now, length);
  port_.take(now, start, start + length);
  return start + length - 1;
}

/// Returns the whole cycles that an atomic takes; fractions add up over atomics.
Cycle L2Cache::updating(const Payload& payload) {
  if (parameters_.atomicInterval == 0) return 0;
  const auto* request = payload.get_extension<LineRequest>();
  if (request == nullptr || request->updates == 0) return 0;
  const double further = request->addsFloats
                             ? std::max(parameters_.atomicInterval, parameters_.floatInterval)
                             : parameters_.atomicInterval;
  owed_ += request->updates * parameters_.atomicInterval + request->furtherUpdates * further;
  const auto whole = static_cast<Cycle>(owed_);
  owed_ -= static_cast<double>(whole);
  return whole;
}

SectorMask L2Cache::wanted(const Payload& payload) const {
  return array_.sectors(payload.get_address(), payload.get_data_length());
}

/// Returns the sectors that the write covers completely, counted from its first sector.
SectorMask L2Cache::whole(const Payload& payload) const {
  if (const auto* request = payload.get_extension<LineRequest>()) return request->whole;
  std::array<std::uint32_t, 32> bytes{};
  const auto base = static_cast<std::uint32_t>(payload.get_address()) % kSectorBytes;
  forEachEnabled(payload, [&](unsigned i) { ++bytes[(base + i) / kSectorBytes]; });
  SectorMask mask = 0;
  for (unsigned s = 0; s < 32; ++s) mask |= SectorMask{bytes[s] == kSectorBytes} << s;
  return mask;
}

/// Takes the bytes of a write into the line.
void L2Cache::take(const Payload& payload, CacheArray::Frame frame) {
  const SectorMask all = wanted(payload);
  effort(EffortEvent::L2Write, payload, all);
  array_.at(frame).valid |= whole(payload) << __builtin_ctz(all);
  if (parameters_.addsBytes) addBytes(payload, frame);
  if (!array_.keepsData()) return;
  const std::uint64_t base =
      payload.get_address() - array_.addressOf(array_.lineOf(payload.get_address()));
  memory_.settle(payload, [&](unsigned i, std::uint8_t value) {
    array_.data(frame)[base + i] = value;
    array_.known(frame)[base + i] = 1;
  });
}

/// Adds the bytes of a write to those of earlier ones.
void L2Cache::addBytes(const Payload& payload, CacheArray::Frame frame) {
  const auto* const request = payload.get_extension<LineRequest>();
  if (request == nullptr) return;
  CacheArray::Line& line = array_.at(frame);
  SectorMask left = wanted(payload);
  for (const std::uint32_t bytes : request->bytes) {
    if (left == 0) return;
    const SectorMask bit = left & ~(left - 1);
    std::uint32_t& written = array_.written(frame)[__builtin_ctz(left)];
    left &= left - 1;
    written = ((line.dirty & bit) == 0 ? 0 : written) | bytes;
    if (written == ~std::uint32_t{0}) line.valid |= bit;
  }
}

void L2Cache::give(Payload& payload, CacheArray::Frame frame) {
  effort(EffortEvent::L2Read, payload, wanted(payload));
  if (!array_.keepsData()) return;
  const std::uint64_t base =
      payload.get_address() - array_.addressOf(array_.lineOf(payload.get_address()));
  std::memcpy(payload.get_data_ptr(), array_.data(frame) + base, payload.get_data_length());
}

void L2Cache::effort(EffortEvent::What what, const Payload& payload, SectorMask sectors) const {
  if (probe_ == nullptr) return;
  const auto* origin = payload.get_extension<LineRequest>();
  const std::uint32_t program = origin == nullptr ? EffortEvent::kNoProgram : origin->program;
  probe_->effort({what, program, origin == nullptr ? 0 : origin->pc, laneCount(sectors),
                  clock_.stamp().value()});
}

void L2Cache::report(CacheEvent::What what, const Payload& payload) const {
  if (probe_ == nullptr) return;
  const auto* origin = payload.get_extension<LineRequest>();
  if (origin != nullptr) probe_->cached({what, origin->program, origin->pc});
}

// Untimed

void L2Cache::b_transport(Payload& payload, sc_core::sc_time& delay) {
  memory_.transportUntimed(payload, delay);
  delay += clock_.time(parameters_.latency);
}

unsigned L2Cache::transport_dbg(Payload& payload) {
  return memory_.transportDebug(payload);
}

void L2Cache::warm(std::uint64_t address) {
  const std::uint64_t line = array_.lineOf(address);
  CacheArray::Frame frame = array_.find(line);
  if (frame == CacheArray::kNone) {
    frame = array_.victim(line);
    if (array_.at(frame).dirty != 0) return;  // memory has not got it yet
    array_.place(frame, line, false);
  }
  if (array_.keepsData()) fillUntimed(line, frame);
  array_.at(frame).valid = array_.allSectors();
  array_.touch(frame);
}

/// Fills the bytes of a frame that are not known with those of memory.
void L2Cache::fillUntimed(std::uint64_t line, CacheArray::Frame frame) {
  const std::uint32_t bytes = parameters_.shape.lineBytes;
  std::vector<std::uint8_t> data(bytes);
  Payload payload;
  payload.set_command(tlm::TLM_READ_COMMAND);
  payload.set_address(array_.addressOf(line));
  payload.set_data_ptr(data.data());
  payload.set_data_length(bytes);
  payload.set_streaming_width(bytes);
  out->transport_dbg(payload);
  for (std::uint32_t i = 0; i < bytes; ++i) {
    if (array_.known(frame)[i] != 0) continue;
    array_.data(frame)[i] = data[i];
    array_.known(frame)[i] = 1;
  }
}

}  // namespace fermata
