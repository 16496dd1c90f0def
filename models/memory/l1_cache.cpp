#include <fermata/models/memory/l1_cache.h>

#include <fermata/models/memory/sector_lookups.h>

#include <algorithm>
#include <utility>

namespace fermata {

namespace {

const L1CacheParameters& checked(const L1CacheParameters& p) {
  const auto require = [](bool holds, const char* what) {
    if (!holds) SC_REPORT_FATAL("fermata/l1", what);
  };
  require(p.tagArrays >= 1 && p.tagArrays <= kWarpLanes, "tagArrays must be 1 to 32");
  require(p.interval >= 1, "interval must be 1 or more");
  require(p.mshrs >= 1, "mshrs must be 1 or more");
  require(p.queue >= 1, "queue must be 1 or more");
  require(p.writePolicy != WritePolicy::Back, "writePolicy must be Evict, Through or Allocate");
  require(p.writePolicy != WritePolicy::Allocate || p.fetch == Fetch::Sectors,
          "writePolicy Allocate needs Fetch::Sectors");
  require(p.divergence == Divergence::Replay || !p.conflictPolicy->needs.leavesLanes,
          "a cache whose accesses wait needs a conflict policy that leaves no lanes");
  return p;
}

bool queues(const L1CacheParameters& p) {
  return p.lookupQueue != 0 && p.divergence == Divergence::Wait && p.data == nullptr;
}

/// Returns the parameters of what lies behind the queue: the way to the tags is over there.
L1CacheParameters behindQueue(L1CacheParameters p) {
  if (!queues(p)) return p;
  p.latency -= std::min(p.latency, p.lookupLatency);
  p.lookupLatency = 0;
  return p;
}

}  // namespace

L1Cache::L1Cache(const sc_core::sc_module_name& name, const Clock& clock,
                 const Parameters& parameters, SetIndex sets,
                 std::shared_ptr<const indexing::Indexer> banks, Probe* probe)
    : LateWarpTarget(name, Turn::L1),
      parts_(clock, behindQueue(checked(parameters)), std::move(sets), std::move(banks), probe,
             *this),
      out(parts_.requester.out),
      agenda_(Agenda::here()),
      clock_(clock),
      divergence_(parameters.divergence == Divergence::Wait ? makeL1Wait(parts_, *this)
                                                            : makeL1Replay(parts_, *this)),
      onWay_(queues(parameters) ? parameters.lookupLatency : 0),
      past_(onWay_ - std::min<Cycle>(onWay_, parameters.lookupQueue)) {}

// From above

tlm::tlm_sync_enum L1Cache::nb_transport_fw(Payload& payload, tlm::tlm_phase& phase,
                                            sc_core::sc_time& delay) {
  if (phase == tlm::BEGIN_REQ && queues(parts_.parameters)) return enter(payload, phase, delay);
  if (phase != tlm::BEGIN_REQ || mustWait(delay))
    return LateWarpTarget::nb_transport_fw(payload, phase, delay);
  const sc_core::sc_time now = clock_.stamp();
  begin(payload, clock_.cycles(now + delay));
  switch (serve()) {
    case Result::Served:
      payload.set_response_status(tlm::TLM_OK_RESPONSE);
      delay = clock_.time(try_.data) - now;
      return tlm::TLM_COMPLETED;
    case Result::Left:
      phase = TRY_OUTCOME;
      delay = clock_.time(try_.known) - now;
      return tlm::TLM_UPDATED;
    case Result::Pending:
      keep(payload);
      phase = TRY_OUTCOME;
      return tlm::TLM_UPDATED;
    case Result::Stalled:
      break;
  }
  keep(payload);
  return tlm::TLM_ACCEPTED;
}

/// True if an event comes before the request's time while requests to memory are under way: it may
/// change the cache, and the request must see that. A core's request never waits: a core runs ahead
/// only if nothing else happens before its time, and events at that very time are due to requests
/// of that time, its own or another core's.
bool L1Cache::mustWait(const sc_core::sc_time& delay) const {
  return parts_.requester.open() != 0 && delay != sc_core::SC_ZERO_TIME &&
         agenda_->untilNext() < delay;
}

/// Takes a try onto its way to the tags: requested() is called when it is there. Every lane will be
/// served, so the outcome is told at once, if the queue has room for its lines. With several queues
/// of sectors, any room will do: most queues have more than the fullest one.
tlm::tlm_sync_enum L1Cache::enter(Payload& payload, tlm::tlm_phase& phase,
                                  sc_core::sc_time& delay) {
  WarpAccess& access = warpAccess(payload);
  const bool passing = passes(access);
  sc_core::sc_time there = delay + clock_.time(passing ? past_ : onWay_);
  LateWarpTarget::nb_transport_fw(payload, phase, there);
  TouchedLines lines;
  gather(lines, access);
  access.occupancy = passing ? parts_.writes.passing(access, lines) : lookups(access, lines);
  if (passing) {
    phase = TRY_OUTCOME;
    return tlm::TLM_UPDATED;
  }
  ++entered_;
  const unsigned before = places_;
  for (unsigned i = 0; i < lines.count; ++i) places_ += placesOf(access, lines.lanes[i]);
  const bool single = !parts_.parameters.tagSectors;
  if (single ? places_ > places() : before >= places()) {
    refused_ = &payload;
    refusedPlaces_ = single ? 1 : places_ - before;
    return tlm::TLM_ACCEPTED;
  }
  phase = TRY_OUTCOME;
  return tlm::TLM_UPDATED;
}

/// Returns the places that a line of a try holds on the way to the tags.
unsigned L1Cache::placesOf(const WarpAccess& access, LaneMask lanes) const {
  const L1CacheParameters& p = parts_.parameters;
  return p.tagSectors ? laneCount(TouchedBytes(access, lanes, p.shape.lineBytes).sectors) : 1;
}

/// Frees the places of `lines` lines of the try at hand, those already freed among them.
void L1Cache::freePlaces(unsigned lines) {
  if (entered_ == 0) return;
  for (; freed_ < lines; ++freed_) places_ -= placesOf(*try_.access, try_.lines.lanes[freed_]);
  if (refused_ != nullptr && places_ < places() + refusedPlaces_)
    tell(*std::exchange(refused_, nullptr), sc_core::SC_ZERO_TIME);
}

/// Returns the cycles for which a try holds the begin of the way to the tags.
Cycle L1Cache::lookups(const WarpAccess& access, const TouchedLines& lines) const {
  const L1CacheParameters& p = parts_.parameters;
  if (!p.tagSectors) return std::max(lines.count / p.tagArrays, p.interval);
  SectorLookups sectors(p.tagArrays);
  for (unsigned i = 0; i < lines.count; ++i) {
    const TouchedBytes bytes(access, lines.lanes[i], p.shape.lineBytes);
    sectors.lookUp(lines.line[i], p.shape.lineBytes / kSectorBytes, bytes.sectors);
  }
  return std::max(sectors.cycles(), Cycle{p.interval});
}

/// True for an atomic that does not take the way to the tags.
bool L1Cache::passes(const WarpAccess& access) const {
  return parts_.parameters.atomicsPass && queues(parts_.parameters) &&
         access.instruction.operation == MemoryOperation::Atomic;
}

void L1Cache::passAtomic(Payload& payload) {
  beginTry(passing_, payload, clock_.now());
  parts_.writes.pass(passing_);
  parts_.flights.taken(*passing_.access, 0);  // its requests are under way
}

void L1Cache::requested(Payload& payload) {
  if (passes(warpAccess(payload))) return passAtomic(payload);
  if (state_ != State::Free) return atTags_.push(&payload);
  begin(payload, clock_.now());
  serveWaiting(clock_.now());
}

/// With a lookup queue: begins the next try that waits for the tags. False: there is none.
bool L1Cache::next(Cycle now) {
  if (entered_ == 0) return false;
  --entered_;
  if (atTags_.empty()) return false;
  begin(*atTags_.pop(), now);
  return true;
}

void L1Cache::gather(TouchedLines& lines, const WarpAccess& access) const {
  lines.gather(access, access.asked, parts_.array);
  if (parts_.parameters.splitsBytes && queues(parts_.parameters)) lines.split(access, parts_.array);
  if (parts_.parameters.falling) lines.fall();
}

void L1Cache::begin(Payload& payload, Cycle arrival) {
  parts_.tags.begin();
  state_ = State::WaitsForRoom;
  freed_ = 0;
  beginTry(try_, payload, arrival);
}

/// Gathers the lines of a try.
void L1Cache::beginTry(L1Try& t, Payload& payload, Cycle arrival) {
  WarpAccess& access = warpAccess(payload);
  if (!validWidth(access.instruction.bytesPerLane))
    SC_REPORT_FATAL("fermata/l1", "bytesPerLane must be 1, 2, 4, 8 or 16");
  t.payload = &payload;
  t.access = &access;
  t.arrival = arrival;
  t.next = 0;
  t.hit = 0;
  gather(t.lines, access);
  access.segments = t.lines.count;
  if (access.tries > 1) return;
  access.allSegments = t.lines.count;
  for (unsigned i = 0; i < t.lines.count; ++i)
    access.segment[i] = parts_.array.addressOf(t.lines.line[i]);
  parts_.events.accessBegins(access);
}

/// Serves the try at hand, from where it stalled. It begins only with room to send: a try that has
/// begun needs none.
L1Cache::Result L1Cache::serve() {
  if (state_ == State::WaitsForRoom && !parts_.requester.room()) return Result::Stalled;
  state_ = State::Free;
  const Result result = L1Passing::isFor(*try_.access) ? passBy() : divergence_->serve(try_);
  if (result == Result::Stalled) state_ = State::Stalled;
  return result;
}

L1Cache::Result L1Cache::passBy() {
  parts_.passing.send(try_);
  return parts_.flights.taken(*try_.access, 0) ? Result::Served : Result::Pending;
}

void L1Cache::serveWaiting(Cycle now) {
  if (state_ == State::Free) return;
  do {
    try_.arrival = std::max(try_.arrival, now);
    const Result result = serve();
    freePlaces(result == Result::Stalled ? try_.next : try_.lines.count);
    if (result == Result::Stalled) return;
    answerLate(result);
  } while (next(now));
}

void L1Cache::answerLate(Result result) {
  Payload& payload = *try_.payload;
  const sc_core::sc_time now = clock_.stamp();
  const Cycle taken = try_.arrival + try_.access->occupancy;
  const auto until = [&](Cycle cycle) { return std::max(clock_.time(cycle), now) - now; };
  if (entered_ != 0) {  // the outcome has been told
    if (result != Result::Served) return;
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    return respond(payload, until(try_.data));
  }
  if (result == Result::Left) {
    if (taken < try_.known) acknowledge(payload, until(taken));
    return tell(payload, until(try_.known));
  }
  tell(payload, until(taken));
  if (result != Result::Served) return;
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
  respond(payload, until(std::max(try_.data, taken)));
}

// From below

void L1Cache::answered(Payload& line, Cycle now) {
  if (LineRequester::of(line).token != 0) {
    WarpAccess& access = line.is_read() ? parts_.passing.answered(line)
                                        : parts_.flights.access(LineRequester::of(line).token);
    const bool toRegisters =
        line.is_read() ? !access.issuedInstruction->ofEngine() : passes(access);
    arrived(access, toRegisters
                        ? filledAt(line.get_data_length(), now) + parts_.parameters.fillLatency
                        : now);
  } else if (line.is_read()) {  // nothing waits for a line that was written back
    divergence_->filled(parts_.misses.fill(line, now), filledAt(line.get_data_length(), now));
  }
  serveWaiting(now);
}

/// Returns the cycle in which bytes that come in `now` are in the data array.
Cycle L1Cache::filledAt(std::uint32_t bytes, Cycle now) {
  const unsigned rate = parts_.parameters.fillBytes;
  if (rate == 0) return now;
  const Cycle start = std::max(now, fillFree_);
  fillFree_ = start + (bytes + rate - 1) / rate;
  return fillFree_ - 1;
}

void L1Cache::arrived(WarpAccess& access, Cycle at) {
  const Cycle last = parts_.flights.answered(access, at);
  if (last == kNever) return;
  const sc_core::sc_time now = clock_.stamp();
  access.payload->set_response_status(tlm::TLM_OK_RESPONSE);
  respond(*access.payload, std::max(clock_.time(last), now) - now);
}

void L1Cache::tryAgain(WarpAccess& access) {
  tlm::tlm_phase phase = TRY_AGAIN;
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  in->nb_transport_bw(*access.payload, phase, delay);
}

// Untimed

void L1Cache::b_transport(Payload& payload, sc_core::sc_time& delay) {
  const WarpAccess& access = warpAccess(payload);
  TouchedLines lines;
  lines.gather(access, access.asked, parts_.array);
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
  sc_core::sc_time last = delay;
  for (unsigned i = 0; i < lines.count; ++i) {
    sc_core::sc_time own = delay + clock_.time(i / parts_.parameters.tagArrays);
    transportLine(payload, lines.line[i], lines.lanes[i], own);
    last = std::max(last, own);
  }
  delay = last + clock_.time(parts_.parameters.latency);
}

void L1Cache::transportLine(Payload& payload, std::uint64_t line, LaneMask lanes,
                            sc_core::sc_time& delay) {
  const WarpAccess& access = warpAccess(payload);
  const bool load = access.instruction.operation == MemoryOperation::Load;
  Absent absent;
  if (load) {
    const CacheArray::Frame frame = parts_.array.findPresent(line);
    absent = parts_.sectors.absent(frame, access, lanes);
    if (absent.lanes != lanes)
      parts_.check.compare(access, lanes & ~absent.lanes, parts_.array.data(frame));
    if (absent.lanes == 0) return;
  }
  Payload& request =
      load ? parts_.misses.openRead(line, absent.sectors) : parts_.writes.open(access, line, lanes);
  out->b_transport(request, delay);
  if (!request.is_response_ok()) {
    payload.set_response_status(request.get_response_status());
  } else if (load) {
    parts_.check.compare(access, absent.lanes, parts_.misses.bytesOf(request));
  }
  request.release();
}

}  // namespace fermata
