#include <fermata/models/memory/line_index.h>

namespace fermata {

void LineIndex::reset(std::uint32_t frames) {
  shift_ = 31;
  while ((std::uint64_t{1} << (32 - shift_)) < std::uint64_t{frames} * 2) --shift_;
  entries_.assign(std::size_t{1} << (32 - shift_), Entry{});
}

void LineIndex::add(std::uint64_t line, std::uint32_t frame) {
  const std::uint32_t key = keyOf(line);
  std::size_t i = home(key);
  while (entries_[i].frame != kNone) i = next(i);
  entries_[i] = {key, frame};
}

// Moves later entries up, so that no chain has a gap before its end.
void LineIndex::remove(std::uint64_t line, std::uint32_t frame) {
  std::size_t gap = home(keyOf(line));
  while (entries_[gap].frame != frame) {
    if (entries_[gap].frame == kNone) return;
    gap = next(gap);
  }
  const std::size_t mask = entries_.size() - 1;
  for (std::size_t i = next(gap); entries_[i].frame != kNone; i = next(i)) {
    const std::size_t away = (i - home(entries_[i].key)) & mask;
    if (away < ((i - gap) & mask)) continue;  // its home lies behind the gap
    entries_[gap] = entries_[i];
    gap = i;
  }
  entries_[gap] = {};
}

}  // namespace fermata
