#include <fermata/models/memory/l1_cache.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace fermata {

namespace {

const L1Cache::Parameters& checked(const L1Cache::Parameters& p) {
  const auto require = [](bool holds, const char* what) {
    if (!holds) SC_REPORT_FATAL("fermata/l1", what);
  };
  require(p.tagArrays >= 1 && p.tagArrays <= kWarpLanes, "tagArrays must be 1 to 32");
  require(p.mshrs >= 1, "mshrs must be 1 or more");
  require(p.queue >= 1, "queue must be 1 or more");
  require(p.writePolicy != WritePolicy::Back, "writePolicy must be Evict or Through");
  return p;
}

}  // namespace

L1Cache::L1Cache(const sc_core::sc_module_name& name, const Clock& clock,
                 const Parameters& parameters, SetIndex sets,
                 std::shared_ptr<const indexing::Indexer> banks, Probe* probe)
    : LateWarpTarget(name, Turn::L1),
      requests_("requests", clock, *this, parameters.shape.lineBytes, parameters.queue),
      out(requests_.out),
      agenda_(Agenda::ofSimulation()),
      clock_(clock),
      parameters_(checked(parameters)),
      banks_(std::move(banks)),
      array_(parameters.shape, std::move(sets),
             parameters.replacement.make(parameters.policyValues), parameters.verify),
      resolver_(banks_->shape().banks, 1, parameters.groups),
      policy_(parameters.conflictPolicy.make(parameters.policyValues)),
      probe_(probe),
      mshrs_(parameters.mshrs, parameters.merges),
      stale_(parameters.mshrs) {
  if (parameters.divergence == Divergence::Wait && parameters.conflictPolicy->needs.leavesLanes) {
    SC_REPORT_FATAL("fermata/l1",
                    "a cache whose accesses wait needs a conflict policy that leaves no lanes");
  }
  if (parameters.verify) kept_.resize(std::size_t{parameters.mshrs} * parameters.shape.lineBytes);
}

// From above

tlm::tlm_sync_enum L1Cache::nb_transport_fw(Payload& payload, tlm::tlm_phase& phase,
                                            sc_core::sc_time& delay) {
  if (phase != tlm::BEGIN_REQ || mustWait(delay))
    return LateWarpTarget::nb_transport_fw(payload, phase, delay);
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

/// True if an event comes before the request's time while requests to memory are under way: it may
/// change the cache, and the request must see that. A core's request never waits: a core runs ahead
/// only if nothing else happens before its time, and events at that very time are due to requests
/// of that time, its own or another core's.
bool L1Cache::mustWait(const sc_core::sc_time& delay) const {
  return requests_.open() != 0 && delay != sc_core::SC_ZERO_TIME && agenda_->untilNext() < delay;
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

// Lanes are aligned to their own width, and no line is narrower: each lane lies in one line.
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

// Goes on with the try that waits for room to send, or for an MSHR.
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

/// Looks up line `i`. False: the try must wait. Then no MSHR or frame is free, the line takes no
/// more waiters, or its data under way are older than a write.
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

// Sorts the lines: first those that an MSHR keeps for this access, because other accesses may wait
// for that MSHR; then those that the access has requested before; then the rest.
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
    access.requested |= lanes;  // if a lane loses its bank, its next try counts no second access
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

// Takes the access off the waiters of each kept line whose lanes have all been served. `left`:
// lanes that lost their bank.
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
    if (waiters.empty()) freeEntry(number);
  }
}

void L1Cache::requestAgainLater(WarpAccess& access) {
  if (std::find(starved_.begin(), starved_.end(), &access) == starved_.end())
    starved_.push_back(&access);
}

void L1Cache::b_transport(Payload& payload, sc_core::sc_time& delay) {
  const WarpAccess& access = warpAccess(payload);
  Lines lines;
  gather(access, access.asked, lines);
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
  sc_core::sc_time last = delay;
  for (unsigned i = 0; i < lines.count; ++i) {
    sc_core::sc_time own = delay + clock_.time(i / parameters_.tagArrays);
    transportLine(payload, lines.line[i], lines.lanes[i], own);
    last = std::max(last, own);
  }
  delay = last + clock_.time(parameters_.latency);
}

void L1Cache::transportLine(Payload& payload, std::uint64_t line, LaneMask lanes,
                            sc_core::sc_time& delay) {
  const WarpAccess& access = warpAccess(payload);
  const bool load = access.instruction.operation == MemoryOperation::Load;
  const CacheArray::Frame frame = array_.find(line);
  if (load && frame != CacheArray::kNone) return compare(access, lanes, array_.data(frame), line);
  Payload& request = load ? requests_.open(tlm::TLM_READ_COMMAND, array_.addressOf(line),
                                           parameters_.shape.lineBytes)
                          : openWrite(access, line, lanes);
  out->b_transport(request, delay);
  if (!request.is_response_ok()) {
    payload.set_response_status(request.get_response_status());
  } else if (load) {
    compare(access, lanes, request.get_data_ptr(), line);
  }
  request.release();
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
    mismatches_.add(access, lane, data + at);
  }
  if (!later_ && !mismatches_.empty())
    mismatches_.judge(nullptr, parameters_.shape.lineBytes, this);
}

void L1Cache::report(CacheEvent::What what, const WarpAccess& access, std::uint64_t count) const {
  if (probe_ != nullptr) probe_->cached({what, access.program, access.instruction.pc, count});
}

void L1Cache::effort(EffortEvent::What what, const WarpAccess& access, std::uint64_t count,
                     Cycle at) const {
  if (probe_ == nullptr) return;
  probe_->effort({what, access.program, access.instruction.pc, count, clock_.ticks(at)});
}

}  // namespace fermata
