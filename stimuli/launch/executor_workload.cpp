#include <fermata/stimuli/launch/executor_workload.h>

#include <fermata/stimuli/launch/launch_set.h>
#include <fermata/stimuli/ptx/clusters.h>
#include <fermata/stimuli/ptx/machine_code.h>
#include <fermata/stimuli/ptx/register_limit.h>

#include <algorithm>

namespace fermata::launch {

Grid gridOf(const ptx::Launch& launch, const std::string& kernel, MachineLevel code) {
  const ptx::MachineCode* lowered =
      code == MachineLevel::Sass ? &launch.kernel->machineCode() : nullptr;
  Grid grid;
  grid.kernel = kernel;
  grid.ctas = launch.grid.count();
  grid.clusterCtas = ptx::clusterCtas(launch);
  grid.threadsPerCta = static_cast<std::uint32_t>(launch.block.count());
  // The number is an estimate: where it is too large for one CTA, take what fits.
  grid.registersPerThread = std::min(
      lowered != nullptr ? lowered->registersPerThread : launch.kernel->registersPerThread(),
      ptx::registersThatFit(grid.threadsPerCta));
  grid.sharedBytesPerCta = launch.kernel->staticSharedBytes() + launch.dynamicSharedBytes;
  grid.carveout = launch.carveout;
  grid.instructionCount =
      lowered != nullptr ? lowered->instructionCount() : launch.kernel->instructionCount();
  if (lowered == nullptr) grid.instructionsBefore = launch.kernel->instructionsBefore();
  grid.registerCount = lowered != nullptr ? lowered->registerCount : launch.kernel->registerCount();
  return grid;
}

// CTAs start in rising order, whole clusters at once.
void ExecutorWorkload::giveClusters(Grid& grid) {
  started_ = taken_ = 0;
  executor_->giveClusters([this, &grid] {
    if (started_ >= grid.ctas) return ptx::Executor::kNoCluster;
    const std::uint64_t first = started_ + taken_;
    taken_ += grid.clusterCtas;
    grid.ctas -= grid.clusterCtas;
    return first / grid.clusterCtas;
  });
}

void ExecutorWorkload::startNext(unsigned firstSlot) {
  executor_->startCta(taken_ + started_++, firstSlot);
}

std::uint32_t ExecutorWorkload::instructionCount(unsigned program) const {
  const ptx::Kernel& kernel = *programs_.at(program).first;
  return code_ == MachineLevel::Sass ? kernel.machineCode().instructionCount()
                                     : kernel.instructionCount();
}

InstructionText ExecutorWorkload::instructionText(unsigned program, std::uint32_t pc) const {
  return textOf(*programs_.at(program).first, code_, pc);
}

bool ExecutorWorkload::readsClock() const {
  return std::any_of(programs_.begin(), programs_.end(),
                     [](const auto& program) { return program.first->readsClock(); });
}

void ExecutorWorkload::addProgram(const ptx::Kernel& kernel, const std::string& name) {
  if (numbers_.emplace(&kernel, programCount()).second) programs_.emplace_back(&kernel, name);
}

Grid ExecutorWorkload::programGrid(const ptx::Launch& launch) const {
  const unsigned program = numbers_.at(launch.kernel);
  Grid grid = gridOf(launch, kernelName(program), code_);
  grid.program = program;
  return grid;
}

}  // namespace fermata::launch
