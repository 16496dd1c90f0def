#include <fermata/models/core/pipelines.h>

namespace fermata {

Pipelines::Pipelines(const PipelineParameters& parameters) : parameters_(parameters) {
  for (Units& units : resources_) units.resize(1);
  resources_[Alu].resize(std::max(1U, parameters.aluUnits));
  resources_[Special].resize(std::max(1U, parameters.specialUnits));
  resources_[Double].resize(std::max(1U, parameters.doubleUnits));
}

StallCause Pipelines::why(IssueKind kind, Cycle at) const {
  StallCause cause = StallCause::Idle;
  for (unsigned m = kNeeds[static_cast<unsigned>(kind)]; m != 0; m &= m - 1) {
    const auto resource = static_cast<unsigned>(__builtin_ctz(m));
    if (free(resources_[resource], at) > at) cause = stronger(cause, kCauses[resource]);
  }
  return cause;
}

void Pipelines::release(MemoryPath path, Cycle at) {
  units(path).front().release(at);
  busyUntil_ = at;
  for (const Units& all : resources_) {
    for (const Reservation& unit : all) busyUntil_ = std::max(busyUntil_, unit.end());
  }
}

}  // namespace fermata
