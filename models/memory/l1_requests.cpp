// The requests of an L1 to memory, and the answers.
#include <fermata/models/memory/l1_cache.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace fermata {

// Requests

/// Requests line `i`, or joins the accesses that wait for it. False: no MSHR or frame can take it.
bool L1Cache::request(Job& job, unsigned i) {
  WarpAccess& access = *job.access;
  const std::uint64_t line = job.lines.line[i];
  if (const Waiters::Number number = mshrs_.find(line); number != Waiters::kNone) {
    if (stale_[number] || mshrs_.at(number).filled || !mshrs_.mayMerge(number)) return false;
    mshrs_.at(number).waiters.push_back(&access);
    effort(EffortEvent::MshrUse, access, 1, job.arrival);
    if (parameters_.allocation == Allocation::Miss) array_.touch(array_.reservedFor(line));
    return true;
  }
  if (mshrs_.full()) return false;
  if (parameters_.allocation == Allocation::Miss) {
    const CacheArray::Frame frame = array_.victim(line);
    if (frame == CacheArray::kNone) return false;
    array_.place(frame, line, true);
  }
  mshrs_.at(mshrs_.take(line)).waiters.push_back(&access);
  effort(EffortEvent::MshrUse, access, 1, job.arrival);
  Payload& payload =
      requests_.open(tlm::TLM_READ_COMMAND, array_.addressOf(line), parameters_.shape.lineBytes);
  LineRequest& request = LineRequester::of(payload);
  request.line = line;
  request.program = access.program;
  request.pc = access.instruction.pc;
  const Cycle lookup = job.lookups / parameters_.tagArrays;
  requests_.send(payload, job.arrival + lookup + parameters_.lookupLatency);
  return true;
}

void L1Cache::write(Job& job, unsigned i) {
  WarpAccess& access = *job.access;
  const std::uint64_t line = job.lines.line[i];
  const bool hit = array_.find(line) != CacheArray::kNone;
  report(hit ? CacheEvent::L1Hit : CacheEvent::L1Miss, access);
  const bool store = access.instruction.operation == MemoryOperation::Store;
  if (hit && store && parameters_.writePolicy == WritePolicy::Through) {
    const std::uint32_t words = std::max(1U, access.instruction.bytesPerLane / kWordBytes);
    effort(EffortEvent::L1Write, access, laneCount(job.lines.lanes[i]) * words, job.arrival);
  }
  Payload& payload = openWrite(access, line, job.lines.lanes[i]);
  Flight& flight = flightOf(access);
  ++flight.pending;
  LineRequester::of(payload).token = access.token;
  const Cycle lookup = (job.lookups == 0 ? 0 : job.lookups - 1) / parameters_.tagArrays;
  requests_.send(payload, job.arrival + lookup + parameters_.lookupLatency);
}

// Opens the write-through of the sectors that the lanes touch in a line, and updates or drops the
// line here. A load of the line that is under way brings the bytes before the write: it is marked
// stale, so that the cache does not keep them.
L1Cache::Payload& L1Cache::openWrite(const WarpAccess& access, std::uint64_t line, LaneMask lanes) {
  const WarpInstruction& instruction = access.instruction;
  CacheArray::Frame frame = array_.find(line);
  const bool update = parameters_.writePolicy == WritePolicy::Through &&
                      instruction.operation == MemoryOperation::Store;
  if (frame != CacheArray::kNone && !update) {
    array_.drop(frame);
    frame = CacheArray::kNone;
  }
  if (const Waiters::Number number = mshrs_.find(line); number != Waiters::kNone)
    stale_[number] = true;

  std::array<std::uint32_t, 32> bytesOf{};  // by sector: one bit per byte
  const std::uint32_t inLine = parameters_.shape.lineBytes - 1;
  for (LaneMask m = lanes; m != 0; m &= m - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctz(m));
    const std::uint32_t at = static_cast<std::uint32_t>(instruction.address[lane]) & inLine;
    bytesOf[at / kSectorBytes] |= ((1U << instruction.bytesPerLane) - 1) << at % kSectorBytes;
  }
  unsigned first = 0;
  while (bytesOf[first] == 0) ++first;
  unsigned last = parameters_.shape.lineBytes / kSectorBytes - 1;
  while (bytesOf[last] == 0) --last;
  Payload& payload = requests_.open(tlm::TLM_WRITE_COMMAND,
                                    array_.addressOf(line) + std::uint64_t{first} * kSectorBytes,
                                    (last - first + 1) * kSectorBytes);
  LineRequest& request = LineRequester::of(payload);
  request.line = line;
  request.program = access.program;
  request.pc = instruction.pc;
  if (later_) request.origin = {access.sequence + 1, this};
  for (unsigned s = first; s <= last; ++s)
    request.whole |= SectorMask{bytesOf[s] == ~std::uint32_t{0}} << (s - first);
  if (!instruction.hasData) return payload;
  for (LaneMask m = lanes; m != 0; m &= m - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctz(m));
    const std::uint32_t at = static_cast<std::uint32_t>(instruction.address[lane]) & inLine;
    for (std::uint32_t b = 0; b < instruction.bytesPerLane; ++b) {
      requests_.enable(payload, at - first * kSectorBytes + b, instruction.data[lane][b]);
      if (frame != CacheArray::kNone && array_.keepsData())
        array_.data(frame)[at + b] = instruction.data[lane][b];
    }
  }
  return payload;
}

