#include <fermata/models/core/warp_scheduler.h>
#include <fermata/models/vocabulary/error.h>

#include <algorithm>

namespace fermata {

WarpScheduler::WarpScheduler(const Parameters& parameters, unsigned slots, ClockDomain& domain,
                             CtaTable& ctas, IssueStage& stage, Probe* probe)
    : parameters_(parameters),
      domain_(domain),
      ctas_(ctas),
      stage_(stage),
      probe_(probe),
      slots_(slots),
      scoreboard_(parameters.pipelines.guardLatency),
      reorder_(slots, parameters.reorderBuffer),
      holds_(reorder_.used() || parameters.loadStore.subcore.queue != 0 ||
             parameters.suspendsWaits || parameters.atomicsWait || parameters.atomicsPassAddress ||
             parameters.pipelines.groupInterval != 0 || parameters.loadStore.spacing != 0),
      barriers_(slots),
      gate_(parameters.pipelines.arrivalInterval),
      clusters_(parameters.cluster.exists() ? slots : 0),
      pipelines_(makePipelines()),
      loadStore_(domain, parameters.loadStore,
                 SchedulerMap(parameters.schedulers, parameters.wavefrontWarps), pipelines_, *this,
                 probe),
      instructions_(parameters.instructions),
      constants_(parameters.constantLine == 0 ? 0
                                              : parameters.constantBytes / parameters.constantLine),
      products_(parameters.pipelines.tensorMemory),
      copies_(loadStore_, products_, parameters.bulkEngine.multicastLatency),
      engine_(parameters.bulkEngine),
      picker_(parameters, slots, warps_, pipelines_, loadStore_.replays()),
      execution_(makeExecution(parameters, loadStore_, pipelines_, *this, probe)),
      ticks_(execution_->ticks()),
      groupProducts_(execution_->takesCopies() && parameters.pipelines.groupInterval != 0 ? slots
                                                                                          : 0) {
  if (parameters.pipelines.collectors.exist()) warps_.kindsBehindCollectors(parameters.pipelines);
}

// Returns the next due cycle of copies and of the execution. Kept out of line: a caller that has
// neither then keeps no registers for it.
[[gnu::noinline]] Cycle WarpScheduler::dueBesides(Cycle from) const {
  Cycle due = copies_.none() ? kNever : copies_.due(from);
  if (!engine_.empty()) due = std::min(due, engineDue(engine_, from));
  if (!products_.empty()) due = std::min(due, engineDue(products_, from));
  if (!ticks()) return due;
  // Ends must be told on time if a CTA can retire with its last one, or if a barrier that opens can
  // fetch an instruction.
  const bool whenFree = ctas_.exited() == 0 && !instructions_.exists();
  return std::min(due, execution_->next(from, whenFree));
}

// True if the next instruction must wait for earlier ones, even if its registers are ready.
// Precondition: the warp has an access without a response, or an instruction in the pipeline.
bool WarpScheduler::held(unsigned slot, const StaticInstruction& next) const {
  if (execution_->holds(slot) || (awaitsAtomic_ & slotBit(slot)) != 0) return true;
  if (next.instructionClass == InstructionClass::Memory) return loadStore_.holdsMemory(slot);
  if (next.groupsLeft != StaticInstruction::kAnyGroups) return awaitsCopies(slot, next);
  // Instructions below do not wait for copies, so copies do not count here.
  const auto awaitsOthers = [&] { return pending_[slot] != copies_.count(slot); };
  if (next.instructionClass == InstructionClass::Barrier)
    return loadStore_.holdsBarrier(slot) && awaitsOthers();
  return next.fence && awaitsOthers();
}

Cycle WarpScheduler::unheldAt(unsigned slot, const StaticInstruction& next, Cycle from) {
  asleep_ &= ~slotBit(slot);
  if (__builtin_expect(static_cast<long>(next.suspends), 0) != 0) from = asleepUntil(slot, from);
  if (reorder_.used()) from = std::max(from, reorder_.free(slot));
  return sources_.free(slot, next, from);
}

// True for an atomic that does not wait for its first register, that of its address.
inline bool WarpScheduler::passesAddress(const StaticInstruction& next) const {
  return parameters_.atomicsPassAddress && next.addressRead &&
         next.operation == MemoryOperation::Atomic &&
         next.instructionClass == InstructionClass::Memory;
}

inline Cycle WarpScheduler::readyAt(unsigned slot, const StaticInstruction& next, Cycle notBefore) {
  if (holds_) notBefore = unheldAt(slot, next, notBefore);
  if (pending_[slot] != 0 && held(slot, next)) return kNever;
  if (holds_ && passesAddress(next)) return std::max(notBefore, scoreboard_.ready(slot, next, 1));
  if (holds_ && groupProducts_.takes(next) && !reorder_.used())
    return std::max(notBefore, groupProducts_.room(slot, next));
  return std::max(notBefore, scoreboard_.ready(slot, next));
}

Cycle WarpScheduler::asleepUntil(unsigned slot, Cycle from) {
  if (!parameters_.suspendsWaits) return from;
  const std::uint64_t nanoseconds = workload_->sleep(firstSlot_ + slot);
  if (nanoseconds == 0) return from;
  asleep_ |= slotBit(slot);
  return from +
         domain_.clock().cycles(sc_core::sc_time(static_cast<double>(nanoseconds), sc_core::SC_NS));
}

void WarpScheduler::wakeSleepers(Cycle now) {
  for (SlotMask m = asleep_; m != 0; m &= m - 1) {
    const unsigned slot = lowestSlot(m);
    if (workload_->sleep(firstSlot_ + slot) != 0) continue;
    notBefore_[slot] = std::max(notBefore_[slot], now + 1);
    holdChanged(slot);
  }
}

// Looks at the warp's next instruction, which cannot issue before `notBefore`. Inline: called for
// every instruction.
inline void WarpScheduler::lookAhead(unsigned slot, Cycle notBefore, Cycle now) {
  const StaticInstruction* next = workload_->peek(firstSlot_ + slot);
  if (next == nullptr) return exit(slot, now);
  if (instructions_.exists())
    notBefore = instructions_.fetch(slot, gridOf_[slot]->program, next->pc, notBefore, now);
  notBefore_[slot] = notBefore;
  const Cycle ready = readyAt(slot, *next, notBefore);
  warps_.set(slot, next, ready);
  tellWait(slot, next, ready);
}

void WarpScheduler::fetched(std::uint64_t address, Cycle now) {
  changing(now);
  instructions_.fetched(address, now, [&](unsigned slot, Cycle at) {
    notBefore_[slot] = at;
    holdChanged(slot);
  });
  if (!coldConstants_.empty()) takeConstants(now);
  if (loadStore_.collectsConstants()) loadStore_.retryConstants();
  wake(now);
}

void WarpScheduler::startCta(const Cta& cta, std::shared_ptr<ResidentCluster> cluster, Cycle now) {
  barriers_.startCta(cta.first, cta.warps);
  std::fill_n(gridOf_.begin() + cta.first, cta.warps, cta.grid);
  if (!clusters_.empty()) startCluster(cta, std::move(cluster));
  const Cycle start = std::max(now, cta.free);
  const unsigned turn = instructions_.fetchesFirst(cta.first, cta.warps) - cta.first;
  for (unsigned i = 0; i < cta.warps; ++i) {
    const unsigned slot = cta.first + (turn + i) % cta.warps;
    scoreboard_.clear(slot);
    if (reorder_.used()) reorder_.clear(slot);
    picker_.started(slot);
    lookAhead(slot, start, now);
    starts_[slot] = start;
  }
  allStarted_ = std::max(allStarted_, start);
  setWaiting(warps_.live() != 0);
}

bool WarpScheduler::issue(unsigned scheduler, Cycle now, Cycle lost) {
  const SlotMask ready = warps_.issuable(picker_.slotsOf(scheduler), pipelines_, now);
  if (ready == 0) return false;
  const unsigned slot = picker_.pick(scheduler, unspaced(ready, now), now);
  if (slot == WarpPicker::kNone) return false;
  issueFrom(slot, now, lost);
  return true;
}

// Drops memory instructions from `ready` while they must keep their distance, unless nothing else
// is ready.
inline SlotMask WarpScheduler::unspaced(SlotMask ready, Cycle now) const {
  if (!execution_->spaces(now)) return ready;
  const SlotMask others = ready & ~warps_.wantingMemory();
  return others != 0 ? others : ready;
}

void WarpScheduler::issueFrom(unsigned slot, Cycle now, Cycle lost) {
  const StaticInstruction& instruction = *warps_.next(slot);
  const IssueKind kind = warps_.kind(slot);
  if (kind >= IssueKind::Shared) {
    picker_.issues(slot, instruction);
    executeAccess(slot, instruction, kind, now);
  } else {
    execute(slot, instruction, kind, now);
  }
  ++issued_;
  if (probe_ != nullptr)
    probe_->issued({now - started_, slot, *gridOf_[slot], instruction, lastActive_, lost});
  if (__builtin_expect(watch_ != nullptr, 0) != 0 && lastCompletes_ != kNever)
    watch_->completed(slot, instruction, lastCompletes_);
  if (instruction.instructionClass == InstructionClass::Barrier && lastActive_ != 0) {
    warps_.hold(slot);
    if (watch_ != nullptr) watch_->waitsAtBarrier(slot, scratch_.barrier, now);
    arrivals_[slot] = {scratch_.barrier, scratch_.barrierWaits, scratch_.barrierThreads};
    if (lastCompletes_ != kNever) arriveAtBarrier(slot, lastCompletes_);
  } else if ((unanswered_ & slotBit(slot)) != 0) {
    notBefore_[slot] = now + 1;
    warps_.set(slot, &instruction, kNever);  // until responded()
    if (watch_ != nullptr) watch_->waits({slot, nullptr, kNever}, now);
  } else {
    // Nothing of the warp issues behind a branch before its target is known.
    const bool branch = instruction.instructionClass == InstructionClass::Branch;
    if (__builtin_expect(static_cast<long>(parameters_.atomicsWait), 0) != 0 && !branch &&
        instruction.operation == MemoryOperation::Atomic)
      return awaitAtomic(slot, now);
    lookAhead(slot, now + (branch ? pipelines_.timing(InstructionClass::Branch).latency : 1), now);
  }
}

// Lets nothing of the warp issue before its atomic, which has just issued, is over: the cycle
// before its registers are there. The next instruction is fetched meanwhile.
void WarpScheduler::awaitAtomic(unsigned slot, Cycle now) {
  const Cycle over = lastCompletes_;
  if (over == kNever) awaitsAtomic_ |= slotBit(slot);
  lookAhead(slot, now + 1, now);
  if (over == kNever || notBefore_[slot] == kNever) return;
  notBefore_[slot] = std::max(notBefore_[slot], over - 1);
  holdChanged(slot);
}

// Records that the results of an instruction arrive in cycle `at`; kNever: not known yet.
inline void WarpScheduler::complete(unsigned slot, const StaticInstruction& instruction, Cycle at) {
  scoreboard_.write(slot, instruction, at);
  if (at == kNever) return;
  Cta& cta = ctas_.ofSlot(slot);
  cta.retires = std::max(cta.retires, at);
}

inline void WarpScheduler::record(unsigned slot, const StaticInstruction& instruction, Cycle at,
                                  std::uint64_t access) {
  if (at == kNever) await(slot);
  if (reorder_.used()) reorder_.issue(slot, at, access);
  lastCompletes_ = at;
  complete(slot, instruction, at);
}

void WarpScheduler::execute(unsigned slot, const StaticInstruction& instruction, IssueKind kind,
                            Cycle now) {
  workload_->execute(firstSlot_ + slot, scratch_);
  lastActive_ = scratch_.active;
  Cycle behind = 0;
  if (kind == IssueKind::Tensor || kind == IssueKind::GroupProduct) {
    requireUnits(slot, instruction);
    if (groupProducts_.takes(instruction) && lastActive_ != 0)
      return record(slot, instruction, handProduct(slot, instruction, now));
    if (isTensorAccess(instruction)) behind = queueBehind(slot, instruction, now);
  } else if (kind == IssueKind::Constant && loadStore_.collectsConstants() && !reorder_.used()) {
    collectConstants(slot, instruction, now);
    return record(slot, instruction, kNever);
  } else if (kind == IssueKind::Constant && parameters_.constantLine != 0) {
    behind = furtherConstants(instruction);
  }
  const bool arrives =
      instruction.instructionClass == InstructionClass::Barrier && lastActive_ != 0;
  Cycle at = execution_->issue(slot, instruction, kind, arrives, now) + behind;
  if (kind == IssueKind::Constant) at = constantsCome(slot, instruction, at, behind, now);
  // Warps of a warpgroup meet as they issue: no unit tells one of another.
  if (arrives && scratch_.barrier == BarrierUnit::kGroupBarrier &&
      scratch_.barrierThreads == BarrierUnit::kGroupThreads && at != kNever)
    at = now + 1;
  record(slot, instruction, at);
}

// Returns how many cycles an access to tensor memory waits behind others by warps that reach the
// same lanes.
Cycle WarpScheduler::queueBehind(unsigned slot, const StaticInstruction& instruction, Cycle now) {
  Cycle& free = tensorLanes_[(slot - ctas_.ofSlot(slot).first) % tensorLanes_.size()];
  const Cycle begin = std::max(now, free);
  free = begin + parameters_.pipelines.tensorMemory.held(
                     instruction.operation == MemoryOperation::Store, instruction.tensorWork);
  return begin - now;
}

void WarpScheduler::requireUnits(unsigned slot, const StaticInstruction& instruction) const {
  const char* const missing = pipelines_.missingFor(instruction);
  if (missing != nullptr) throw MissingUnits(nameOf(slot, instruction) + ' ' + missing);
}

// Returns "FILE:LINE: kernel 'NAME': 'OPCODE'", as far as it is known.
std::string WarpScheduler::nameOf(unsigned slot, const StaticInstruction& instruction) const {
  const Grid& grid = *gridOf_[slot];
  const InstructionText text = workload_->instructionText(grid.program, instruction.pc);
  const std::string place = text.place();
  return (place.empty() ? "" : place + ": ") + "kernel '" + grid.kernel + "': '" + text.opcode +
         "'";
}

void WarpScheduler::executeAccess(unsigned slot, const StaticInstruction& instruction,
                                  IssueKind kind, Cycle now) {
  WarpAccess& access = loadStore_.port.open();
  workload_->execute(firstSlot_ + slot, access.instruction);
  lastActive_ = access.instruction.active;
  if (holds_) sources_.space(slot, instruction, now + parameters_.loadStore.spacing);
  if (__builtin_expect((asleep_ | spread_) != 0, 0) != 0 && instruction.arrives)
    tellArrival(slot, now);
  if (__builtin_expect(static_cast<long>(instruction.copyStep), 0) != 0)
    return executeCopy(slot, instruction, kind, access, now);
  if (lastActive_ == 0) {  // predicated off in every lane: an issue slot and the port, no more
    loadStore_.port.close(access);
    lastCompletes_ = execution_->issueIdle(slot, instruction, kind, now);
    if (lastCompletes_ == kNever) return record(slot, instruction, kNever);
    if (reorder_.used()) reorder_.issue(slot, lastCompletes_, access.sequence);
    return;
  }
  sign(access, slot, instruction, ctas_.ofSlot(slot));
  if (watch_ != nullptr) watch_->requested(access, now);
  const bool takesOutcome = access.instruction.takesOutcome;
  const Cycle arrives = execution_->issueAccess(access, kind, now);
  if (arrives == kNever && takesOutcome) unanswered_ |= slotBit(slot);
  record(slot, instruction, arrives, access.sequence);
}

// Barriers and the end of warps

// Lets a warp arrive. Without arrivals before it, the warps that this frees could issue in cycle
// `at`. Precondition: the warp is held.
void WarpScheduler::arriveAtBarrier(unsigned slot, Cycle at) {
  Arrival& arrival = arrivals_[slot];
  if (arrival.barrier >= kClusterArrive) return reachClusterBarrier(slot);
  arrival.issued = at - barrierLatency();
  const Cycle passes = gate_.pass(arrival.issued);
  const SlotMask freed = barriers_.arrive(ctas_.ofSlot(slot).first, slot, arrival.barrier,
                                          arrival.threads, arrival.waits);
  if (!arrival.waits) release(slotBit(slot), passes + 1);
  open(freed, passes + barrierLatency());
}

// Lets the warps that a barrier frees go on in cycle `at`, or when the first of them to arrive has
// waited the least time of a barrier.
void WarpScheduler::open(SlotMask freed, Cycle at) {
  const unsigned least = parameters_.pipelines.leastBarrier;
  Cycle first = kNever;
  for (SlotMask m = least == 0 ? 0 : freed; m != 0; m &= m - 1)
    first = std::min(first, arrivals_[lowestSlot(m)].issued);
  release(freed, first == kNever ? at : std::max(at, first + least));
}

void WarpScheduler::release(SlotMask warps, Cycle at) {
  const Cycle now = domain_.now();
  for (; warps != 0; warps &= warps - 1) lookAhead(lowestSlot(warps), at, now);
}

void WarpScheduler::exit(unsigned slot, Cycle now) {
  Cta& cta = ctas_.ofSlot(slot);
  warps_.clear(slot);
  if (watch_ != nullptr) watch_->exited(slot, now);
  setWaiting(warps_.live() != 0);
  picker_.ended(slot);
  ctas_.warpExited(cta);
  cta.retires = std::max(cta.retires, now + 1);
  open(barriers_.exit(cta.first, slot), now + barrierLatency());
  if (!clusters_.empty()) exitCluster(slot);
}

bool WarpScheduler::arrived(const WarpAccess& access, Cycle at) {
  if (__builtin_expect(static_cast<long>(!atBanks_.empty()), 0) != 0 &&
      endVisit(access.sequence, at))
    return false;
  if (!copies_.none() && copies_.arrived(access.sequence, at)) {
    wake(std::max(at, domain_.now()));
    return false;
  }
  if (ticks() && execution_->arrived(access, at)) return false;
  if (reorder_.used()) reorder_.complete(access.slot, access.sequence, at);
  // A try that served no lane has no arrival: it is over now.
  end(access.slot, *access.issuedInstruction, at, at > access.sent ? at : domain_.now());
  if (groupProducts_.exist()) factorsRead(access.slot);
  if (__builtin_expect(static_cast<long>(awaitsAtomic_ != 0), 0) != 0 &&
      access.instruction.operation == MemoryOperation::Atomic) {
    awaitsAtomic_ &= ~slotBit(access.slot);
    notBefore_[access.slot] = std::max(notBefore_[access.slot], at - 1);
  }
  // A next instruction whose cycle is known waits for no access.
  if (warps_.readyAt(access.slot) == kNever || watch_ != nullptr) holdChanged(access.slot);
  return true;
}

// Takes the outcome of a try: the warp may have an urgent instruction now.
void WarpScheduler::responded(const WarpAccess& access, const TryOutcome& outcome) {
  const unsigned slot = access.slot;
  const SlotMask bit = slotBit(slot);
  workload_->responded(firstSlot_ + slot, outcome);
  const StaticInstruction* const next = workload_->peek(firstSlot_ + slot);
  picker_.heard(slot, next != nullptr && next->urgent);
  const bool whole = outcome.lanesLeft() == access.instruction.active;
  leftWhole_ = whole ? leftWhole_ | bit : leftWhole_ & ~bit;
  if ((unanswered_ & bit) == 0) return;  // issue() has not returned yet
  unanswered_ &= ~bit;
  const Cycle now = domain_.now();
  lookAhead(slot, std::max(notBefore_[slot], now), now);
}

void WarpScheduler::holdChanged(unsigned slot) {
  const SlotMask bit = slotBit(slot);
  if ((warps_.live() & ~warps_.waiting() & ~unanswered_ & bit) == 0) return;
  const StaticInstruction& next = *warps_.next(slot);
  const Cycle ready = readyAt(slot, next, notBefore_[slot]);
  warps_.setReady(slot, ready);
  tellWait(slot, &next, ready);
}

void WarpScheduler::end(unsigned slot, const StaticInstruction& one, Cycle at, Cycle over) {
  --pending_[slot];
  --ctas_.ofSlot(slot).pending;
  complete(slot, one, at);
  if (watch_ != nullptr) watch_->completed(slot, one, over);
}

}  // namespace fermata
