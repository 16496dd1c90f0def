#include <fermata/models/core/async_copies.h>

#include <algorithm>

namespace fermata {

bool AsyncCopies::before(unsigned slot, std::uint64_t group, bool reads) const {
  return std::any_of(
      copies_.begin() + static_cast<std::ptrdiff_t>(first_), copies_.end(),
      [&](const Copy& c) { return c.slot == slot && c.group < group && !(reads && c.stores); });
}

std::vector<AsyncCopies::Copy>::iterator AsyncCopies::find(unsigned slot, std::uint64_t number) {
  return std::find_if(copies_.begin() + static_cast<std::ptrdiff_t>(first_), copies_.end(),
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
  const auto copy =
      std::find_if(copies_.begin() + static_cast<std::ptrdiff_t>(first_), copies_.end(),
                   [&](const Copy& c) { return c.at == kNever && c.sequence == sequence; });
  if (copy == copies_.end()) return false;
  copy->at = copy->plan.interval == 0 ? at : products_.end(copy->plan, at);
  if (copy->at != kNever) know(static_cast<std::uint32_t>(copy - copies_.begin()));
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

bool AsyncCopies::comesBehindAny(const Copy& copy) {
  const CopyStep step = copy.instruction->copyStep;
  return step == CopyStep::Arrive || step == CopyStep::Complete;
}

void AsyncCopies::begin(Copy copy) {
  const auto index = static_cast<std::uint32_t>(copies_.size());
  if (comesBehindAny(copy)) {
    for (std::size_t i = first_; i < copies_.size(); ++i)
      copy.older += comesBehind(copy, copies_[i]) ? 1U : 0U;
    behind_.push_back(index);
  }
  copies_.push_back(copy);
  if (copy.at != kNever) known_.push_back(index);
  ++live_;
  ++count_[copy.slot];
}

// Returns the first cycle, `from` or later, in which the copy can be stored; kNever: not before
// another event. Its data have come; it need not wait for older copies of its warp.
Cycle AsyncCopies::storeFree(const Copy& copy, Cycle from) const {
  if (copy.stores || copy.older != 0 || loadStore_.holdsMemory(copy.slot)) return kNever;
  const bool out = copy.instruction->copyStep == CopyStep::BulkOut;
  return loadStore_.storeFree(out ? MemorySpace::Global : MemorySpace::Shared, from);
}

// Ends a copy that is in none of the lists any more, and keeps its place until compact().
AsyncCopies::Copy AsyncCopies::remove(std::uint32_t index) {
  const Copy copy = copies_[index];
  const auto at = std::lower_bound(behind_.begin(), behind_.end(), index);
  for (auto later = at; later != behind_.end(); ++later)
    copies_[*later].older -= comesBehind(copies_[*later], copy) ? 1U : 0U;
  if (at != behind_.end() && *at == index) behind_.erase(at);
  --live_;
  --count_[copy.slot];
  copies_[index] = Copy{kMaxWarpSlots, nullptr, 0, kNever, kNever};  // no warp's, no access's
  return copy;
}

void AsyncCopies::know(std::uint32_t index) {
  known_.insert(std::lower_bound(known_.begin(), known_.end(), index), index);
}

void AsyncCopies::forget(std::uint32_t index) {
  known_.erase(std::lower_bound(known_.begin(), known_.end(), index));
}

// Gives up the places of copies that are over, once they are half of all.
void AsyncCopies::compact() {
  while (first_ < copies_.size() && copies_[first_].slot == kMaxWarpSlots) ++first_;
  if (2 * first_ < copies_.size()) return;
  copies_.erase(copies_.begin(), copies_.begin() + static_cast<std::ptrdiff_t>(first_));
  for (Indices* const indices : {&known_, &behind_}) {
    for (std::uint32_t& index : *indices) index -= static_cast<std::uint32_t>(first_);
  }
  first_ = 0;
}

Cycle AsyncCopies::due(Cycle from) const {
  Cycle due = kNever;
  for (const std::uint32_t index : known_) {
    const Copy& copy = copies_[index];
    if (copy.at >= due) continue;
    const Cycle at = std::max(copy.at, from);
    due = std::min(due, copy.stores ? at : storeFree(copy, at));
    if (due == from) break;
  }
  return due;
}

}  // namespace fermata
