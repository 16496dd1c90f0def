#include <fermata/models/core/pipelines.h>

namespace fermata {

Pipelines::Pipelines(const PipelineParameters& parameters, unsigned replayEntries)
    : staged_(isStaged(parameters.organisation)),
      needs_(kNeeds),
      entries_(replayEntries),
      parameters_(parameters) {
  pools_[Alu] = UnitPool(std::max(1U, parameters.aluUnits));
  pools_[Special] = UnitPool(std::max(1U, parameters.specialUnits));
  pools_[Double] = UnitPool(std::max(1U, parameters.doubleUnits));
  pools_[Tensor] = UnitPool(std::max(1U, parameters.tensorUnits));
  pools_[Entry] = UnitPool(std::max(1U, entries_));
  for (const IssueKind kind : {IssueKind::Shared, IssueKind::Global, IssueKind::Generic}) {
    if (entries_ != 0) needs_[static_cast<unsigned>(kind)] |= 1U << Entry;
  }
  for (unsigned k = 0; k < kIssueKinds; ++k) {
    for (unsigned r = 0; r < kResources; ++r) neededBy_[r] |= (needs_[k] >> r & 1) << k;
  }
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
  end_ = std::max(frontEnd_, spacing_);
  for (const UnitPool& pool : pools_) end_ = std::max(end_, pool.end());
}

}  // namespace fermata
