#include <fermata/models/core/pipelines.h>

namespace fermata {

Pipelines::Pipelines(const PipelineParameters& parameters) : parameters_(parameters) {
  for (Units& units : resources_) units.resize(1);
  resources_[Alu].resize(std::max(1U, parameters.aluUnits));
  resources_[Special].resize(std::max(1U, parameters.specialUnits));
  resources_[Double].resize(std::max(1U, parameters.doubleUnits));
}

void Pipelines::release(MemoryPath path, Cycle at) {
  units(path).front().release(at);
  busyUntil_ = at;
  for (const Units& all : resources_) {
    for (const Reservation& unit : all) busyUntil_ = std::max(busyUntil_, unit.end());
  }
}

}  // namespace fermata
