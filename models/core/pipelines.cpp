#include <fermata/models/core/pipelines.h>

namespace fermata {

Pipelines::Pipelines(const PipelineParameters& parameters)
    : parameters_(parameters), needs_(kNeeds) {
  pools_[Alu] = UnitPool(std::max(1U, parameters.aluUnits));
  pools_[Special] = UnitPool(std::max(1U, parameters.specialUnits));
  pools_[Double] = UnitPool(std::max(1U, parameters.doubleUnits));
  for (unsigned k = 0; k < kIssueKinds; ++k) {
    for (unsigned r = 0; r < kResources; ++r) neededBy_[r] |= (needs_[k] >> r & 1) << k;
  }
}

void Pipelines::release(MemoryPath path, Cycle at) {
  pool(path).release(at);
  end_ = 0;
  for (const UnitPool& pool : pools_) end_ = std::max(end_, pool.end());
}

}  // namespace fermata
