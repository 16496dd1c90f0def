#include <fermata/models/memory/l1_cache.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace fermata {

namespace {

/// The line stands in no frame, but its MSHR has kept it.
constexpr CacheArray::Frame kKept = CacheArray::kNone - 1;

const L1Cache::Parameters& checked(const L1Cache::Parameters& p) {
  const auto require = [](bool holds, const char* what) {
    if (!holds) SC_REPORT_FATAL("fermata/l1", what);
  };
  require(p.tagArrays >= 1 && p.tagArrays <= kWarpLanes, "tagArrays must be 1 to 32");
  require(p.mshrs >= 1, "mshrs must be 1 or more");
  require(p.queue >= 1, "queue must be 1 or more");
  require(p.conflictPolicy != nullptr, "conflictPolicy must be a function");
  require(p.writePolicy != WritePolicy::Back, "writePolicy must be Evict or Through");
  return p;
}

}  // namespace

L1Cache::L1Cache(const sc_core::sc_module_name& name, const Clock& clock,
                 const Parameters& parameters, SetIndex sets,
                 std::shared_ptr<const indexing::Indexer> banks, Probe* probe)
    : LateWarpTarget(name),
      requests_("requests", clock, *this, parameters.shape.lineBytes, parameters.queue),
      out(requests_.out),
      clock_(clock),
      parameters_(checked(parameters)),
      banks_(std::move(banks)),
      array_(parameters.shape, std::move(sets), parameters.replacement, parameters.verify),
      resolver_(banks_->shape().banks, 1, parameters.groups),
      policy_(parameters.conflictPolicy()),
      probe_(probe),
      mshrs_(parameters.mshrs, parameters.merges),
      stale_(parameters.mshrs) {
  if (parameters.divergence == Divergence::Wait && policy_->leavesLanes()) {
    SC_REPORT_FATAL("fermata/l1",
                    "a cache whose accesses wait needs a conflict policy that leaves no lanes");
  }
  if (parameters.verify) kept_.resize(std::size_t{parameters.mshrs} * parameters.shape.lineBytes);
}

// From above

tlm::tlm_sync_enum L1Cache::nb_transport_fw(Payload& payload, tlm::tlm_phase& phase,
                                            sc_core::sc_time& delay) {
  if (phase != tlm::BEGIN_REQ) return LateWarpTarget::nb_transport_fw(payload, phase, delay);
  if (mustWait(delay)) return LateWarpTarget::nb_transport_fw(payload, phase, delay);
  const sc_core::sc_time now = sc_core::sc_time_stamp();
  begin(payload, clock_.cycles(now + delay));
  begun_ = requests_.room();
  const Result result = begun_ ? work(job_) : Result::Stalled;
  switch (result) {
    case Result::Served:
      payload.set_response_status(tlm::TLM_OK_RESPONSE);
      delay = clock_.time(job_.data) - now;
      return tlm::TLM_COMPLETED;
    case Result::Left:
      phase = TRY_OUTCOME;
      delay = clock_.time(job_.known) - now;
      return tlm::TLM_UPDATED;
    case Result::Pending:
      keep(payload);
      phase = TRY_OUTCOME;
      return tlm::TLM_UPDATED;
    case Result::Stalled:
      break;
  }
  keep(payload);
  working_ = true;
  return tlm::TLM_ACCEPTED;
}

/// A request of a later time must not see the cache before what happens until then: mostly nothing
/// does, since a core runs ahead only where nothing else is to come.
bool L1Cache::mustWait(const sc_core::sc_time& delay) const {
  return requests_.open() != 0 && delay != sc_core::SC_ZERO_TIME &&
         sc_core::sc_time_to_pending_activity() <= delay;
}

void L1Cache::requested(Payload& payload) {
  begin(payload, clock_.now());
  working_ = true;
  begun_ = false;
  resume(clock_.now());
}

