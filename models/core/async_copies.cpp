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
  if (copy->instruction->multicasts && !copy->stores) copy->at += multicastLatency_;
  learn(static_cast<std::uint32_t>(copy - copies_.begin()));
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
  const auto index = static_cast<std::uint32_t>(copies_.size());
  if (arrives(copy)) {
    for (std::size_t i = first_; i < copies_.size(); ++i)
      copy.older += comesBehind(copy, copies_[i]) ? 1U : 0U;
    behind_.push_back(index);
  }
  copies_.push_back(copy);
  learn(index);
  ++live_;
  ++count_[copy.slot];
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

std::size_t AsyncCopies::placeOf(std::uint32_t index) const {
  const auto at = std::lower_bound(ripe_.begin(), ripe_.end(), index,
                                   [](const Known& one, std::uint32_t i) { return one.index < i; });
  return static_cast<std::size_t>(at - ripe_.begin());
}

// Takes note of a copy that is in neither list, if its `at` is known.
void AsyncCopies::learn(std::uint32_t index) {
  const Copy& copy = copies_[index];
  if (copy.at == kNever) return;
  const auto place = std::lower_bound(later_.begin(), later_.end(), copy.at,
                                      [](const Known& one, Cycle at) { return one.at > at; });
  later_.insert(place,
                {copy.at, index, copy.stores, copy.instruction->copyStep == CopyStep::BulkOut});
}

// Gives up the places of copies that are over, once they are half of all.
void AsyncCopies::compact() {
  while (first_ < copies_.size() && copies_[first_].slot == kMaxWarpSlots) ++first_;
  if (2 * first_ < copies_.size()) return;
  copies_.erase(copies_.begin(), copies_.begin() + static_cast<std::ptrdiff_t>(first_));
  for (Known& one : ripe_) one.index -= static_cast<std::uint32_t>(first_);
  for (Known& one : later_) one.index -= static_cast<std::uint32_t>(first_);
  for (std::uint32_t& index : behind_) index -= static_cast<std::uint32_t>(first_);
  first_ = 0;
}

// Returns the first cycle, `from` or later, in which the copy can be stored or is over; kNever: it
// waits for another event.
inline Cycle AsyncCopies::mayMove(const Known& one, Cycle from) const {
  const Cycle at = std::max(one.at, from);
  if (one.stores) return at;
  return mayStore(one.index) ? loadStore_.storeFree(spaceOf(one.out), at) : kNever;
}

Cycle AsyncCopies::due(Cycle from) const {
  Cycle due = kNever;
  for (auto one = later_.rbegin(); one != later_.rend() && one->at < due; ++one)
    due = std::min(due, mayMove(*one, from));
  for (auto one = ripe_.begin(); one != ripe_.end() && due > from; ++one)
    due = std::min(due, mayMove(*one, from));
  return due;
}

}  // namespace fermata
