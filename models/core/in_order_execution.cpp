#include <fermata/models/core/in_order_execution.h>

#include <fermata/models/core/core_parameters.h>

#include <algorithm>
#include <numeric>
#include <utility>

namespace fermata {

InOrderExecution::InOrderExecution(const WarpSchedulerParameters& parameters,
                                   LoadStoreUnit& loadStore, Pipelines& pipelines, Client& client,
                                   Probe* probe)
    : parameters_(parameters.inOrder),
      loadStore_(loadStore),
      pipelines_(pipelines),
      client_(client),
      pipeline_(parameters.pipelines.organisation, parameters_.stages) {
  if (!parameters.policy->needs.spacesMemory) return;
  spacing_.emplace(parameters_.spacing, parameters_.stages.subwarps(), probe);
  maySpace_ = spacing_->letsThrough();
}

void InOrderExecution::beginGrid() {
  if (spacing_) spacing_->clear();
}

// Tells the pipelines from which cycle an instruction can issue, as far as is known now. The cycle
// moves on whenever the front end stands still.
void InOrderExecution::takeSlots() {
  const bool spaced = spacing_ && !spacing_->letsThrough();
  const Cycle apart = spaced ? spacing_->until() + pipeline_.stalls() : 0;
  pipelines_.setFrontEnd(pipeline_.free(), apart);
}

// Commits need not be told before the front end takes an instruction.
Cycle InOrderExecution::next(Cycle from, bool whenFree) const {
  if (pipeline_.hasCommits()) return from;
  const Cycle access = pipeline_.nextAccess();
  const Cycle free = whenFree ? pipeline_.free() : 0;
  const Cycle next =
      access <= free ? access : std::min(access, std::max(free, pipeline_.nextCommit()));
  return std::max(from, next);
}

// Issue

InOrderExecution::InFlight& InOrderExecution::enter(unsigned slot,
                                                    const StaticInstruction& instruction,
                                                    StagedPipeline::Kind kind, Cycle now,
                                                    unsigned passes) {
  const Id id = pipeline_.issue(kind, now, passes);
  if (id >= inFlight_.size()) inFlight_.resize(id + 1);
  InFlight& one = inFlight_[id];
  one = InFlight();
  one.slot = slot;
  one.instruction = &instruction;
  one.holds = holdsBehind(instruction);
  if (one.holds) {
    ++holders_[slot];
    holding_ |= slotBit(slot);
  }
  return one;
}

bool InOrderExecution::holdsBehind(const StaticInstruction& instruction) const {
  if (parameters_.barrel == BarrelProcessing::Strict) return true;
  if (instruction.instructionClass == InstructionClass::Branch) return true;
  return parameters_.commit == CommitOrder::InOrder &&
         instruction.instructionClass == InstructionClass::Memory;
}

Cycle InOrderExecution::issue(unsigned slot, const StaticInstruction& instruction, IssueKind kind,
                              bool arrives, Cycle now) {
  using Kind = StagedPipeline::Kind;
  const bool unit = parameters_.stages.unitCycles != 0 &&
                    (kind == IssueKind::Special || kind == IssueKind::Double);
  InFlight& one = unit ? enter(slot, instruction, Kind::Memory, now, parameters_.stages.unitCycles)
                       : enter(slot, instruction, isMemory(kind) ? Kind::Memory : Kind::Other, now);
  one.arrives = arrives;
  takeSlots();
  return kNever;
}

Cycle InOrderExecution::issueAccess(WarpAccess& access, IssueKind, Cycle now) {
  InFlight& one = enter(access.slot, *access.issuedInstruction, StagedPipeline::Kind::Access, now);
  one.access = &access;
  one.answered = kNever;
  one.shared = pathOf(access.instruction.space) == MemoryPath::Shared;
  loadStore_.accept(access);
  if (one.shared && spacing_) space(one, now);
  takeSlots();
  return kNever;
}

void InOrderExecution::space(InFlight& one, Cycle now) {
  unsigned passes = 0;
  if (spacing_->perfect()) {
    loadStore_.port.foresee(*one.access);
    const MemoryPort::Sent asForeseen{true, one.access->passes, true, 0};
    passes = passesOf(serviceOf(*one.access, asForeseen));
  }
  one.foretold = spacing_->issued(one.access->instruction.pc, passes, pipeline_.frontTime(now));
}

// To memory

void InOrderExecution::deliver(Cycle now) {
  if (const std::optional<Id> id = pipeline_.reached()) {
    send(*id, now);
    takeSlots();
  }
  for (const StagedPipeline::Commit& commit : pipeline_.commits()) {
    inFlight_[commit.id].committed = commit.at;
    settle(commit.id);
  }
  pipeline_.commits().clear();
}

void InOrderExecution::send(Id id, Cycle now) {
  InFlight& one = inFlight_[id];
  WarpAccess& access = *one.access;
  const MemoryPort::Sent sent = loadStore_.start(access, now);
  const StagedPipeline::Service service = serviceOf(access, sent);
  pipeline_.serve(service);
  if (!sent.accepted) unaccepted_[static_cast<unsigned>(pathOf(access.instruction.space))] = id;
  if (one.shared && spacing_)
    spacing_->resolved(access.program, access.instruction.pc, one.foretold, passesOf(service));
  waiting_.push_back(id);
  if (sent.served) loadStore_.end(access, sent.arrives);
}

unsigned InOrderExecution::passesOf(const StagedPipeline::Service& service) const {
  const auto* const passes = service.passes.data();
  return std::accumulate(passes, passes + parameters_.stages.subwarps(), 0U);
}

// Divides the passes of an access among its subwarps. A subwarp takes the passes of its lane
// groups, at least one. Cycles that the path takes beyond them go to the last subwarp. For a global
// access, which the whole warp makes at once, these are all but one per subwarp.
StagedPipeline::Service InOrderExecution::serviceOf(const WarpAccess& access,
                                                    const MemoryPort::Sent& sent) const {
  const unsigned subwarps = parameters_.stages.subwarps();
  const bool shared = pathOf(access.instruction.space) == MemoryPath::Shared;
  StagedPipeline::Service service;
  service.passes.fill(1);
  service.accepted = sent.accepted;
  if (!shared) {
    const bool load = access.instruction.operation != MemoryOperation::Store;
    service.exit = load ? StagedPipeline::Exit::Return : StagedPipeline::Exit::Leave;
    service.cause = StallCause::MemoryPort;
  } else if (access.groups >= subwarps) {
    const unsigned each = access.groups / subwarps;
    for (unsigned g = 0, s = 0; s < subwarps; ++s) {
      unsigned passes = 0;
      for (unsigned k = 0; k < each; ++k) passes += access.groupPasses[g++];
      service.passes[s] = std::max(1U, passes);
    }
  }
  const auto takes = static_cast<unsigned>(sent.occupancy);
  const unsigned sum = passesOf(service);
  if (takes > sum) service.passes[subwarps - 1] += takes - sum;
  return service;
}

void InOrderExecution::accepting(MemoryPath path, Cycle at) {
  pipeline_.accepted(unaccepted_[static_cast<unsigned>(path)], at);
  takeSlots();
}

// Back

InOrderExecution::Id InOrderExecution::idOf(const WarpAccess& access) const {
  return *std::find_if(waiting_.begin(), waiting_.end(),
                       [&](Id id) { return inFlight_[id].access == &access; });
}

bool InOrderExecution::arrived(const WarpAccess& access, Cycle at) {
  const Id id = idOf(access);
  waiting_.erase(std::find(waiting_.begin(), waiting_.end(), id));
  InFlight& one = inFlight_[id];
  one.access = nullptr;
  const bool comesBack = !one.shared && access.instruction.operation != MemoryOperation::Store;
  one.answered = comesBack ? 0 : at;
  if (comesBack) {
    pipeline_.returned(id, at);
  } else if (one.committed != kNever) {
    settle(id);
  }
  return true;
}

// Settles a committed instruction. An access to shared memory must be answered first. A store to
// global memory lets its warp go on now, and ends when it is answered.
void InOrderExecution::settle(Id id) {
  InFlight& one = inFlight_[id];
  const bool answered = one.answered != kNever;
  if (!answered && one.shared) return;
  const unsigned slot = one.slot;
  const Cycle at = answered ? std::max(one.committed, one.answered) : one.committed;
  const bool held = std::exchange(one.holds, false);
  if (held && --holders_[slot] == 0) holding_ &= ~slotBit(slot);
  if (answered) client_.ended(slot, *one.instruction, at);
  client_.released(slot, held ? at : 0);
  if (one.arrives) client_.arrivedAtBarrier(slot, at);
  if (answered) pipeline_.release(id);
}

}  // namespace fermata
