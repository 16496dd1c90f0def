#include <fermata/models/core/warp_table.h>

namespace fermata {

void WarpTable::kindsBehindCollectors(const PipelineParameters& pipelines) {
  const auto kinds = [&](InstructionClass c) -> Kinds& {
    return kindOf_[static_cast<unsigned>(c)];
  };
  kinds(InstructionClass::Division).fill(IssueKind::Special);
  for (const Arithmetic a : {Arithmetic::Quotient, Arithmetic::Function}) {
    if (pipelines.arithmetic.of(InstructionClass::Double, a) != nullptr)
      kinds(InstructionClass::Double)[static_cast<unsigned>(a)] = IssueKind::Special;
  }
  for (const InstructionClass c : {InstructionClass::Float, InstructionClass::Double}) {
    if (pipelines.arithmetic.of(c, Arithmetic::Move) != nullptr)
      kinds(c)[static_cast<unsigned>(Arithmetic::Move)] = IssueKind::Integer;
  }
  if (pipelines.integerUnits == 0) return;
  for (const InstructionClass c :
       {InstructionClass::Branch, InstructionClass::Barrier, InstructionClass::Exit})
    kinds(c).fill(IssueKind::Integer);
}

[[gnu::noinline]] SlotMask WarpTable::gated(const Pipelines& pipelines, Cycle at) const {
  const CollectorGates* const gates = pipelines.gates();
  if (gates == nullptr) return 0;
  SlotMask slots = 0;
  for (unsigned k = 0; k < kIssueKinds; ++k) {
    if (wants_[k] != 0) slots |= wants_[k] & gates->closed(static_cast<IssueKind>(k), at);
  }
  return slots;
}

Cycle WarpTable::earliestOfGated(SlotMask slots, const Pipelines& pipelines, Cycle from) const {
  Cycle least = kNever;
  for (; slots != 0 && least > from; slots &= slots - 1) {
    const unsigned slot = lowestSlot(slots);
    least = std::min(least, pipelines.freeFor(slot, kind_[slot], from));
  }
  return least;
}

Cycle WarpTable::earliestOfReady(const Pipelines& pipelines, Cycle from) const {
  const SlotMask slots = calendar_.ready() & ~shut(pipelines);
  if (slots == 0) return kNever;
  if (pipelines.gates() != nullptr) return earliestOfGated(slots, pipelines, from);
  unsigned blocked = pipelines.allFree(from) ? 0 : pipelines.blocked(from);
  if ((slots & ~wanting(blocked)) != 0) return from;
  Cycle least = kNever;
  const Cycle earliest = pipelines.earliest(from);
  for (; blocked != 0 && least > earliest; blocked &= blocked - 1) {
    const auto kind = static_cast<unsigned>(__builtin_ctz(blocked));
    if ((slots & wants_[kind]) != 0)
      least = std::min(least, pipelines.free(static_cast<IssueKind>(kind), from));
  }
  return least;
}

Cycle WarpTable::earliestIssue(const Pipelines& pipelines, Cycle from) const {
  Cycle least = earliestOfReady(pipelines, from);
  if (least == from) return from;
  const SlotMask shutOnes = shut(pipelines);
  calendar_.upcoming(least, [&](Cycle at, SlotMask slots) {
    if (at >= least) return false;
    at = std::max(at, from);
    slots &= ~shutOnes;
    if (slots != 0 && pipelines.allFree(at)) {
      least = at;
      return false;
    }
    for (; slots != 0 && least > at; slots &= slots - 1)
      least = std::min(least, pipelines.freeFor(lowestSlot(slots), kind_[lowestSlot(slots)], at));
    return true;
  });
  return least;
}

WarpTable::Ready WarpTable::earliestReady(SlotMask among, Cycle from, Cycle to) const {
  Ready first;
  if (const SlotMask slots = calendar_.ready() & among; slots != 0) {
    first = {from, slots};
    to = from + 1;
  }
  calendar_.upcoming(to, [&](Cycle at, SlotMask slots) {
    at = std::max(at, from);
    if (at > first.at) return false;
    if (const SlotMask found = slots & among; found != 0) first = {at, first.slots | found};
    return true;
  });
  return first;
}

}  // namespace fermata