L1Cache::Flight& L1Cache::flightOf(WarpAccess& access) {
  if (access.token != 0) return flights_[access.token - 1];
  if (idleFlights_.empty()) {
    flights_.emplace_back();
    idleFlights_.push_back(static_cast<std::uint32_t>(flights_.size()));
  }
  access.token = idleFlights_.back();
  idleFlights_.pop_back();
  flights_[access.token - 1] = Flight{&access};
  return flights_[access.token - 1];
}

/// Completes the access if nothing of it is under way. Precondition: all its lanes have been taken.
L1Cache::Result L1Cache::finish(Job& job) {
  WarpAccess& access = *job.access;
  if (access.token == 0) return Result::Served;
  Flight& flight = flights_[access.token - 1];
  flight.whole = true;
  flight.last = std::max(flight.last, job.data);
  if (flight.pending != 0) return Result::Pending;
  idleFlights_.push_back(std::exchange(access.token, 0));
  return Result::Served;
}

/// Counts an answer to a request of the access, and responds after the last one. `at`: cycle in
/// which the data are there.
void L1Cache::arrivedFor(WarpAccess& access, Cycle at) {
  Flight& flight = flights_[access.token - 1];
  flight.last = std::max(flight.last, at);
  if (--flight.pending != 0 || !flight.whole) return;
  const sc_core::sc_time now = sc_core::sc_time_stamp();
  idleFlights_.push_back(std::exchange(access.token, 0));
  access.payload->set_response_status(tlm::TLM_OK_RESPONSE);
  respond(*access.payload, std::max(clock_.time(flight.last), now) - now);
}

// From below

void L1Cache::answered(Payload& line, Cycle now) {
  if (line.is_read()) {
    filled(line, now);
  } else {
    arrivedFor(*flights_[LineRequester::of(line).token - 1].access, now);
  }
  resume(now);
}

void L1Cache::roomFreed(Cycle now) {
  resume(now);
}

void L1Cache::filled(Payload& payload, Cycle now) {
  const std::uint64_t line = LineRequester::of(payload).line;
  const Waiters::Number number = mshrs_.find(line);
  Waiters::Entry& entry = mshrs_.at(number);
  if (!stale_[number]) {
    install(payload, now);
  } else if (parameters_.allocation == Allocation::Miss) {
    array_.drop(array_.reservedFor(line));
  }
  if (parameters_.divergence == Divergence::Wait) {
    for (WarpAccess* access : entry.waiters) {
      Lines lines;
      gather(*access, access->instruction.active, lines);
      for (unsigned i = 0; i < lines.count; ++i) {
        if (lines.line[i] == line) compare(*access, lines.lanes[i], payload.get_data_ptr(), line);
      }
      arrivedFor(*access, now + parameters_.fillLatency);
    }
    return freeEntry(number);
  }
  // An access that lost a line once must not lose it again: keep the line in the MSHR.
  const bool keeps =
      stale_[number] || std::any_of(entry.waiters.begin(), entry.waiters.end(),
                                    [](const WarpAccess* a) { return a->evicted != 0; });
  entry.filled = true;
  for (WarpAccess* access : entry.waiters) tryAgain(*access);
  if (!keeps) return freeEntry(number);
  if (parameters_.verify) {
    std::memcpy(&kept_[std::size_t{number} * parameters_.shape.lineBytes], payload.get_data_ptr(),
                parameters_.shape.lineBytes);
  }
}

void L1Cache::install(Payload& payload, Cycle now) {
  const LineRequest& request = LineRequester::of(payload);
  CacheArray::Frame frame = CacheArray::kNone;
  if (parameters_.allocation == Allocation::Miss) {
    frame = array_.reservedFor(request.line);
    array_.at(frame).reserved = false;
  } else {
    frame = array_.victim(request.line);
    array_.place(frame, request.line, false);
  }
  if (probe_ != nullptr) {
    probe_->effort({EffortEvent::L1Write, request.program, request.pc,
                    parameters_.shape.lineBytes / kWordBytes, clock_.ticks(now)});
  }
  array_.at(frame).valid = array_.allSectors();
  if (array_.keepsData())
    std::memcpy(array_.data(frame), payload.get_data_ptr(), parameters_.shape.lineBytes);
}

void L1Cache::freeEntry(Waiters::Number number) {
  mshrs_.free(number);
  stale_[number] = false;
  // An access that is told may try at once and starve again: iterate over a list of our own.
  std::vector<WarpAccess*> woken = std::move(woken_);
  woken.swap(starved_);
  for (WarpAccess* access : woken) tryAgain(*access);
  woken.clear();
  woken_ = std::move(woken);
}

void L1Cache::tryAgain(WarpAccess& access) {
  tlm::tlm_phase phase = TRY_AGAIN;
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  in->nb_transport_bw(*access.payload, phase, delay);
}

}  // namespace fermata
