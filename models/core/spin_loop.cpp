#include <fermata/models/core/spin_loop.h>

namespace fermata {

namespace {

struct Work {
  InstructionClass kind;
  unsigned operations;
  unsigned tests;
};

Work workOf(AtomicForm form) {
  switch (form) {
    case AtomicForm::Double:
      return {InstructionClass::Double, 1, 2};
    case AtomicForm::Wide:
      return {InstructionClass::Integer, 2, 2};
    case AtomicForm::Float:
    case AtomicForm::Half:
      return {InstructionClass::Float, 1, 1};
    default:
      return {InstructionClass::Integer, 1, 1};
  }
}

}  // namespace

LaneMask SpinLoop::Warp::on(std::uint64_t word) const {
  LaneMask lanes = 0;
  for (unsigned lane = 0; lane < kWarpLanes; ++lane)
    lanes |= LaneMask{this->word(lane) == word} << lane;
  return lanes;
}

void SpinLoop::setWarpSlots(unsigned slots) {
  warps_.resize(slots);
  inner_.setWarpSlots(slots);
}

void SpinLoop::startCta(std::uint64_t cta, unsigned firstSlot) {
  startWarps(grid(), firstSlot);
  inner_.startCta(cta, firstSlot);
}

void SpinLoop::startWarps(const Grid& grid, unsigned firstSlot) {
  for (unsigned w = 0; w < grid.warpsPerCta(); ++w) {
    warps_[firstSlot + w].first = firstSlot;
    warps_[firstSlot + w].grid = &grid;
  }
}

const GridSet* SpinLoop::together() const {
  const GridSet* const inner = inner_.together();
  if (inner == nullptr) return nullptr;
  if (set_.members.size() == inner->members.size()) return &set_;
  set_ = *inner;
  for (GridSet::Member& member : set_.members) member.grid = withLink(member.grid);
  return &set_;
}

void SpinLoop::beginMember(unsigned member) {
  prepare(set_.grid(member));
  inner_.beginMember(member);
}

void SpinLoop::startCtaOf(unsigned member, std::uint64_t cta, unsigned firstSlot) {
  startWarps(set_.grid(member), firstSlot);
  inner_.startCtaOf(member, cta, firstSlot);
}

AtomicLoop::Steps SpinLoop::makeSteps(const StaticInstruction& atomic, RegisterId link) const {
  StaticInstruction plain = atomic;
  if (isUnread(atomic)) {
    plain.writeCount = 0;
    plain.polls = false;
  }
  if (!isLoop(atomic)) return {plain};
  const Work work = workOf(atomic.form);
  StaticInstruction load = memoryStep(plain, MemoryOperation::Load, link);
  Steps steps{atomic.space == MemorySpace::Shared
                  ? otherStep(atomic, InstructionClass::Branch, link)
                  : load};
  load.space = MemorySpace::Shared;
  steps.push_back(load);
  steps.insert(steps.end(), work.operations, otherStep(atomic, work.kind, link));
  StaticInstruction swap = memoryStep(plain, MemoryOperation::Atomic, link);
  swap.space = MemorySpace::Shared;
  swap.form = AtomicForm::Spin;
  steps.push_back(swap);
  steps.insert(steps.end(), work.tests, otherStep(atomic, InstructionClass::Integer, link));
  steps.insert(steps.end(), 2, otherStep(atomic, InstructionClass::Branch, link));
  return steps;
}

const StaticInstruction* SpinLoop::peek(unsigned slot) {
  const Warp& warp = warps_[slot];
  if (warp.step != 0) return &(*warp.steps)[warp.step];
  const StaticInstruction* const next = inner_.peek(slot);
  return next == nullptr || (!isLoop(*next) && !isUnread(*next))
             ? next
             : stepsOf(*next, *warp.grid).data();
}

void SpinLoop::execute(unsigned slot, WarpInstruction& out) {
  Warp& warp = warps_[slot];
  if (warp.step == 0) {
    const StaticInstruction& next = *inner_.peek(slot);
    return isLoop(next) ? begin(slot, next, out) : inner_.execute(slot, out);
  }
  const unsigned step = warp.step++;
  out.pc = warp.request.pc;
  out.active = warp.round;
  if (step == kLoad) {
    access(warp.request, warp.request.left, MemoryOperation::Load, out);
    offer(warp);
  } else if (step == warp.swap) {
    swap(slot, warp, out);
  } else if (step == warp.branch) {
    branch(slot, warp);
  } else if (warp.step == warp.steps->size()) {
    out.active = warp.met;
    warp.step = 0;
  }
}

void SpinLoop::begin(unsigned slot, const StaticInstruction& atomic, WarpInstruction& out) {
  Warp& warp = warps_[slot];
  warp.steps = &stepsOf(atomic, *warp.grid);
  warp.swap = kLoad + workOf(atomic.form).operations + 1;
  warp.branch = static_cast<unsigned>(warp.steps->size()) - 2;
  if (!AtomicLoop::begin(slot, warp.request, out)) return;
  warp.met = out.active;
  warp.step = kLoad;
  if (atomic.space == MemorySpace::Shared) return;
  ++warp.step;
  offer(warp);
}

// Begins a round: offers the lowest lane left on each bank of each lane group, one on each word.
void SpinLoop::offer(Warp& warp) {
  using Words = std::array<std::uint32_t, kWarpLanes>;
  warp.round = warp.request.left;
  warp.offered = warp.lost = 0;
  warp.words = 0;
  Words word, bank, row;
  for (unsigned lane = 0; lane < kWarpLanes; ++lane)
    word[lane] = static_cast<std::uint32_t>(warp.request.address[lane]) / banks_.bankBytes;
  banks_.indexer->locate(word, warp.round, bank, row);
  LaneMask free = warp.round;
  for (const LaneMask group :
       banks_.groups.of(MemoryOperation::Atomic, warp.request.bytesPerLane)) {
    for (LaneMask m = free & group; m != 0;) {
      const auto lane = static_cast<unsigned>(__builtin_ctz(m));
      const std::uint64_t own = warp.word(lane);
      warp.offered |= LaneMask{1} << lane;
      warp.words |= std::uint64_t{1} << own % 64;
      free &= ~warp.on(own);
      LaneMask sameBank = 0;
      for (unsigned other = 0; other < kWarpLanes; ++other)
        sameBank |= LaneMask{bank[other] == bank[lane]} << other;
      m &= free & ~sameBank;
    }
  }
}

void SpinLoop::swap(unsigned slot, Warp& warp, WarpInstruction& out) {
  const LaneMask won = warp.offered & ~warp.lost;
  if (won == 0) return access(warp.request, warp.offered, MemoryOperation::Atomic, out);
  inner_.updateAtomic(slot, won, out);
  access(warp.request, won, MemoryOperation::Atomic, out);
  warp.request.left &= ~won;
  spoil(slot, warp, won);
}

// Makes other warps of the CTA lose the words that a warp has swapped, if they have loaded them.
void SpinLoop::spoil(unsigned slot, const Warp& by, LaneMask won) {
  const unsigned end = by.first + by.grid->warpsPerCta();
  for (unsigned other = by.first; other < end; ++other) {
    Warp& warp = warps_[other];
    if (other == slot || !warp.awaitsSwap() || (warp.words & by.words) == 0) continue;
    for (LaneMask m = won; m != 0; m &= m - 1)
      warp.lost |= warp.offered & warp.on(by.word(static_cast<unsigned>(__builtin_ctz(m))));
  }
}

void SpinLoop::branch(unsigned slot, Warp& warp) {
  if (warp.lost == warp.offered) lost(slot, warp.branch + 1 - kLoad);
  warp.step = warp.request.left == 0 ? warp.branch + 1 : kLoad;
}

}  // namespace fermata