void L1Cache::begin(Payload& payload, Cycle arrival) {
  WarpAccess& access = warpAccess(payload);
  if (!validWidth(access.instruction.bytesPerLane))
    SC_REPORT_FATAL("fermata/l1", "bytesPerLane must be 1, 2, 4, 8 or 16");
  job_.payload = &payload;
  job_.access = &access;
  job_.arrival = arrival;
  job_.next = job_.lookups = 0;
  job_.hit = 0;
  gather(access, access.asked, job_.lines);
  access.segments = job_.lines.count;
  if (access.tries > 1) return;
  access.allSegments = job_.lines.count;
  for (unsigned i = 0; i < job_.lines.count; ++i)
    access.segment[i] = array_.addressOf(job_.lines.line[i]);
  if (probe_ != nullptr) probe_->globalAccess(access);
}

// Lanes are aligned to their own width, which no line is narrower than: a lane lies in one line.
void L1Cache::gather(const WarpAccess& access, LaneMask lanes, Lines& lines) const {
  lines.count = 0;
  unsigned last = 0;
  for (LaneMask m = lanes; m != 0; m &= m - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctz(m));
    const std::uint64_t line = array_.lineOf(access.instruction.address[lane]);
    if (lines.count == 0 || lines.line[last] != line) {
      last = 0;
      while (last < lines.count && lines.line[last] != line) ++last;
      if (last == lines.count) {
        lines.line[lines.count] = line;
        lines.lanes[lines.count++] = 0;
      }
    }
    lines.lanes[last] |= LaneMask{1} << lane;
  }
}

L1Cache::Result L1Cache::work(Job& job) {
  return parameters_.divergence == Divergence::Replay ? replay(job) : wait(job);
}

// A try that waited in here: for room to send, or for an MSHR.
void L1Cache::resume(Cycle now) {
  if (!working_ || !(begun_ || requests_.room())) return;
  begun_ = true;
  job_.arrival = std::max(job_.arrival, now);
  const Result result = work(job_);
  if (result == Result::Stalled) return;
  working_ = false;
  answerLate(job_, result);
}

void L1Cache::answerLate(Job& job, Result result) {
  Payload& payload = *job.payload;
  const sc_core::sc_time now = sc_core::sc_time_stamp();
  const Cycle taken = job.arrival + job.access->occupancy;
  const auto until = [&](Cycle cycle) { return std::max(clock_.time(cycle), now) - now; };
  if (result == Result::Left) {
    if (taken < job.known) acknowledge(payload, until(taken));
    return tell(payload, until(job.known));
  }
  tell(payload, until(taken));
  if (result != Result::Served) return;
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
  respond(payload, until(std::max(job.data, taken)));
}

// Divergence::Wait

L1Cache::Result L1Cache::wait(Job& job) {
  WarpAccess& access = *job.access;
  const bool load = access.instruction.operation == MemoryOperation::Load;
  for (; job.next < job.lines.count; ++job.next) {
    if (!load) {
      write(job, job.next);
    } else if (!lookUpWait(job, job.next)) {
      return Result::Stalled;
    }
    ++job.lookups;
  }
  passBanks(job);
  return finish(job);
}

/// False: there is no MSHR for the line, or what it waits for would be too old.
bool L1Cache::lookUpWait(Job& job, unsigned i) {
  WarpAccess& access = *job.access;
  const std::uint64_t line = job.lines.line[i];
  const CacheArray::Frame frame = array_.find(line);
  frame_[i] = frame;
  if (frame != CacheArray::kNone) {
    array_.touch(frame);
    job.hit |= job.lines.lanes[i];
    compare(access, job.lines.lanes[i], array_.data(frame), line);
    report(CacheEvent::L1Hit, access);
    return true;
  }
  if (!request(job, i)) return false;
  report(CacheEvent::L1Miss, access);
  ++flightOf(access).pending;
  return true;
}

// Divergence::Replay

