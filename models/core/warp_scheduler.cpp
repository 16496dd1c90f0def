#include <fermata/models/core/warp_scheduler.h>

#include <algorithm>

namespace fermata {

namespace {

std::vector<SlotMask> slotsByScheduler(const SchedulerMap& map, unsigned slots) {
  std::vector<SlotMask> masks(map.schedulers(), 0);
  for (unsigned slot = 0; slot < slots; ++slot) masks[map.of(slot)] |= slotBit(slot);
  return masks;
}

StagedIssue::Barrier barrierOf(const WarpInstruction& instruction) {
  return {instruction.barrier, instruction.barrierThreads, instruction.barrierWaits};
}

}  // namespace

WarpScheduler::WarpScheduler(const Parameters& parameters, unsigned slots, ClockDomain& domain,
                             CtaTable& ctas, IssueStage& stage, Probe* probe)
    : parameters_(parameters),
      domain_(domain),
      ctas_(ctas),
      stage_(stage),
      probe_(probe),
      slots_(slots),
      schedulerOf_(parameters.schedulers, parameters.wavefrontWarps),
      reorder_(slots, parameters.reorderBuffer),
      barriers_(slots),
      pipelines_(parameters.pipelines, parameters.loadStore.replay.capacity),
      loadStore_(domain, parameters.loadStore, schedulerOf_, pipelines_, *this, probe),
      instructions_(parameters.instructions),
      schedulerSlots_(slotsByScheduler(schedulerOf_, slots)) {
  const bool own = parameters.policy->make != nullptr;
  const Chosen<WarpPolicy>& picks = own ? parameters.policy : parameters.basePolicy;
  for (unsigned s = 0; s < parameters.schedulers; ++s)
    policies_.push_back(picks.make(parameters.policyValues));
  const PipelineOrganisation organisation = parameters.pipelines.organisation;
  if (!isStaged(organisation)) return;
  StagedIssue::Client& client = *this;
  staged_ = std::make_unique<StagedIssue>(organisation, parameters.staged,
                                          parameters.policy->needs.spacesMemory, loadStore_,
                                          pipelines_, client, probe);
}

void WarpScheduler::start(Workload& workload, unsigned firstSlot, Cycle now) {
  workload_ = &workload;
  firstSlot_ = firstSlot;
  woken_ = kNever;
  started_ = now;
  issued_ = 0;
  leftWhole_ = 0;
  precedence_ = {};
  watch_ = listening(probe_, Probe::Warps);
  loadStore_.listen(listening(probe_, Probe::Ports));
  instructions_.clear();
  for (auto& policy : policies_) policy->reset();
  pipelines_ = Pipelines(parameters_.pipelines, parameters_.loadStore.replay.capacity);
}

void WarpScheduler::beginGrid(const Grid& grid) {
  grid_ = &grid;
  if (staged()) staged_->clear();
  scoreboard_.configure(slots_, grid.registerCount);
}

// Returns the next due cycle of copies and of the staged pipeline. Kept out of line: a caller that
// has neither then keeps no registers for it.
[[gnu::noinline]] Cycle WarpScheduler::dueBesides(Cycle from) const {
  const Cycle due = copies_.none() ? kNever : copiesDue(from);
  if (!staged()) return due;
  // Commits must be told on time if a CTA can retire with its last one, or if a barrier that opens
  // can fetch an instruction.
  const bool whenFree = ctas_.exited() == 0 && !instructions_.exists();
  return std::min(due, staged_->next(from, whenFree));
}

// True if the next instruction must wait for earlier ones, even if its registers are ready.
// Precondition: the warp has an access without a response, or an instruction in the pipeline.
bool WarpScheduler::held(unsigned slot, const StaticInstruction& next) const {
  if (staged() && staged_->holds(slot)) return true;
  if (next.instructionClass == InstructionClass::Memory) return loadStore_.holdsMemory(slot);
  if (next.groupsLeft != StaticInstruction::kAnyGroups) return awaitsCopies(slot, next);
  // Instructions below do not wait for copies, so copies do not count here.
  const auto awaitsOthers = [&] { return pending_[slot] != copies_.count(slot); };
  if (next.instructionClass == InstructionClass::Barrier)
    return loadStore_.holdsBarrier(slot) && awaitsOthers();
  return next.fence && awaitsOthers();
}

inline Cycle WarpScheduler::readyAt(unsigned slot, const StaticInstruction& next,
                                    Cycle notBefore) const {
  if (pending_[slot] != 0 && held(slot, next)) return kNever;
  if (reorder_.used()) notBefore = std::max(notBefore, reorder_.free(slot));
  return std::max(notBefore, scoreboard_.ready(slot, next));
}

inline void WarpScheduler::setNext(unsigned slot, const StaticInstruction* next, Cycle ready) {
  warps_.set(slot, next, ready);
  if (__builtin_expect(watch_ != nullptr, 0) != 0)
    watch_->waits({slot, next, ready}, domain_.now());
}

// Looks at the warp's next instruction, which cannot issue before `notBefore`. Inline: called for
// every instruction.
inline void WarpScheduler::lookAhead(unsigned slot, Cycle notBefore, Cycle now) {
  const StaticInstruction* next = workload_->peek(firstSlot_ + slot);
  if (next == nullptr) return exit(slot, now);
  if (instructions_.exists())
    notBefore = std::max(notBefore, instructions_.fetch(grid_->program, next->pc, now));
  notBefore_[slot] = notBefore;
  setNext(slot, next, readyAt(slot, *next, notBefore));
}

void WarpScheduler::startCta(const Cta& cta, Cycle now) {
  const unsigned warps = ctas_.warpsPerCta();
  barriers_.startCta(cta.first, warps);
  for (unsigned slot = cta.first; slot < cta.first + warps; ++slot) {
    scoreboard_.clear(slot);
    if (reorder_.used()) reorder_.clear(slot);
    policies_[schedulerOf_.of(slot)]->started(slot);
    precedence_.started(slot);
    lookAhead(slot, now, now);
  }
  setWaiting(warps_.live() != 0);
}

bool WarpScheduler::issue(unsigned scheduler, Cycle now, Cycle lost) {
  const SlotMask ready = warps_.issuable(schedulerSlots_[scheduler], pipelines_, now);
  if (ready == 0) return false;
  SlotMask offered = unspaced(ready, now);
  if (__builtin_expect(static_cast<long>(precedence_.matters()), 0) != 0) {
    if (letsBy(scheduler, now)) return false;
    offered = precedence_.among(offered, warps_);
  }
  issueFrom(policies_[scheduler]->pick(offered), now, lost);
  return true;
}

// Returns the scheduler with the most urgent work. Accesses go before other instructions, since all
// schedulers share one port; replays go before new accesses.
[[gnu::noinline]] unsigned WarpScheduler::urgentScheduler(Cycle now) {
  for (unsigned s = 0; s < parameters_.schedulers; ++s) {
    if (letsBy(s, now)) return s;
  }
  const SlotMask urgent = warps_.issuable(precedence_.urgent(), pipelines_, now);
  const SlotMask found = precedence_.urgentAmong(urgent, warps_);
  if (found == 0) return precedence_.turn();
  const SlotMask accesses = found & warps_.wantingMemory();
  return schedulerOf_.of(lowestSlot(accesses != 0 ? accesses : found));
}

// Drops memory instructions from `ready` while they must keep their distance, unless nothing else
// is ready.
inline SlotMask WarpScheduler::unspaced(SlotMask ready, Cycle now) const {
  if (!staged() || !staged_->spaces(now)) return ready;
  const SlotMask others = ready & ~warps_.wantingMemory();
  return others != 0 ? others : ready;
}

// Blames the warps before the first cycle in which one of them has its operands, and the units from
// then on.
IssueWait WarpScheduler::why(unsigned scheduler, Cycle from) const {
  const SlotMask live = schedulerSlots_[scheduler] & warps_.live();
  if (live == 0) return {};
  StagedPipeline::Front front;
  if (staged()) front = staged_->front(from);
  if (front.cause != StallCause::Idle) return {front.cause, front.until};
  const SlotMask running = live & ~warps_.waiting();
  if (running == 0) return {StallCause::Barrier, front.until};
  const WarpTable::Ready ready = warps_.earliestReady(running, from);
  if (ready.at > from) return {StallCause::Scoreboard, std::min(ready.at, front.until)};
  if (staged()) return {StallCause::SafeDistance, front.until};
  return {warps_.blockedBy(ready.slots, pipelines_, from)};
}

void WarpScheduler::issueFrom(unsigned slot, Cycle now, Cycle lost) {
  const StaticInstruction& instruction = *warps_.next(slot);
  const IssueKind kind = warps_.kind(slot);
  if (kind >= IssueKind::Shared) {
    if (__builtin_expect(static_cast<long>(precedence_.isPoll(slot, instruction)), 0) != 0)
      precedence_.polled(slot, instruction, schedulerAfter(slot));
    executeAccess(slot, instruction, kind, now);
  } else {
    execute(slot, instruction, kind, now);
  }
  ++issued_;
  if (probe_ != nullptr) {
    probe_->issued({now - started_, slot, *grid_, instruction, lastActive_, lost});
  }
  if (__builtin_expect(watch_ != nullptr, 0) != 0 && lastCompletes_ != kNever)
    watch_->completed(slot, instruction, lastCompletes_);
  if (instruction.instructionClass == InstructionClass::Barrier && lastActive_ != 0) {
    warps_.hold(slot);
    if (watch_ != nullptr) watch_->waitsAtBarrier(slot, scratch_.barrier, now);
    if (!staged()) arriveAtBarrier(slot, barrierOf(scratch_), now + barrierLatency());
  } else if ((unanswered_ & slotBit(slot)) != 0) {
    notBefore_[slot] = now + 1;
    warps_.set(slot, &instruction, kNever);  // until responded()
    if (watch_ != nullptr) watch_->waits({slot, nullptr, kNever}, now);
  } else {
    // Nothing of the warp issues behind a branch before its target is known.
    const bool branch = instruction.instructionClass == InstructionClass::Branch;
    lookAhead(slot, now + (branch ? pipelines_.timing(InstructionClass::Branch).latency : 1), now);
  }
}

inline void WarpScheduler::record(unsigned slot, const StaticInstruction& instruction, Cycle at,
                                  std::uint64_t access) {
  if (reorder_.used()) reorder_.issue(slot, at, access);
  lastCompletes_ = at;
  complete(slot, instruction, at);
}

void WarpScheduler::execute(unsigned slot, const StaticInstruction& instruction, IssueKind kind,
                            Cycle now) {
  workload_->execute(firstSlot_ + slot, scratch_);
  lastActive_ = scratch_.active;
  if (staged()) return executeStaged(slot, instruction, kind, nullptr, now);
  const ClassTiming timing = kind < IssueKind::Tensor
                                 ? pipelines_.timing(instruction.instructionClass)
                                 : timingApart(instruction, kind);
  pipelines_.take(kind, now, timing.interval);
  record(slot, instruction, now + timing.latency);
}

/// Returns the timing of an instruction for which the class alone does not give it.
ClassTiming WarpScheduler::timingApart(const StaticInstruction& instruction, IssueKind kind) const {
  if (kind == IssueKind::Constant) return {parameters_.constantLatency, 1};
  requireTensorUnits(instruction);
  return pipelines_.timing(instruction);
}

void WarpScheduler::requireTensorUnits(const StaticInstruction& instruction) const {
  const bool ofGroup = instruction.space != MemorySpace::None;
  const bool some = parameters_.pipelines.tensorUnits != 0;
  if (some && (!ofGroup || parameters_.pipelines.groupInterval != 0)) return;
  const InstructionText text = workload_->instructionText(grid_->program, instruction.pc);
  const std::string place = text.place();
  const std::string where = place.empty() ? "" : place + ": ";
  throw MissingUnits(where + "kernel '" + grid_->kernel + "': '" + text.opcode +
                     (some ? "' is of a warp group, and tensor.group_interval is 0"
                           : "' needs tensor units, and pipelines.tensor_units is 0"));
}

void WarpScheduler::executeAccess(unsigned slot, const StaticInstruction& instruction,
                                  IssueKind kind, Cycle now) {
  WarpAccess& access = loadStore_.port.open();
  access.instruction.hasData = false;  // pooled: reset the fields that a producer may leave unset
  access.instruction.takesOutcome = false;
  access.instruction.lock = LockStep::None;
  workload_->execute(firstSlot_ + slot, access.instruction);
  lastActive_ = access.instruction.active;
  if (__builtin_expect(static_cast<long>(instruction.copyStep), 0) != 0)
    return executeCopy(slot, instruction, kind, access, now);
  if (lastActive_ == 0) {  // predicated off in every lane: an issue slot and the port, no more
    loadStore_.port.close(access);
    if (staged()) return executeStaged(slot, instruction, kind, nullptr, now);
    pipelines_.take(kind, now, 1);
    lastCompletes_ = now + 1;
    if (reorder_.used()) reorder_.issue(slot, now + 1, access.sequence);
    return;
  }
  Cta& cta = ctas_.ofSlot(slot);
  sign(access, slot, instruction, cta);
  if (watch_ != nullptr) watch_->requested(access, now);
  const bool takesOutcome = access.instruction.takesOutcome;
  if (staged()) {
    if (takesOutcome) unanswered_ |= slotBit(slot);
    return executeStaged(slot, instruction, kind, &access, now);
  }
  const Cycle arrives = loadStore_.issue(access, kind, now);
  if (arrives == kNever) {
    ++pending_[slot];
    ++cta.pending;
    if (takesOutcome) unanswered_ |= slotBit(slot);
  }
  record(slot, instruction, arrives, access.sequence);
}

void WarpScheduler::executeStaged(unsigned slot, const StaticInstruction& instruction,
                                  IssueKind kind, WarpAccess* access, Cycle now) {
  if (kind == IssueKind::Tensor) requireTensorUnits(instruction);
  ++pending_[slot];
  ++ctas_.ofSlot(slot).pending;
  lastCompletes_ = kNever;
  complete(slot, instruction, kNever);
  const bool barrier = instruction.instructionClass == InstructionClass::Barrier;
  if (barrier && lastActive_ != 0) {
    staged_->issueBarrier(slot, instruction, barrierOf(scratch_), now);
  } else {
    staged_->issue(slot, instruction, kind, access, now);
  }
}

// Lets a warp arrive. The warps that this frees can issue in cycle `at`. Precondition: the warp is
// held.
void WarpScheduler::arriveAtBarrier(unsigned slot, const StagedIssue::Barrier& barrier, Cycle at) {
  const Cta& cta = ctas_.ofSlot(slot);
  const SlotMask freed =
      barriers_.arrive(cta.first, slot, barrier.number, barrier.threads, barrier.waits);
  if (!barrier.waits) release(slotBit(slot), at);
  release(freed, at);
}

void WarpScheduler::release(SlotMask warps, Cycle at) {
  const Cycle now = domain_.now();
  for (; warps != 0; warps &= warps - 1) lookAhead(lowestSlot(warps), at, now);
}

// Records that the results of an instruction arrive in cycle `at`; kNever: not known yet.
void WarpScheduler::complete(unsigned slot, const StaticInstruction& instruction, Cycle at) {
  scoreboard_.write(slot, instruction, at);
  if (at == kNever) return;
  Cta& cta = ctas_.ofSlot(slot);
  cta.retires = std::max(cta.retires, at);
}

void WarpScheduler::exit(unsigned slot, Cycle now) {
  Cta& cta = ctas_.ofSlot(slot);
  warps_.clear(slot);
  if (watch_ != nullptr) watch_->exited(slot, now);
  setWaiting(warps_.live() != 0);
  policies_[schedulerOf_.of(slot)]->ended(slot);
  ctas_.warpExited(cta);
  cta.retires = std::max(cta.retires, now + 1);
  release(barriers_.exit(cta.first), now + barrierLatency());
}

void WarpScheduler::arrived(const WarpAccess& access, Cycle at) {
  if (staged()) return staged_->arrived(access, at);
  if (!copies_.none() && copies_.arrived(access.sequence, at))
    return wake(std::max(at, domain_.now()));
  const unsigned slot = access.slot;
  --pending_[slot];
  --ctas_.ofSlot(slot).pending;
  if (reorder_.used()) reorder_.complete(slot, access.sequence, at);
  complete(slot, *access.issuedInstruction, at);
  if (watch_ != nullptr) {  // a try that served no lane has no arrival: it is over now
    const Cycle over = at > access.sent ? at : domain_.now();
    watch_->completed(slot, *access.issuedInstruction, over);
  }
  holdChanged(slot);
}

void WarpScheduler::responded(const WarpAccess& access, const TryOutcome& outcome) {
  const unsigned slot = access.slot;
  workload_->responded(firstSlot_ + slot, outcome);
  heard(access, outcome);
  if ((unanswered_ & slotBit(slot)) == 0) return;  // issue() has not returned yet
  unanswered_ &= ~slotBit(slot);
  const Cycle now = domain_.now();
  lookAhead(slot, std::max(notBefore_[slot], now), now);
}

// Notes the outcome of a try: the warp may have an urgent instruction now.
void WarpScheduler::heard(const WarpAccess& access, const TryOutcome& outcome) {
  const SlotMask bit = slotBit(access.slot);
  const StaticInstruction* const next = workload_->peek(firstSlot_ + access.slot);
  const bool urgent = next != nullptr && next->urgent;
  precedence_.heard(access.slot, urgent, schedulerAfter(access.slot));
  const bool whole = outcome.lanesLeft() == access.instruction.active;
  leftWhole_ = whole ? leftWhole_ | bit : leftWhole_ & ~bit;
}

void WarpScheduler::holdChanged(unsigned slot) {
  const SlotMask bit = slotBit(slot);
  if ((warps_.live() & ~warps_.waiting() & ~unanswered_ & bit) == 0) return;
  const StaticInstruction& next = *warps_.next(slot);
  setNext(slot, &next, readyAt(slot, next, notBefore_[slot]));
}

void WarpScheduler::ended(unsigned slot, const StaticInstruction& instruction, Cycle at) {
  --pending_[slot];
  --ctas_.ofSlot(slot).pending;
  complete(slot, instruction, at);
  if (watch_ != nullptr) watch_->completed(slot, instruction, at);
}

void WarpScheduler::released(unsigned slot, Cycle at) {
  notBefore_[slot] = std::max(notBefore_[slot], at);
  holdChanged(slot);
}

void WarpScheduler::arrivedAtBarrier(unsigned slot, const StagedIssue::Barrier& barrier, Cycle at) {
  arriveAtBarrier(slot, barrier, at);
}

}  // namespace fermata
