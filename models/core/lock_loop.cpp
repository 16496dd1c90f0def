#include <fermata/models/core/lock_loop.h>

namespace fermata {

void LockLoop::setWarpSlots(unsigned slots) {
  warps_.resize(slots);
  inner_.setWarpSlots(slots);
}

AtomicLoop::Steps LockLoop::makeSteps(const StaticInstruction& atomic, RegisterId link) const {
  Steps steps(kSteps);
  const auto at = [&steps](Step step) -> StaticInstruction& {
    return steps[static_cast<unsigned>(step)];
  };
  at(Step::None) = memoryStep(atomic, MemoryOperation::Load, link);
  at(Step::Read) = at(Step::None);
  at(Step::Read).space = MemorySpace::Shared;
  at(Step::Write) = at(Step::Read);
  at(Step::Write).operation = MemoryOperation::Store;
  at(Step::Update) = otherStep(atomic, InstructionClass::Integer, link);
  at(Step::Branch) = otherStep(atomic, InstructionClass::Branch, link);
  const Steps lost = steps;
  steps.insert(steps.end(), lost.begin(), lost.end());
  at(Step::Update).urgent = true;
  at(Step::Write).urgent = true;
  return steps;
}

const StaticInstruction* LockLoop::peek(unsigned slot) {
  const Warp& warp = warps_[slot];
  if (warp.step != Step::None) return &warp.next();
  const StaticInstruction* const next = inner_.peek(slot);
  return next == nullptr || !mayBeShared(*next) ? next : stepsOf(*next, grid()).data();
}

void LockLoop::execute(unsigned slot, WarpInstruction& out) {
  Warp& warp = warps_[slot];
  if (warp.step == Step::None) {
    const StaticInstruction& next = *inner_.peek(slot);
    if (!mayBeShared(next)) return inner_.execute(slot, out);
    warp.steps = &stepsOf(next, grid());
    return begin(slot, warp, out);
  }
  LaneMask& left = warp.request.left;
  out.pc = warp.request.pc;
  switch (warp.step) {
    case Step::Update:
      out.active = warp.locked;
      warp.step = Step::Write;
      break;
    case Step::Write:
      write(slot, warp, out);
      break;
    case Step::Branch:
      out.active = left;
      left &= ~warp.locked;
      warp.step = left == 0 ? Step::None : Step::Read;
      if (warp.locked == 0) lost(slot, kSteps - 1);
      break;
    default:  // responded() sets the next step
      access(warp.request, left, MemoryOperation::Load, out);
      out.lock = LockStep::Read;
      out.takesOutcome = true;
  }
}

void LockLoop::begin(unsigned slot, Warp& warp, WarpInstruction& out) {
  if (!AtomicLoop::begin(slot, warp.request, out)) return;
  warp.step = Step::Read;
  out.takesOutcome = true;
  out.lock = LockStep::Read;
}

void LockLoop::write(unsigned slot, Warp& warp, WarpInstruction& out) {
  if (warp.locked != 0) inner_.updateAtomic(slot, warp.locked, out);
  access(warp.request, warp.locked, MemoryOperation::Store, out);
  out.lock = LockStep::Write;
  warp.step = Step::Branch;
}

void LockLoop::responded(unsigned slot, const TryOutcome& outcome) {
  Warp& warp = warps_[slot];
  if (warp.step != Step::Read) return inner_.responded(slot, outcome);  // `inner`'s own access
  warp.locked = warp.request.left & ~outcome.lanesLeft();
  warp.step = Step::Update;
}

}  // namespace fermata
