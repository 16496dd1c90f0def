#include <fermata/models/core/atomic_loop.h>

#include <algorithm>

namespace fermata {

const Grid* AtomicLoop::nextGrid() {
  const Grid* const grid = inner_.nextGrid();
  if (grid == nullptr) return nullptr;
  told_ = grid;
  grid_ = withLink(*grid);
  prepare(grid_);
  return &grid_;
}

Grid AtomicLoop::withLink(const Grid& grid) {
  Grid more = grid;
  ++more.registerCount;
  return more;
}

void AtomicLoop::prepare(const Grid& grid) {
  if (steps_.size() <= grid.program) steps_.resize(grid.program + 1);
  auto& steps = steps_[grid.program];
  while (steps.size() < grid.instructionCount) steps.push_back(std::make_unique<Made>());
}

void AtomicLoop::endCta(unsigned firstSlot) {
  inner_.endCta(firstSlot);
  if (told_ != nullptr && grid_.ctas != told_->ctas) grid_.ctas = told_->ctas;
}

const AtomicLoop::Steps& AtomicLoop::stepsOf(const StaticInstruction& atomic, const Grid& grid) {
  Made& made = *steps_[grid.program][atomic.pc];
  std::call_once(made.once, [&] { made.steps = makeSteps(atomic, linkOf(grid)); });
  return made.steps;
}

// Makes the step depend on the previous one through the grid's extra last register.
void AtomicLoop::chain(StaticInstruction& step, RegisterId link) {
  step.reads[step.readCount++] = link;
  step.writes[step.writeCount++] = link;
}

StaticInstruction AtomicLoop::memoryStep(const StaticInstruction& atomic, MemoryOperation operation,
                                         RegisterId link) {
  StaticInstruction step = atomic;
  step.readCount = std::min<std::uint8_t>(atomic.readCount, StaticInstruction::kMaxReads - 1);
  step.writeCount = std::min<std::uint8_t>(atomic.writeCount, StaticInstruction::kMaxWrites - 1);
  step.operation = operation;
  step.polls = false;  // a loop has its own rule against starvation
  chain(step, link);
  return step;
}

StaticInstruction AtomicLoop::otherStep(const StaticInstruction& atomic, InstructionClass kind,
                                        RegisterId link) {
  StaticInstruction step;
  step.pc = atomic.pc;
  step.instructionClass = kind;
  chain(step, link);
  return step;
}

bool AtomicLoop::begin(unsigned slot, Request& request, WarpInstruction& out) {
  inner_.beginAtomic(slot, out);
  if (out.active == 0) return false;
  // A generic address may lie outside shared memory: no loop is needed there.
  if (out.space != MemorySpace::Shared) {
    inner_.updateAtomic(slot, out.active, out);
    return false;
  }
  request.pc = out.pc;
  request.bytesPerLane = out.bytesPerLane;
  request.address = out.address;
  request.left = out.active;
  out.operation = MemoryOperation::Load;
  return true;
}

void AtomicLoop::access(const Request& request, LaneMask lanes, MemoryOperation operation,
                        WarpInstruction& out) {
  out.pc = request.pc;
  out.active = lanes;
  out.space = MemorySpace::Shared;
  out.operation = operation;
  out.bytesPerLane = request.bytesPerLane;
  out.address = request.address;
}

void AtomicLoop::lost(unsigned slot, unsigned steps) {
  idle_ += steps;
  inner_.lostRound(slot);
}

}  // namespace fermata
