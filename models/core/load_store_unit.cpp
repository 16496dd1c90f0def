#include <fermata/models/core/load_store_unit.h>

#include <algorithm>

namespace fermata {

namespace {

const char* nameOf(MemoryOperation operation) {
  if (operation == MemoryOperation::Load) return "load";
  return operation == MemoryOperation::Store ? "store" : "atomic";
}

std::string waitOf(const WarpAccess& access, Cycle started) {
  if (access.tries == 0) return "not sent yet";
  const std::string sent = "sent in cycle " + std::to_string(access.sent - started);
  if (!access.outcomeTold || access.unserved == 0) return sent + ", no response";
  return std::to_string(laneCount(access.unserved)) + " lanes left by a try " + sent +
         ", waits to be tried again";
}

}  // namespace

LoadStoreUnit::LoadStoreUnit(ClockDomain& domain, const Parameters& parameters,
                             const SchedulerMap& schedulers, Pipelines& pipelines, Client& client,
                             Probe* probe)
    : port("port", domain, *this, parameters.replay.detection),
      domain_(domain),
      parameters_(parameters),
      pipelines_(pipelines),
      client_(client),
      replays_(parameters.replay, schedulers, *this, probe),
      schedulers_(schedulers),
      subcores_(parameters.subcore, schedulers.schedulers()),
      collectors_(pipelines.memoryPlaces(), pipelines.parameters().collectors.read + 1),
      waits_(collectors_.used() || parameters.queue != 0 || subcores_.used()),
      slotsOf_(schedulers.schedulers(), 0) {
  for (unsigned slot = 0; slot < kMaxWarpSlots; ++slot)
    slotsOf_[schedulers.of(slot)] |= slotBit(slot);
}

Cycle LoadStoreUnit::issue(WarpAccess& access, IssueKind kind, Cycle now) {
  if (waits_) {
    pipelines_.holdEntry(now);
    open_[access.slot].push_back(access.sequence);
    if (mayLeave(access)) awaitDecision(access);
    if (subcores_.used()) {
      enter(access, now);
    } else if (collectors_.used()) {
      pipelines_.take(kind, now, 1);
      pipelines_.holdPlace(now);
      collectors_.push({&access, access.slot, nullptr, 1});
    } else {
      pipelines_.take(kind, now, 1);
      enqueue(access, now);
    }
    return kNever;
  }
  const MemoryPort::Sent sent = send(access, now);
  pipelines_.take(kind, now, sent.occupancy);
  if (!sent.served) {
    pipelines_.holdEntry(now);
    open_[access.slot].push_back(access.sequence);
    return kNever;
  }
  pipelines_.takeEntry(now, std::max(1U, parameters_.replay.detection));
  if (access.instruction.takesOutcome) client_.responded(access, access.outcome);
  port.close(access);
  return sent.arrives;
}

Cycle LoadStoreUnit::storeFree(MemorySpace space, Cycle from) const {
  if (!subcores_.used()) return pipelines_.free(issueKind(InstructionClass::Memory, space), from);
  const Reservation& path = paths_[static_cast<unsigned>(pathOf(space))];
  for (Cycle at = from;; from = at) {
    at = sending_.free(path.free(from));
    if (at == kNever || path.free(at) == at) return at;
  }
}

Cycle LoadStoreUnit::store(WarpAccess& access, Cycle now) {
  const MemorySpace space = access.instruction.space;
  if (!subcores_.used()) return issue(access, issueKind(InstructionClass::Memory, space), now);
  const MemoryPort::Sent sent = send(access, now);
  const MemoryPath path = pathOf(space);
  const bool shared = path == MemoryPath::Shared;
  sending_.take(now, now, now + (shared ? sent.occupancy : 1));
  if (!shared && sent.accepted)
    paths_[static_cast<unsigned>(path)].take(now, now, now + sent.occupancy);
  if (!sent.served) {
    pipelines_.holdEntry(now);
    open_[access.slot].push_back(access.sequence);
    return kNever;
  }
  pipelines_.takeEntry(now, std::max(1U, parameters_.replay.detection));
  port.close(access);
  return sent.arrives;
}

// Lets an access leave the multiprocessor. It takes the port, and no path.
[[gnu::noinline]] MemoryPort::Sent LoadStoreUnit::sendAway(WarpAccess& access, Cycle now) {
  access.beginTry(now);
  ++access.tries;
  access.decided = true;
  const MemoryPort::Sent sent = client_.leave(access, now);
  if (watch_ != nullptr) watch_->sent({access, now, now + sent.occupancy, true});
  return sent;
}

MemoryPort::Sent LoadStoreUnit::send(WarpAccess& access, Cycle now) {
  if (__builtin_expect(static_cast<long>(access.farther == kLeaves), 0) != 0)
    return sendAway(access, now);
  const MemoryPort::Sent sent = port.send(access, now);
  if (!access.decided && mayLeave(access)) awaitDecision(access);
  if (!sent.accepted) {
    const MemoryPath path = pathOf(access.instruction.space);
    paths_[static_cast<unsigned>(path)].hold(now);
    if (!waits_) pipelines_.hold(path, now);
  }
  if (watch_ != nullptr) watch_->sent({access, now, now + sent.occupancy, sent.accepted});
  return sent;
}

Cycle LoadStoreUnit::next(Cycle from) const {
  const Cycle due = std::max(from, port.nextDue());
  if (!waits_) return due;
  if (subcores_.used() && subcores_.earliest() > from)
    return std::min(due, sending_.free(subcores_.earliest()));  // asks again then
  return std::min(due, queueNext(from));
}

std::string LoadStoreUnit::describeWait(Cycle started) const {
  std::vector<const WarpAccess*> accesses = port.accesses();
  std::sort(accesses.begin(), accesses.end(),
            [](const WarpAccess* a, const WarpAccess* b) { return a->sequence < b->sequence; });
  std::string text;
  for (const WarpAccess* access : accesses) {
    const WarpInstruction& what = access->instruction;
    const auto lane = static_cast<unsigned>(__builtin_ctz(what.active));
    const bool shared = pathOf(what.space) == MemoryPath::Shared;
    text += "; access of warp slot " + std::to_string(access->slot) + " at pc " +
            std::to_string(what.pc) + ", " + nameOf(what.operation) + " of " +
            (shared ? "shared" : "device") + " memory, lane " + std::to_string(lane) +
            " at address " + std::to_string(what.address[lane]) + ": " + waitOf(*access, started);
  }
  return text;
}

// Lanes left

void LoadStoreUnit::responded(WarpAccess& access, Cycle now) {
  client_.changing(now);
  const bool takesOutcome = access.instruction.takesOutcome;
  if (takesOutcome) client_.responded(access, access.outcome);
  if (access.unserved == 0) {
    forget(access);
    client_.holdChanged(access.slot);
  } else if (takesOutcome) {
    finish(access, access.arrives);
  } else {
    ++left_[access.slot];
    client_.holdChanged(access.slot);
    const Cycle retry = access.outcome.retry;
    replays_.push(access, retry == kNever ? access.again : now + retry);
  }
}

void LoadStoreUnit::again(WarpAccess& access, Cycle at) {
  const Cycle now = domain_.now();
  client_.changing(now);
  replays_.allow(access, at);
  client_.wake(std::max(at, now));
}

void LoadStoreUnit::arrived(WarpAccess& access, Cycle at) {
  client_.changing(domain_.now());
  client_.arrived(access, at);
  port.close(access);
}

// Takes the end of an access whose last lanes were served by a try that was answered at its call.
void LoadStoreUnit::served(WarpAccess& access, Cycle at) {
  if (access.instruction.takesOutcome) client_.responded(access, access.outcome);
  finish(access, at);
}

// Ends an access: every lane is served, or its producer brings the rest in another access.
void LoadStoreUnit::finish(WarpAccess& access, Cycle at) {
  forget(access);
  if (!client_.arrived(access, at)) client_.holdChanged(access.slot);
  port.close(access);
}

void LoadStoreUnit::forget(const WarpAccess& access) {
  std::vector<std::uint64_t>& open = open_[access.slot];
  std::size_t place = 0;
  while (open[place] != access.sequence) ++place;
  for (; place + 1 < open.size(); ++place) open[place] = open[place + 1];
  open.pop_back();
  if (!pipelines_.countsEntries()) return;
  pipelines_.releaseEntry(
      std::max({domain_.now(), access.sent + 1, access.sent + parameters_.replay.detection}));
}

// Only the oldest open access of a warp may be tried again: replays go in program order.
Cycle LoadStoreUnit::mayRetry(const WarpAccess& access, Cycle from) const {
  if (open_[access.slot].front() != access.sequence) return kNever;
  const auto path = static_cast<unsigned>(pathOf(access.instruction.space));
  return std::max(portFree(from), paths_[path].free(from));
}

Cycle LoadStoreUnit::portFree(Cycle from) const {
  return waits_ ? sending_.free(from) : pipelines_.free(IssueKind::Constant, from);
}

void LoadStoreUnit::retry(WarpAccess& access, Cycle now) {
  --left_[access.slot];
  const MemoryPort::Sent sent = send(access, now);
  if (waits_) {
    sending_.take(now, now, now + sent.occupancy);
  } else {
    pipelines_.take(IssueKind::Constant, now, sent.occupancy);
  }
  if (sent.served) served(access, sent.arrives);
}

// The order of a warp's accesses

void LoadStoreUnit::awaitDecision(const WarpAccess& access) {
  std::vector<std::uint64_t>& undecided = undecided_[access.slot];
  const auto place = std::lower_bound(undecided.begin(), undecided.end(), access.sequence);
  if (place == undecided.end() || *place != access.sequence)
    undecided.insert(place, access.sequence);
}

void LoadStoreUnit::settle(const WarpAccess& access) {
  std::vector<std::uint64_t>& undecided = undecided_[access.slot];
  if (undecided.empty()) return;
  undecided.erase(std::remove(undecided.begin(), undecided.end(), access.sequence),
                  undecided.end());
}

void LoadStoreUnit::decided(const WarpAccess& access) {
  if (!mayLeave(access)) return;
  const Cycle now = domain_.now();
  client_.changing(now);
  settle(access);
  client_.holdChanged(access.slot);
  client_.wake(now);
}

// The queues before the port

void LoadStoreUnit::enqueue(WarpAccess& access, Cycle now) {
  const MemoryPath path = pathOf(access.instruction.space);
  Ring<WarpAccess*>& queue = queues_[static_cast<unsigned>(path)];
  queue.push(&access);
  if (queue.size() >= parameters_.queue) pipelines_.hold(path, now);
}

void LoadStoreUnit::enter(WarpAccess& access, Cycle now) {
  const unsigned scheduler = schedulers_.of(access.slot);
  const Cycle ready = subcores_.push(scheduler, access, registersRead(access), now);
  if (subcores_.full(scheduler)) pipelines_.shut(slotsOf_[scheduler]);
  const Cycle held = sourcesHeld(access);
  if (held != 0) client_.readsUntil(access, ready - parameters_.subcore.latency + held);
}

// Returns the registers of data per lane.
unsigned LoadStoreUnit::wordsOf(const WarpAccess& access) {
  if (access.issuedInstruction != nullptr && access.issuedInstruction->matrices != 0)
    return access.issuedInstruction->matrices;
  return std::max(1U, access.instruction.bytesPerLane / 4U);
}

// Returns the 32-bit registers that an access reads on machines of 64-bit addresses: one or, of
// global memory, two of the address, and its data.
unsigned LoadStoreUnit::registersRead(const WarpAccess& access) {
  const WarpInstruction& instruction = access.instruction;
  const unsigned address = instruction.space == MemorySpace::Global ? 2 : 1;
  if (instruction.operation == MemoryOperation::Load) return address;
  const bool swaps =
      access.issuedInstruction != nullptr && access.issuedInstruction->form == AtomicForm::Swap;
  return address + (swaps ? 2 : 1) * wordsOf(access);
}

// Returns for how many cycles from its issue an access that waits for nothing holds the registers
// that it reads. One that waits for the calculation of its addresses reads them later.
Cycle LoadStoreUnit::sourcesHeld(const WarpAccess& access) const {
  const SubcoreParameters& p = parameters_.subcore;
  const bool shared = pathOf(access.instruction.space) == MemoryPath::Shared;
  const Cycle load = shared ? p.sharedSources : p.globalSources;
  if (access.instruction.operation == MemoryOperation::Load) return load;
  return load + p.storeSources + Cycle{p.wideSources} * (wordsOf(access) - 1);
}

void LoadStoreUnit::sendFirst(WarpAccess& access, Cycle now) {
  const MemoryPort::Sent sent = send(access, now);
  if (access.decided) settle(access);
  sending_.take(now, now, now + sent.occupancy);
  if (sent.served) served(access, sent.arrives);
}

// Sends the next access of the queues. A replay that can go in this cycle goes first. A replay that
// cannot go must hold nothing up: it may wait for an access that is still queued here.
void LoadStoreUnit::drain(Cycle now) {
  if (collectors_.used()) return drainCollectors(now);
  if (sending_.free(now) != now || replays_.next(now) == now) return;
  WarpAccess* access = firstToGo(now);
  if (access == nullptr) return;
  client_.changing(now);
  const MemoryPath path = pathOf(access->instruction.space);
  queues_[static_cast<unsigned>(path)].pop();
  pipelines_.release(path, now);
  sendFirst(*access, now);
}

// Sends the oldest instruction of the collectors.
void LoadStoreUnit::drainCollectors(Cycle now) {
  if (collectors_.empty() || collectorsNext(now) != now || replays_.next(now) == now) return;
  client_.changing(now);
  const MemoryCollectors::One one = collectors_.front();
  if (one.access == nullptr && !client_.readsConstants(one.slot, *one.constants, one.lines, now))
    return collectors_.hold(true);
  collectors_.pop();
  pipelines_.releasePlace(now + collectors_.way());
  if (one.access != nullptr) return sendFirst(*one.access, now);
  sending_.take(now, now, now + one.lines);
}

// Returns the first cycle, `from` or later, in which the port takes the oldest instruction of the
// collectors.
Cycle LoadStoreUnit::collectorsNext(Cycle from) const {
  if (collectors_.empty() || collectors_.held()) return kNever;
  const WarpAccess* const access = collectors_.front().access;
  if (access != nullptr && !mayGo(*access)) return kNever;
  Cycle at = from;
  for (const Reservation& path : paths_) at = std::max(at, path.free(at));
  return sending_.free(at);
}

void LoadStoreUnit::collectConstants(unsigned slot, const StaticInstruction& instruction,
                                     Cycle lines, Cycle now) {
  pipelines_.take(IssueKind::Constant, now, 1);
  pipelines_.holdPlace(now);
  collectors_.push({nullptr, slot, &instruction, lines});
}

void LoadStoreUnit::grant(Cycle now) {
  if (sending_.free(now) != now || (replays_.waiting() && replays_.next(now) == now)) return;
  WarpAccess* access =
      subcores_.grant(now, [&](const WarpAccess& one) { return accepts(one, now); });
  if (access == nullptr) return;
  client_.changing(now);
  pipelines_.open(slotsOf_[schedulers_.of(access->slot)]);
  sendFirst(*access, now);
}

// Returns the oldest access whose path accepts. A full path holds up its own accesses and those
// that must not overtake them, no others.
WarpAccess* LoadStoreUnit::firstToGo(Cycle now) const {
  WarpAccess* first = nullptr;
  for (unsigned path = 0; path < kMemoryPaths; ++path) {
    if (queues_[path].empty() || paths_[path].free(now) != now) continue;
    WarpAccess* const front = queues_[path].front();
    if (!mayGo(*front)) continue;
    if (first == nullptr || front->sequence < first->sequence) first = front;
  }
  return first;
}

Cycle LoadStoreUnit::queueNext(Cycle from) const {
  if (subcores_.used()) {
    return subcores_.next(sending_.free(from), [&](const WarpAccess& access, Cycle at) {
      const auto path = static_cast<unsigned>(pathOf(access.instruction.space));
      return mayGo(access) ? sending_.free(paths_[path].free(at)) : kNever;
    });
  }
  if (collectors_.used()) return collectorsNext(from);
  Cycle least = kNever;
  for (unsigned path = 0; path < kMemoryPaths; ++path) {
    if (!queues_[path].empty() && mayGo(*queues_[path].front()))
      least = std::min(least, sending_.free(paths_[path].free(from)));
  }
  return least;
}

void LoadStoreUnit::pathFree(MemoryPath path, Cycle at) {
  const Cycle now = domain_.now();
  client_.changing(now);
  paths_[static_cast<unsigned>(path)].release(at);
  if (!waits_) pipelines_.release(path, at);
  client_.accepting(path, at);
  if (watch_ != nullptr) watch_->pathFree(path == MemoryPath::Shared, at);
  client_.wake(std::max(at, now));
}

}  // namespace fermata
