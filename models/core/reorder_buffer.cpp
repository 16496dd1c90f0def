#include <fermata/models/core/reorder_buffer.h>

#include <algorithm>

namespace fermata {

void ReorderBuffer::clear(unsigned slot) {
  const auto first = entries_.begin() + static_cast<std::ptrdiff_t>(std::size_t{slot} * size_);
  std::fill(first, first + static_cast<std::ptrdiff_t>(size_), Entry{});
  next_[slot] = 0;
}

void ReorderBuffer::issue(unsigned slot, Cycle at, std::uint64_t access) {
  const Cycle before = retired(slot);
  entries_[std::size_t{slot} * size_ + next_[slot]] = {at, std::max(at, before), access};
  next_[slot] = after(next_[slot]);
}

// Recomputes the retirement of later instructions too: they retire no sooner than this one, and may
// have waited for nothing else.
void ReorderBuffer::complete(unsigned slot, std::uint64_t access, Cycle at) {
  Entry* const all = entries_.data() + std::size_t{slot} * size_;
  unsigned index = next_[slot];
  Cycle before = 0;  // instructions without an entry have retired
  bool found = false;
  for (unsigned i = 0; i < size_; ++i, index = after(index)) {
    Entry& entry = all[index];
    if (!found && entry.completes == kNever && entry.access == access) {
      entry.completes = at;
      found = true;
    }
    if (found) entry.retires = std::max(entry.completes, before);
    before = entry.retires;
  }
}

Cycle ReorderBuffer::retired(unsigned slot) const {
  const unsigned last = next_[slot] == 0 ? size_ - 1 : next_[slot] - 1;
  return entries_[std::size_t{slot} * size_ + last].retires;
}

}  // namespace fermata
