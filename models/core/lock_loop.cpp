#include <fermata/models/core/lock_loop.h>

#include <algorithm>

namespace fermata {

namespace {

/// Makes the step depend on the previous one through `link`, the grid's extra last register.
void chain(StaticInstruction& step, RegisterId link) {
  step.reads[step.readCount++] = link;
  step.writes[step.writeCount++] = link;
}

}  // namespace

void LockLoop::setWarpSlots(unsigned slots) {
  warps_.resize(slots);
  inner_.setWarpSlots(slots);
}

const Grid* LockLoop::nextGrid() {
  const Grid* const grid = inner_.nextGrid();
  if (grid == nullptr) return nullptr;
  grid_ = *grid;
  ++grid_.registerCount;
  if (steps_.size() <= grid_.program) steps_.resize(grid_.program + 1);
  if (steps_[grid_.program].size() < grid_.instructionCount)
    steps_[grid_.program].resize(grid_.instructionCount);
  return &grid_;
}

const LockLoop::Steps& LockLoop::stepsOf(const StaticInstruction& atomic) {
  std::unique_ptr<Steps>& steps = steps_[grid_.program][atomic.pc];
  if (steps == nullptr) steps = std::make_unique<Steps>(makeSteps(atomic));
  return *steps;
}

// Builds the steps of an atomic. Memory steps keep the atomic's operands and results, so the
// results are there before the loop ends.
LockLoop::Steps LockLoop::makeSteps(const StaticInstruction& atomic) const {
  const auto link = static_cast<RegisterId>(grid_.registerCount - 1);
  StaticInstruction memory = atomic;
  memory.readCount = std::min<std::uint8_t>(atomic.readCount, StaticInstruction::kMaxReads - 1);
  memory.writeCount = std::min<std::uint8_t>(atomic.writeCount, StaticInstruction::kMaxWrites - 1);
  memory.operation = MemoryOperation::Load;
  memory.polls = false;  // the loop has its own rule against starvation: `urgent`
  chain(memory, link);
  Steps steps;
  steps[static_cast<unsigned>(Step::None)] = memory;
  memory.space = MemorySpace::Shared;
  steps[static_cast<unsigned>(Step::Read)] = memory;
  memory.operation = MemoryOperation::Store;
  steps[static_cast<unsigned>(Step::Write)] = memory;
  StaticInstruction other;
  other.pc = atomic.pc;
  chain(other, link);
  steps[static_cast<unsigned>(Step::Update)] = other;
  other.instructionClass = InstructionClass::Branch;
  steps[static_cast<unsigned>(Step::Branch)] = other;
  std::copy_n(steps.begin(), kSteps, steps.begin() + kSteps);
  steps[static_cast<unsigned>(Step::Update)].urgent = true;
  steps[static_cast<unsigned>(Step::Write)].urgent = true;
  return steps;
}

const StaticInstruction* LockLoop::peek(unsigned slot) {
  const Warp& warp = warps_[slot];
  if (warp.step != Step::None) return &warp.next();
  const StaticInstruction* const next = inner_.peek(slot);
  return next == nullptr || !isLoop(*next) ? next : stepsOf(*next).data();
}

void LockLoop::execute(unsigned slot, WarpInstruction& out) {
  Warp& warp = warps_[slot];
  if (warp.step == Step::None) {
    const StaticInstruction& next = *inner_.peek(slot);
    if (!isLoop(next)) return inner_.execute(slot, out);
    warp.steps = &stepsOf(next);
    return begin(slot, warp, out);
  }
  out.pc = warp.pc;
  switch (warp.step) {
    case Step::Update:
      out.active = warp.locked;
      warp.step = Step::Write;
      break;
    case Step::Write:
      write(slot, warp, out);
      break;
    case Step::Branch:
      out.active = warp.left;
      warp.left &= ~warp.locked;
      warp.step = warp.left == 0 ? Step::None : Step::Read;
      if (warp.locked == 0) lost(slot);
      break;
    default:  // responded() sets the next step
      access(warp, warp.left, MemoryOperation::Load, LockStep::Read, out);
      out.takesOutcome = true;
  }
}

// Counts the steps of a round that served no lane.
void LockLoop::lost(unsigned slot) {
  constexpr unsigned steps = kSteps - 1;
  idle_ += steps;
  inner_.lostRound(slot);
}

void LockLoop::begin(unsigned slot, Warp& warp, WarpInstruction& out) {
  inner_.beginAtomic(slot, out);
  if (out.active == 0) return;
  // A generic address may lie outside shared memory: no lock is needed there.
  if (out.space != MemorySpace::Shared) return inner_.updateAtomic(slot, out.active, out);
  warp.pc = out.pc;
  warp.bytesPerLane = out.bytesPerLane;
  warp.address = out.address;
  warp.left = out.active;
  warp.step = Step::Read;
  out.operation = MemoryOperation::Load;
  out.takesOutcome = true;
  out.lock = LockStep::Read;
}

void LockLoop::access(const Warp& warp, LaneMask lanes, MemoryOperation operation, LockStep step,
                      WarpInstruction& out) {
  out.pc = warp.pc;
  out.active = lanes;
  out.space = MemorySpace::Shared;
  out.operation = operation;
  out.bytesPerLane = warp.bytesPerLane;
  out.address = warp.address;
  out.lock = step;
}

void LockLoop::write(unsigned slot, Warp& warp, WarpInstruction& out) {
  if (warp.locked != 0) inner_.updateAtomic(slot, warp.locked, out);
  access(warp, warp.locked, MemoryOperation::Store, LockStep::Write, out);
  warp.step = Step::Branch;
}

void LockLoop::responded(unsigned slot, const TryOutcome& outcome) {
  Warp& warp = warps_[slot];
  if (warp.step != Step::Read) return inner_.responded(slot, outcome);  // `inner`'s own access
  warp.locked = warp.left & ~outcome.lanesLeft();
  warp.step = Step::Update;
}

}  // namespace fermata
