#include <fermata/models/core/pipelines.h>

namespace fermata {

IssueKind issueKind(const StaticInstruction& instruction) {
  switch (instruction.instructionClass) {
    case InstructionClass::Special:
      return IssueKind::Special;
    case InstructionClass::Double:
      return IssueKind::Double;
    case InstructionClass::Memory:
      break;
    default:
      return IssueKind::Alu;
  }
  switch (instruction.space) {
    case MemorySpace::Constant:
    case MemorySpace::Parameter:
      return IssueKind::Constant;
    case MemorySpace::Shared:
      return IssueKind::Shared;
    case MemorySpace::Generic:
      return IssueKind::Generic;
    default:
      return IssueKind::Global;
  }
}

Pipelines::Pipelines(const PipelineParameters& parameters) : parameters_(parameters) {
  for (Units& units : resources_) units.resize(1);
  resources_[Alu].resize(std::max(1U, parameters.aluUnits));
  resources_[Special].resize(std::max(1U, parameters.specialUnits));
  resources_[Double].resize(std::max(1U, parameters.doubleUnits));
}

void Pipelines::take(IssueKind kind, Cycle now, Cycle interval) {
  const unsigned resource = isMemory(kind) ? Port : static_cast<unsigned>(kind);
  Units& units = resources_[resource];
  const auto unit = std::find_if(units.begin(), units.end(),
                                 [&](const Reservation& u) { return u.free(now) == now; });
  if (unit == units.end()) return;
  unit->take(now, now, now + interval);
  busyUntil_ = std::max(busyUntil_, now + interval);
}

void Pipelines::release(MemoryPath path, Cycle at) {
  units(path).front().release(at);
  busyUntil_ = at;
  for (const Units& all : resources_) {
    for (const Reservation& unit : all) busyUntil_ = std::max(busyUntil_, unit.end());
  }
}

}  // namespace fermata
