#include <fermata/platforms/cudart/launch_sequence.h>

#include <fermata/stimuli/launch/entry_names.h>

#include <stdexcept>

namespace fermata::cudart {

void LaunchSequence::push(const ptx::Launch& launch) {
  executor_->begin(launch);
  addProgram(*launch.kernel, launch::writtenName(launch.kernel->name()));
  grid_ = programGrid(launch);
  giveClusters(grid_);
  pending_ = true;
}

void LaunchSequence::setWarpSlots(unsigned slots) {
  if (slots > slots_) throw std::logic_error("more warps than the executor has slots for");
}

const Grid* LaunchSequence::nextGrid() {
  if (!pending_) return nullptr;
  pending_ = false;
  return &grid_;
}

}  // namespace fermata::cudart
