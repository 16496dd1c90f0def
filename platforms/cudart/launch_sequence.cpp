#include <fermata/platforms/cudart/launch_sequence.h>

#include <fermata/stimuli/launch/entry_names.h>

#include <stdexcept>

namespace fermata::cudart {

Grid gridOf(const ptx::Launch& launch) {
  const ptx::Kernel& kernel = *launch.kernel;
  Grid grid;
  grid.kernel = launch::writtenName(kernel.name());
  grid.ctas = launch.grid.count();
  grid.threadsPerCta = static_cast<std::uint32_t>(launch.block.count());
  grid.registersPerThread = kernel.registersPerThread();
  grid.sharedBytesPerCta = kernel.staticSharedBytes() + launch.dynamicSharedBytes;
  grid.instructionCount = kernel.instructionCount();
  grid.registerCount = kernel.registerCount();
  return grid;
}

void LaunchSequence::push(const ptx::Launch& launch) {
  executor_->begin(launch);
  const auto [found, isNew] = programs_.emplace(launch.kernel, programCount());
  if (isNew) kernels_.push_back(launch.kernel);
  grid_ = gridOf(launch);
  grid_.program = found->second;
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

std::string LaunchSequence::kernelName(unsigned program) const {
  return launch::writtenName(kernels_.at(program)->name());
}

std::uint32_t LaunchSequence::instructionCount(unsigned program) const {
  return kernels_.at(program)->instructionCount();
}

InstructionText LaunchSequence::instructionText(unsigned program, std::uint32_t pc) const {
  const ptx::CodeText& text = kernels_.at(program)->text(pc);
  return {text.opcode, text.file, text.line, text.nearLine};
}

}  // namespace fermata::cudart
