#include <fermata/platforms/cudart/sampled_grid.h>

namespace fermata::cudart {

const Grid* SampledGrid::nextGrid() {
  const Grid* const grid = WorkloadDecorator::nextGrid();
  if (grid == nullptr) return nullptr;
  grid_ = *grid;
  allCtas_ = grid->ctas;
  return &grid_;
}

void SampledGrid::endCta(unsigned firstSlot) {
  WorkloadDecorator::endCta(firstSlot);
  if (++ended_ % wave_ == 0 && !steady_) endWave();
}

void SampledGrid::endWave() {
  const Counters::Totals& sums = counters_.totals();
  rate_.add({instructions_, {model_->cycles(), sums.sharedAccesses(), sums.bankConflictCycles()}});
  steady_ = rate_.isSteady();
  if (steady_) grid_.ctas = started_ + (allCtas_ - started_) % wave_;
}

void SampledGrid::execute(unsigned slot, WarpInstruction& out) {
  const InstructionClass its = WorkloadDecorator::peek(slot)->instructionClass;
  WorkloadDecorator::execute(slot, out);
  counts_.add(its, out);
  ++instructions_;
}

void SampledGrid::beginAtomic(unsigned slot, WarpInstruction& out) {
  WorkloadDecorator::beginAtomic(slot, out);
  counts_.add(InstructionClass::Memory, out);
  ++instructions_;
}

}  // namespace fermata::cudart