L1Cache::Result L1Cache::replay(Job& job) {
  WarpAccess& access = *job.access;
  if (!order_.mayServe(access)) {
    access.outcome.leave(access.asked, LeftCause::Order);
    access.occupancy = 1;
    job.known = job.arrival + parameters_.lookupLatency;
    return Result::Left;
  }
  if (!starved_.empty())
    starved_.erase(std::remove(starved_.begin(), starved_.end(), &access), starved_.end());
  const MemoryOperation operation = access.instruction.operation;
  if (operation == MemoryOperation::Load && access.requested != 0) putFirst(job);
  for (unsigned i = 0; i < job.lines.count; ++i) {
    frame_[i] = CacheArray::kNone;
    if (operation == MemoryOperation::Load) {
      lookUpReplay(job, i);
    } else if (job.lookups == parameters_.tagArrays && operation == MemoryOperation::Store) {
      access.outcome.leave(job.lines.lanes[i], LeftCause::Tag);
    } else {
      ++job.lookups;
      write(job, i);
    }
  }
  const LaneMask lost = passBanks(job);
  for (unsigned i = 0; i < job.lines.count; ++i) {
    if (frame_[i] == CacheArray::kNone || frame_[i] == kKept) continue;
    compare(access, job.lines.lanes[i] & ~lost, array_.data(frame_[i]), job.lines.line[i]);
  }
  if (mshrs_.taken() != 0) releaseKept(job, lost);
  const LaneMask left = access.outcome.lanesLeft();
  if (left == 0) {
    order_.served(access);
    return finish(job);
  }
  order_.left(access);
  const auto lanesOf = [&](LeftCause cause) {
    return access.outcome.left[static_cast<unsigned>(cause)];
  };
  const bool starves = std::find(starved_.begin(), starved_.end(), &access) != starved_.end();
  const bool soon = lanesOf(LeftCause::Bank) != 0 || (lanesOf(LeftCause::Tag) != 0 && !starves);
  access.outcome.retry = soon ? 0 : kNever;
  access.outcome.data = job.data > job.known ? job.data - job.known : 0;
  return Result::Left;
}

// What the access has waited for is looked up before what it has not, and first of all what an MSHR
// keeps for it: others may wait for that MSHR.
void L1Cache::putFirst(Job& job) {
  const Lines before = job.lines;
  std::array<unsigned, kWarpLanes> rank{};
  for (unsigned i = 0; i < before.count; ++i) {
    const Waiters::Number number = mshrs_.find(before.line[i]);
    const bool kept =
        number != Waiters::kNone && mshrs_.at(number).filled && waitsFor(number, *job.access);
    rank[i] = kept ? 0 : (job.access->requested & before.lanes[i]) != 0 ? 1 : 2;
  }
  job.lines.count = 0;
  for (unsigned r = 0; r < 3; ++r) {
    for (unsigned i = 0; i < before.count; ++i) {
      if (rank[i] != r) continue;
      job.lines.line[job.lines.count] = before.line[i];
      job.lines.lanes[job.lines.count++] = before.lanes[i];
    }
  }
}

bool L1Cache::waitsFor(Waiters::Number number, const WarpAccess& access) {
  const auto& waiters = mshrs_.at(number).waiters;
  return std::find(waiters.begin(), waiters.end(), &access) != waiters.end();
}

void L1Cache::lookUpReplay(Job& job, unsigned i) {
  WarpAccess& access = *job.access;
  const std::uint64_t line = job.lines.line[i];
  const LaneMask lanes = job.lines.lanes[i];
  const Waiters::Number number = mshrs_.find(line);
  bool awaited = false;
  if (number != Waiters::kNone) {
    awaited = waitsFor(number, access);
    if (awaited && !mshrs_.at(number).filled) return leaveAbsent(access, lanes);
  }
  if (job.lookups == parameters_.tagArrays) return access.outcome.leave(lanes, LeftCause::Tag);
  ++job.lookups;
  const CacheArray::Frame frame = array_.find(line);
  const bool again = (access.requested & lanes) != 0;
  if (frame != CacheArray::kNone || awaited) {
    if (!again) report(CacheEvent::L1Hit, access);
    if (frame != CacheArray::kNone) array_.touch(frame);
    frame_[i] = frame != CacheArray::kNone ? frame : kKept;
    access.requested |= lanes;  // seen: should a bank be lost, the next try is no new access
    job.hit |= lanes;
    return;
  }
  if (again) {
    access.evicted |= lanes;
    report(CacheEvent::L1SetConflict, access);
  } else {
    report(CacheEvent::L1Miss, access);
    access.requested |= lanes;
  }
  if (!request(job, i)) requestAgainLater(access);
  leaveAbsent(access, lanes);
}

