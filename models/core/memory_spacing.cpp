#include <fermata/models/core/memory_spacing.h>

namespace fermata {

MemorySpacing::Foretold MemorySpacing::issued(std::uint32_t pc, unsigned passes, Cycle now) {
  const Foretold foretold = foretell(pc, passes);
  until_ = now + freePasses_ + foretold.degree;
  return foretold;
}

MemorySpacing::Foretold MemorySpacing::foretell(std::uint32_t pc, unsigned passes) {
  switch (parameters_.prediction) {
    case ConflictPrediction::Perfect:
      return {excess(passes), true};
    case ConflictPrediction::None:
      return {};
    case ConflictPrediction::History:
      break;
  }
  const auto found = history_.find(pc);
  return {found.value_or(parameters_.history.degree), found.has_value()};
}

void MemorySpacing::resolved(std::uint32_t program, std::uint32_t pc, const Foretold& foretold,
                             unsigned passes) {
  if (parameters_.prediction != ConflictPrediction::History) return;
  history_.update(pc, excess(passes));
  if (probe_ != nullptr)
    probe_->foretold({program, pc, foretold.found, foretold.degree, excess(passes)});
}

}  // namespace fermata
