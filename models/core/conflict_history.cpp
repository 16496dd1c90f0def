#include <fermata/models/core/conflict_history.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace fermata {

ConflictHistory::ConflictHistory(const Parameters& parameters)
    : parameters_(parameters),
      lines_(std::size_t{parameters.sets} * parameters.ways),
      degrees_(lines_.size() * parameters.length) {
  const bool powerOfTwo = (parameters.sets & (parameters.sets - 1)) == 0;
  if (!powerOfTwo || parameters.ways == 0 || parameters.length == 0)
    throw std::invalid_argument("a history needs a power of two of sets, a way and a length");
}

ConflictHistory::Line* ConflictHistory::lineOf(std::uint32_t pc) {
  if (lines_.empty()) return nullptr;
  Line* const set = &lines_[std::size_t{pc & (parameters_.sets - 1)} * parameters_.ways];
  for (Line* line = set; line != set + parameters_.ways; ++line) {
    if (line->count != 0 && line->pc == pc) return line;
  }
  return nullptr;
}

// Returns a fresh line in the set of `pc`. A free line goes first (its `used` is 0), then the least
// recently used one.
ConflictHistory::Line& ConflictHistory::replaced(std::uint32_t pc) {
  Line* const set = &lines_[std::size_t{pc & (parameters_.sets - 1)} * parameters_.ways];
  Line& line = *std::min_element(set, set + parameters_.ways,
                                 [](const Line& a, const Line& b) { return a.used < b.used; });
  line = Line();
  line.pc = pc;
  return line;
}

std::optional<unsigned> ConflictHistory::find(std::uint32_t pc) {
  Line* const line = lineOf(pc);
  if (line == nullptr) return std::nullopt;
  line->used = ++uses_;
  return foretold(*line);
}

unsigned ConflictHistory::foretold(const Line& line) {
  const std::uint8_t* const degrees = degreesOf(line);
  switch (parameters_.rule) {
    case HistoryRule::Greatest:
      return *std::max_element(degrees, degrees + line.count);
    case HistoryRule::Mean:
      return (std::accumulate(degrees, degrees + line.count, 0U) + line.count - 1) / line.count;
    case HistoryRule::Latest:
      break;
  }
  return degrees[(line.next + parameters_.length - 1) % parameters_.length];
}

void ConflictHistory::update(std::uint32_t pc, unsigned degree) {
  if (lines_.empty()) return;
  Line* const found = lineOf(pc);
  Line& line = found != nullptr ? *found : replaced(pc);
  line.used = ++uses_;
  degreesOf(line)[line.next] = static_cast<std::uint8_t>(std::min(degree, kMostDegree));
  line.next = (line.next + 1) % parameters_.length;
  line.count = std::min(line.count + 1, parameters_.length);
}

void ConflictHistory::clear() {
  std::fill(lines_.begin(), lines_.end(), Line());
}

unsigned ConflictHistory::tagBits(const Parameters& parameters) {
  constexpr unsigned kPcBits = 14;
  unsigned index = 0;
  while (parameters.sets >> (index + 1) != 0) ++index;
  return kPcBits - std::min(kPcBits, index);
}

double ConflictHistory::bytes(const Parameters& parameters) {
  constexpr unsigned kDegreeBits = 5;
  if (parameters.sets == 0) return 0;
  const double bits = tagBits(parameters) + double{kDegreeBits} * parameters.length;
  return bits * parameters.sets * parameters.ways / 8;
}

}  // namespace fermata