void L1Cache::leaveAbsent(WarpAccess& access, LaneMask lanes) {
  access.outcome.leave(lanes & access.evicted, LeftCause::Set);
  access.outcome.leave(lanes & ~access.evicted, LeftCause::Absent);
}

// Lanes of which the line has been served need it no longer.
void L1Cache::releaseKept(Job& job, LaneMask left) {
  for (unsigned i = 0; i < job.lines.count; ++i) {
    if ((job.lines.lanes[i] & job.hit) == 0 || (job.lines.lanes[i] & left) != 0) continue;
    const Waiters::Number number = mshrs_.find(job.lines.line[i]);
    if (number == Waiters::kNone || !mshrs_.at(number).filled) continue;
    auto& waiters = mshrs_.at(number).waiters;
    const auto own = std::find(waiters.begin(), waiters.end(), job.access);
    if (own == waiters.end()) continue;
    if (frame_[i] == kKept && parameters_.verify) {
      compare(*job.access, job.lines.lanes[i],
              &kept_[std::size_t{number} * parameters_.shape.lineBytes], job.lines.line[i]);
    }
    waiters.erase(own);
    if (waiters.empty()) freeEntry(number, clock_.now());
  }
}

void L1Cache::requestAgainLater(WarpAccess& access) {
  if (std::find(starved_.begin(), starved_.end(), &access) == starved_.end())
    starved_.push_back(&access);
}

// Banks

/// Lanes that hit and lose their bank.
LaneMask L1Cache::passBanks(Job& job) {
  WarpAccess& access = *job.access;
  const Cycle lookups = (job.lookups + parameters_.tagArrays - 1) / parameters_.tagArrays;
  job.known = job.arrival + parameters_.lookupLatency;
  job.data = job.arrival + std::max<Cycle>(1, lookups) - 1 + parameters_.latency;
  access.occupancy = std::max<Cycle>(1, lookups);
  if (job.hit == 0) return 0;
  placeWords(job);
  const LaneMask asked = std::exchange(access.asked, job.hit);
  const LaneMask before = access.outcome.lanesLeft();
  resolver_.resolve(access);
  const ConflictPolicy::Served served = policy_->serve(access, resolver_, job.arrival);
  if (probe_ != nullptr) probe_->l1Try(access);
  access.asked = asked;
  access.occupancy = std::max(access.occupancy, lookups);
  job.known = std::max(job.known, served.done);
  job.data = std::max(job.data, served.done - 1 + parameters_.latency);
  if (access.passes > access.freePasses)
    report(CacheEvent::L1BankConflict, access, access.passes - access.freePasses);
  return access.outcome.lanesLeft() & ~before;
}

// Where the words of lanes that hit lie: side by side from their line's frame on.
void L1Cache::placeWords(Job& job) {
  WarpAccess& access = *job.access;
  constexpr std::uint32_t wordBytes = 4;
  const std::uint32_t bytes = access.instruction.bytesPerLane;
  const std::uint32_t inLine = parameters_.shape.lineBytes - 1;
  access.banks = banks_->shape().banks;
  access.wordsPerLane = bytes > wordBytes ? bytes / wordBytes : 1;
  WarpAccess::Lanes& first = access.word[0];
  first.fill(0);
  for (unsigned i = 0; i < job.lines.count; ++i) {
    if (frame_[i] == CacheArray::kNone) continue;
    const CacheArray::Frame frame =
        frame_[i] == kKept ? array_.sets().of(job.lines.line[i]) * parameters_.shape.ways
                           : frame_[i];
    const std::uint32_t base = frame * (parameters_.shape.lineBytes / wordBytes);
    for (LaneMask m = job.lines.lanes[i]; m != 0; m &= m - 1) {
      const auto lane = static_cast<unsigned>(__builtin_ctz(m));
      first[lane] = base + (static_cast<std::uint32_t>(access.instruction.address[lane]) & inLine) /
                               wordBytes;
    }
  }
  for (unsigned k = 0; k < access.wordsPerLane; ++k) {
    if (k != 0) {
      for (unsigned lane = 0; lane < kWarpLanes; ++lane) access.word[k][lane] = first[lane] + k;
    }
    banks_->locate(access.word[k], job.hit, access.bank[k], access.row[k]);
  }
}

