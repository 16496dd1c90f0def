#include <fermata/stimuli/launch/executor_workload.h>

#include <algorithm>

namespace fermata::launch {

Grid gridOf(const ptx::Launch& launch, const std::string& kernel) {
  Grid grid;
  grid.kernel = kernel;
  grid.ctas = launch.grid.count();
  grid.threadsPerCta = static_cast<std::uint32_t>(launch.block.count());
  grid.registersPerThread = launch.kernel->registersPerThread();
  grid.sharedBytesPerCta = launch.kernel->staticSharedBytes() + launch.dynamicSharedBytes;
  grid.instructionCount = launch.kernel->instructionCount();
  grid.registerCount = launch.kernel->registerCount();
  return grid;
}

InstructionText ExecutorWorkload::instructionText(unsigned program, std::uint32_t pc) const {
  const ptx::CodeText& text = programs_.at(program).first->text(pc);
  return {text.opcode, text.file, text.line, text.nearLine};
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
  Grid grid = gridOf(launch, kernelName(program));
  grid.program = program;
  return grid;
}

}  // namespace fermata::launch
