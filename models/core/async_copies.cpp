#include <fermata/models/core/async_copies.h>

#include <algorithm>

namespace fermata {

bool AsyncCopies::before(unsigned slot, std::uint64_t group, bool reads) const {
  return std::any_of(copies_.begin(), copies_.end(), [&](const Copy& c) {
    return c.slot == slot && c.group < group && !(reads && c.stores);
  });
}

std::vector<AsyncCopies::Copy>::iterator AsyncCopies::find(unsigned slot, std::uint64_t number) {
  return std::find_if(copies_.begin(), copies_.end(),
                      [&](const Copy& c) { return c.slot == slot && c.number == number; });
}

void AsyncCopies::setPlan(unsigned slot, std::uint64_t number, const ProductEngine::Plan& plan) {
  find(slot, number)->plan = plan;
}

void AsyncCopies::sent(unsigned slot, std::uint64_t number, std::uint64_t sequence) {
  const auto copy = find(slot, number);
  if (copy != copies_.end()) copy->sequence = sequence;
}

bool AsyncCopies::arrived(std::uint64_t sequence, Cycle at) {
  const auto copy = std::find_if(copies_.begin(), copies_.end(), [&](const Copy& c) {
    return c.at == kNever && c.sequence == sequence;
  });
  if (copy == copies_.end()) return false;
  copy->at = copy->plan.interval == 0 ? at : products_.end(copy->plan, at);
  return true;
}

// A count of bytes comes behind the engine's copies, an arrival of tcgen05 behind products, any
// other arrival behind all others.
bool AsyncCopies::comesBehind(const Copy& copy, const Copy& older) {
  if (older.slot != copy.slot) return false;
  const CopyStep step = copy.instruction->copyStep, its = older.instruction->copyStep;
  if (step == CopyStep::Complete)
    return its == CopyStep::Bulk &&
           (copy.instruction->tensorWork != 0) == (older.instruction->tensorWork != 0);
  return step == CopyStep::Arrive && its != CopyStep::Bulk && its != CopyStep::Complete &&
         its != CopyStep::BulkOut;
}

void AsyncCopies::begin(Copy copy) {
  const CopyStep step = copy.instruction->copyStep;
  if (step == CopyStep::Arrive || step == CopyStep::Complete) {
    for (const Copy& other : copies_) copy.older += comesBehind(copy, other) ? 1U : 0U;
  }
  copies_.push_back(copy);
  ++count_[copy.slot];
}

// True if the copy's data have come and the copy need not wait for older copies of its warp.
bool AsyncCopies::mayStore(std::size_t index) const {
  const Copy& copy = copies_[index];
  return !copy.stores && copy.at != kNever && copy.older == 0;
}

// Returns the first cycle, `from` or later, in which the copy can be stored; kNever: not before
// another event.
Cycle AsyncCopies::storeFree(std::size_t index, Cycle from) const {
  const Copy& copy = copies_[index];
  if (!mayStore(index) || loadStore_.holdsMemory(copy.slot)) return kNever;
  const bool out = copy.instruction->copyStep == CopyStep::BulkOut;
  return loadStore_.storeFree(out ? MemorySpace::Global : MemorySpace::Shared, from);
}

AsyncCopies::Copy AsyncCopies::remove(std::size_t index) {
  const Copy copy = copies_[index];
  --count_[copy.slot];
  copies_.erase(copies_.begin() + static_cast<std::ptrdiff_t>(index));
  for (; index < copies_.size(); ++index)
    copies_[index].older -= comesBehind(copies_[index], copy) ? 1U : 0U;
  return copy;
}

Cycle AsyncCopies::due(Cycle from) const {
  Cycle due = kNever;
  for (std::size_t i = 0; i < copies_.size() && due != from; ++i) {
    const Copy& copy = copies_[i];
    if (copy.at >= due) continue;  // skips most copies: hundreds are on their way
    const Cycle at = std::max(copy.at, from);
    due = std::min(due, copy.stores ? at : storeFree(i, at));
  }
  return due;
}

}  // namespace fermata
