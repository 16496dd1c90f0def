#include <fermata/models/core/pipelines.h>

namespace fermata {

Pipelines::Pipelines(const PipelineParameters& parameters, unsigned replayEntries, bool queues)
    : needs_(isStaged(parameters.organisation) ? kInOrderNeeds : kDecoupledNeeds),
      causes_(isStaged(parameters.organisation) ? kInOrderCauses : kDecoupledCauses),
      entries_(replayEntries),
      parameters_(parameters) {
  parameters_.of(InstructionClass::Multiply) = parameters_.of(InstructionClass::Integer);
  if (!isStaged(parameters.organisation)) addUnits();
  for (unsigned k = 0; k < kIssueKinds; ++k) {
    if (queues && (kAccessKinds >> k & 1) != 0) needs_[k] &= ~(1U << Port);
  }
  for (unsigned k = 0; k < kIssueKinds; ++k) {
    for (unsigned r = 0; r < kResources; ++r) neededBy_[r] |= (needs_[k] >> r & 1) << k;
  }
}

void Pipelines::addUnits() {
  const CollectorParameters& collectors = parameters_.collectors;
  const bool collect = collectors.exist();
  pools_[Alu] = UnitPool(std::max(1U, collect ? collectors.alu : parameters_.aluUnits));
  if (parameters_.integerUnits == 0) {
    poolOf_[static_cast<unsigned>(IssueKind::Integer)] = Alu;
    needs_[static_cast<unsigned>(IssueKind::Integer)] = 1U << Alu;
  } else {
    pools_[Integer] = UnitPool(std::max(1U, collect ? collectors.alu : parameters_.integerUnits));
  }
  pools_[Special] = UnitPool(std::max(1U, collect ? collectors.special : parameters_.specialUnits));
  if (parameters_.doubleUnits == 0) {
    poolOf_[static_cast<unsigned>(IssueKind::Double)] = Special;
    needs_[static_cast<unsigned>(IssueKind::Double)] = 1U << Special;
  } else {
    pools_[Double] = UnitPool(std::max(1U, collect ? collectors.special : parameters_.doubleUnits));
  }
  pools_[Tensor] = UnitPool(std::max(1U, parameters_.tensorUnits));
  pools_[Entry] = UnitPool(std::max(1U, entries_));
  if (collectors.memory != 0) addPlaces(collectors.memory);
  for (const IssueKind kind : {IssueKind::Shared, IssueKind::Global, IssueKind::Generic}) {
    if (entries_ != 0) needs_[static_cast<unsigned>(kind)] |= 1U << Entry;
  }
}

/// Lets memory instructions wait for their path behind the issue stage, in as many places.
void Pipelines::addPlaces(unsigned places) {
  pools_[Entry] = UnitPool(places);
  for (unsigned k = 0; k < kIssueKinds; ++k) {
    if ((kMemoryKinds >> k & 1) != 0) needs_[k] = 1U << Port | 1U << Entry;
  }
}

void Pipelines::releasePlace(Cycle at) {
  pools_[Entry].releaseOne(at);
  findEnd();
}

void Pipelines::addGates(const SchedulerMap& schedulers) {
  gates_.emplace(schedulers);
  gated_ = ~SlotMask{0};
  constexpr unsigned kConstant = static_cast<unsigned>(IssueKind::Constant);
  constexpr unsigned kFree = ((1U << kArithmeticKinds) - 1) | 1U << kConstant;
  for (unsigned k = 0; k < kIssueKinds; ++k) {
    if ((kFree >> k & 1) != 0) needs_[k] = 0;
  }
  for (unsigned& kinds : neededBy_) kinds &= ~kFree;
}

const char* Pipelines::missingFor(const StaticInstruction& instruction) const {
  if (isTensorAccess(instruction)) {
    return parameters_.tensorMemory.exists()
               ? nullptr
               : "needs tensor memory, as sm_100 has, and tensor_memory.load_latency is 0";
  }
  if (parameters_.tensorUnits == 0) return "needs tensor units, and pipelines.tensor_units is 0";
  const bool ofGroup = instruction.space != MemorySpace::None;
  if (ofGroup && parameters_.groupInterval == 0)
    return "is of a warp group, and tensor.group_interval is 0";
  return nullptr;
}

void Pipelines::takeEntries(Cycle now, Cycle until) {
  pools_[Entry].take(now, now, until);
  end_ = std::max(end_, pools_[Entry].end());
}

void Pipelines::releaseEntry(Cycle at) {
  if (entries_ == 0) return;
  pools_[Entry].releaseOne(at);
  findEnd();
}

void Pipelines::release(MemoryPath path, Cycle at) {
  pool(path).release(at);
  findEnd();
}

void Pipelines::findEnd() {
  end_ = shut_ != 0 ? kNever : gateEnd_;
  for (const UnitPool& pool : pools_) end_ = std::max(end_, pool.end());
}

}  // namespace fermata