// Requests

/// Asks for line `i`, or waits with those who have; false: there is no MSHR for it.
bool L1Cache::request(Job& job, unsigned i) {
  WarpAccess& access = *job.access;
  const std::uint64_t line = job.lines.line[i];
  if (const Waiters::Number number = mshrs_.find(line); number != Waiters::kNone) {
    if (stale_[number] || mshrs_.at(number).filled || !mshrs_.mayMerge(number)) return false;
    mshrs_.at(number).waiters.push_back(&access);
    return true;
  }
  if (mshrs_.full()) return false;
  if (parameters_.allocation == Allocation::Miss) {
    const CacheArray::Frame frame = array_.victim(line);
    if (frame == CacheArray::kNone) return false;
    array_.place(frame, line, true);
  }
  mshrs_.at(mshrs_.take(line)).waiters.push_back(&access);
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

// Written through: the sectors that the lanes touch, of the line that they are on. A load that is
// under way to the line brings what was there before; nobody may find that later.
void L1Cache::write(Job& job, unsigned i) {
  WarpAccess& access = *job.access;
  const WarpInstruction& instruction = access.instruction;
  const std::uint64_t line = job.lines.line[i];
  const CacheArray::Frame frame = array_.find(line);
  report(frame == CacheArray::kNone ? CacheEvent::L1Miss : CacheEvent::L1Hit, access);
  const bool update = parameters_.writePolicy == WritePolicy::Through &&
                      instruction.operation == MemoryOperation::Store;
  if (frame != CacheArray::kNone && !update) array_.drop(frame);
  if (const Waiters::Number number = mshrs_.find(line); number != Waiters::kNone)
    stale_[number] = true;

  std::array<std::uint32_t, 32> bytesOf{};  // by sector: a bit a byte
  const std::uint32_t inLine = parameters_.shape.lineBytes - 1;
  for (LaneMask m = job.lines.lanes[i]; m != 0; m &= m - 1) {
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
  for (unsigned s = first; s <= last; ++s)
    request.whole |= SectorMask{bytesOf[s] == ~std::uint32_t{0}} << (s - first);
  if (instruction.hasData) {
    for (LaneMask m = job.lines.lanes[i]; m != 0; m &= m - 1) {
      const auto lane = static_cast<unsigned>(__builtin_ctz(m));
      const std::uint32_t at = static_cast<std::uint32_t>(instruction.address[lane]) & inLine;
      for (std::uint32_t b = 0; b < instruction.bytesPerLane; ++b) {
        requests_.enable(payload, at - first * kSectorBytes + b, instruction.data[lane][b]);
        if (update && frame != CacheArray::kNone && array_.keepsData())
          array_.data(frame)[at + b] = instruction.data[lane][b];
      }
    }
  }
  Flight& flight = flightOf(access);
  ++flight.pending;
  request.token = access.token;
  const Cycle lookup = (job.lookups == 0 ? 0 : job.lookups - 1) / parameters_.tagArrays;
  requests_.send(payload, job.arrival + lookup + parameters_.lookupLatency);
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

/// Every lane of the access has been taken.
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

/// A request of the access has been answered: what it brought is there in cycle `at`.
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
  install(payload, stale_[number]);
  if (parameters_.divergence == Divergence::Wait) {
    for (WarpAccess* access : entry.waiters) {
      Lines lines;
      gather(*access, access->instruction.active, lines);
      for (unsigned i = 0; i < lines.count; ++i) {
        if (lines.line[i] == line) compare(*access, lines.lanes[i], payload.get_data_ptr(), line);
      }
      arrivedFor(*access, now + parameters_.fillLatency);
    }
    return freeEntry(number, now);
  }
  // Whoever has lost a line already finds this one, come what may.
  const bool keeps =
      stale_[number] || std::any_of(entry.waiters.begin(), entry.waiters.end(),
                                    [](const WarpAccess* a) { return a->evicted != 0; });
  entry.filled = true;
  for (WarpAccess* access : entry.waiters) tryAgain(*access);
  if (!keeps) return freeEntry(number, now);
  if (parameters_.verify) {
    std::memcpy(&kept_[std::size_t{number} * parameters_.shape.lineBytes], payload.get_data_ptr(),
                parameters_.shape.lineBytes);
  }
}

void L1Cache::install(Payload& payload, bool stale) {
  const std::uint64_t line = LineRequester::of(payload).line;
  CacheArray::Frame frame = CacheArray::kNone;
  if (parameters_.allocation == Allocation::Miss) {
    frame = array_.sets().of(line) * parameters_.shape.ways;
    while (!(array_.at(frame).reserved && array_.at(frame).number == line)) ++frame;
    if (stale) return array_.drop(frame);
  } else {
    if (stale) return;
    frame = array_.victim(line);
  }
  array_.place(frame, line, false);
  array_.at(frame).valid = array_.allSectors();
  if (array_.keepsData())
    std::memcpy(array_.data(frame), payload.get_data_ptr(), parameters_.shape.lineBytes);
}

void L1Cache::freeEntry(Waiters::Number number, Cycle) {
  mshrs_.free(number);
  stale_[number] = false;
  std::vector<WarpAccess*> woken;
  woken.swap(starved_);
  for (WarpAccess* access : woken) tryAgain(*access);
}

void L1Cache::tryAgain(WarpAccess& access) {
  tlm::tlm_phase phase = TRY_AGAIN;
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  in->nb_transport_bw(*access.payload, phase, delay);
}

void L1Cache::b_transport(Payload& payload, sc_core::sc_time& delay) {
  WarpAccess& access = warpAccess(payload);
  Lines lines;
  gather(access, access.asked, lines);
  for (unsigned i = 0; i < lines.count; ++i) {
    Payload& line = requests_.open(tlm::TLM_READ_COMMAND, array_.addressOf(lines.line[i]),
                                   parameters_.shape.lineBytes);
    out->b_transport(line, delay);
    line.release();
  }
  delay += clock_.time(parameters_.latency);
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
}

// Observation

void L1Cache::compare(const WarpAccess& access, LaneMask lanes, const std::uint8_t* data,
                      std::uint64_t line) {
  const WarpInstruction& instruction = access.instruction;
  if (!parameters_.verify || !instruction.hasData) return;
  for (LaneMask m = lanes; m != 0; m &= m - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctz(m));
    const std::uint64_t at = instruction.address[lane] - array_.addressOf(line);
    ++compared_;
    if (std::memcmp(data + at, instruction.data[lane].data(), instruction.bytesPerLane) == 0)
      continue;
    const std::string text = "verification failed: pc " + std::to_string(instruction.pc) +
                             ", warp slot " + std::to_string(access.slot) + ", lane " +
                             std::to_string(lane) + ": the cache has other bytes at address " +
                             std::to_string(instruction.address[lane]) + " than the executor saw";
    SC_REPORT_ERROR("fermata/l1", text.c_str());
    return;
  }
}

void L1Cache::report(CacheEvent::What what, const WarpAccess& access, std::uint64_t count) const {
  if (probe_ != nullptr) probe_->cached({what, access.program, access.instruction.pc, count});
}

}  // namespace fermata
