#include <fermata/models/search/general/split.h>

#include <algorithm>

#include <fermata/models/vocabulary/vector_clones.h>

#define FERMATA_INLINE __attribute__((always_inline)) inline

namespace fermata::search::general {
namespace {

/// Inputs of the inner loop.
struct View {
  const SplitCount::Entry* entries;
  std::size_t count;
  const std::uint64_t* lanes;
  const std::uint8_t* size;
  const std::uint64_t* rest;
  const std::uint64_t* columns;
  const std::uint64_t* weight;
  unsigned addressBits;
};

struct Row {
  std::uint8_t bits[32];
  unsigned count;
};

template <unsigned Width>
FERMATA_INLINE void rowLanes(const View& view, const Row& row, std::uint32_t set,
                             std::uint64_t* x) {
  const std::uint64_t* column = view.columns + std::size_t{set} * view.addressBits * Width;
  for (unsigned w = 0; w < Width; ++w) x[w] = 0;
  for (unsigned i = 0; i < row.count; ++i) {
    for (unsigned w = 0; w < Width; ++w) x[w] ^= column[row.bits[i] * Width + w];
  }
}

template <unsigned Width>
FERMATA_INLINE unsigned onesOf(const std::uint64_t* lanes, const std::uint64_t* x) {
  unsigned ones = 0;
  for (unsigned w = 0; w < Width; ++w) {
    ones += static_cast<unsigned>(__builtin_popcountll(lanes[w] & x[w]));
  }
  return ones;
}

/// Returns the words of the largest class after the row has split the classes; 1 if no class
/// matters.
template <unsigned Width>
FERMATA_INLINE unsigned largestClass(const View& view, const Row& row,
                                     const SplitCount::Entry& entry) {
  std::uint64_t x[Width];
  rowLanes<Width>(view, row, entry.set, x);
  unsigned most = 1;
  for (std::uint32_t c = entry.first; c < entry.largeEnd; ++c) {
    const unsigned ones = onesOf<Width>(view.lanes + std::size_t{c} * Width, x);
    const unsigned zeros = view.size[c] - ones;
    most = std::max(most, std::max(ones, zeros));
  }
  return most;
}

template <unsigned Width>
FERMATA_INLINE std::uint64_t sumUntil(const View& view, const Row& row, unsigned left,
                                      std::uint64_t limit, std::uint64_t& visits) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < view.count; ++i) {
    const SplitCount::Entry& entry = view.entries[i];
    if (entry.largeEnd == entry.first) continue;
    ++visits;
    sum += view.weight[entry.set] * ((largestClass<Width>(view, row, entry) - 1) >> left);
    if (sum + view.rest[i + 1] > limit) return sum + view.rest[i + 1];
  }
  return sum;
}

FERMATA_VECTOR_CLONES std::uint64_t sumUntil64(const View& view, const Row& row, unsigned left,
                                               std::uint64_t limit, std::uint64_t& visits) {
  return sumUntil<1>(view, row, left, limit, visits);
}

FERMATA_VECTOR_CLONES std::uint64_t sumUntil128(const View& view, const Row& row, unsigned left,
                                                std::uint64_t limit, std::uint64_t& visits) {
  return sumUntil<2>(view, row, left, limit, visits);
}

View viewOf(const SplitCount::Level& level, const std::vector<std::uint64_t>& columns,
            const std::vector<std::uint64_t>& weight, unsigned addressBits) {
  return {level.entries.data(), level.entries.size(), level.lanes.data(), level.size.data(),
          level.rest.data(),    columns.data(),       weight.data(),      addressBits};
}

Row rowOf(std::uint32_t mask) {
  Row row{};
  for (; mask != 0; mask &= mask - 1) {
    row.bits[row.count++] = static_cast<std::uint8_t>(__builtin_ctz(mask));
  }
  return row;
}

void appendClass(SplitCount::Level& level, const std::uint64_t* lanes, unsigned width) {
  unsigned size = 0;
  for (unsigned w = 0; w < width; ++w) {
    size += static_cast<unsigned>(__builtin_popcountll(lanes[w]));
  }
  if (size < 2) return;
  level.lanes.insert(level.lanes.end(), lanes, lanes + width);
  level.size.push_back(static_cast<std::uint8_t>(size));
}

/// Appends the two parts of each class of an entry of `from`.
void appendParts(SplitCount::Level& to, const SplitCount::Level& from,
                 const SplitCount::Entry& entry, const std::uint64_t* x, unsigned width) {
  for (std::uint32_t c = entry.first; c < entry.end; ++c) {
    std::uint64_t ones[2];
    std::uint64_t zeros[2];
    for (unsigned w = 0; w < width; ++w) {
      const std::uint64_t lanes = from.lanes[std::size_t{c} * width + w];
      ones[w] = lanes & x[w];
      zeros[w] = lanes & ~x[w];
    }
    appendClass(to, zeros, width);
    appendClass(to, ones, width);
  }
}

void swapClasses(SplitCount::Level& level, std::uint32_t a, std::uint32_t b, unsigned width) {
  std::swap(level.size[a], level.size[b]);
  for (unsigned w = 0; w < width; ++w) {
    std::swap(level.lanes[std::size_t{a} * width + w], level.lanes[std::size_t{b} * width + w]);
  }
}

}  // namespace

SplitCount::SplitCount(const ReducedProblem& problem, Effort& effort)
    : problem_(problem), effort_(effort), levels_(std::max(1U, problem.bankBits)) {
  for (const DifferenceSet& set : problem.sets) {
    if (set.words.size() > 64) width_ = 2;
  }
  columns_.resize(problem.sets.size() * problem.addressBits * width_);
  for (std::size_t i = 0; i < problem.sets.size(); ++i) {
    const DifferenceSet& set = problem.sets[i];
    weight_.push_back(set.weight);
    for (std::size_t k = 0; k < set.words.size(); ++k) {
      const std::uint64_t lane = std::uint64_t{1} << (k % 64);
      for (std::uint32_t bits = set.words[k]; bits != 0; bits &= bits - 1) {
        const unsigned bit = static_cast<unsigned>(__builtin_ctz(bits));
        columns_[(i * problem.addressBits + bit) * width_ + k / 64] |= lane;
      }
    }
  }
  startLevel();
}

/// Fills level 0: each set is one class.
void SplitCount::startLevel() {
  if (problem_.bankBits == 0) return;
  Level& level = levels_[0];
  std::vector<std::uint64_t> bounds;
  for (std::size_t i = 0; i < problem_.sets.size(); ++i) {
    std::uint64_t lanes[2] = {0, 0};
    for (std::size_t k = 0; k < problem_.sets[i].words.size(); ++k) {
      lanes[k / 64] |= std::uint64_t{1} << (k % 64);
    }
    Entry entry{static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(level.size.size()), 0, 0};
    appendClass(level, lanes, width_);
    std::uint64_t bound = 0;
    close(level, entry, problem_.bankBits, bound);
    bounds.push_back(bound);
  }
  sumRest(level, bounds);
}

/// Ends an entry whose classes are the last ones of `level`, with `leftRows` rows to come.
void SplitCount::close(Level& level, Entry entry, unsigned leftRows, std::uint64_t& bound) {
  entry.end = static_cast<std::uint32_t>(level.size.size());
  // After the next row a class of 2^(leftRows - 1) words or fewer bounds nothing.
  const unsigned harmless = leftRows > 8 ? 255 : 1U << (leftRows - 1);
  unsigned most = 1;
  entry.largeEnd = entry.first;
  for (std::uint32_t c = entry.first; c < entry.end; ++c) {
    most = std::max<unsigned>(most, level.size[c]);
    if (level.size[c] > harmless) swapClasses(level, c, entry.largeEnd++, width_);
  }
  bound = weight_[entry.set] * ((most - 1) >> leftRows);
  level.entries.push_back(entry);
}

void SplitCount::sumRest(Level& level, const std::vector<std::uint64_t>& bounds) {
  level.rest.assign(bounds.size() + 1, 0);
  for (std::size_t i = bounds.size(); i-- > 0;) level.rest[i] = level.rest[i + 1] + bounds[i];
}

void SplitCount::push(std::uint32_t mask) {
  const Level& from = levels_[depth_];
  const unsigned leftRows = left();
  ++depth_;
  Level& to = levels_[depth_];
  to.entries.clear();
  to.lanes.clear();
  to.size.clear();
  std::vector<std::uint64_t> bounds;
  bounds.reserve(from.entries.size());
  const View view = viewOf(from, columns_, weight_, problem_.addressBits);
  const Row row = rowOf(mask);
  for (const Entry& old : from.entries) {
    std::uint64_t x[2];
    width_ == 1 ? rowLanes<1>(view, row, old.set, x) : rowLanes<2>(view, row, old.set, x);
    Entry entry{old.set, static_cast<std::uint32_t>(to.size.size()), 0, 0};
    appendParts(to, from, old, x, width_);
    if (to.size.size() == entry.first) continue;  // every word is separated
    std::uint64_t bound = 0;
    close(to, entry, leftRows, bound);
    bounds.push_back(bound);
  }
  sumRest(to, bounds);
  effort_.addVisits(3 * from.entries.size());
}

std::uint64_t SplitCount::with(std::uint32_t mask, std::uint64_t limit) {
  const View view = viewOf(levels_[depth_], columns_, weight_, problem_.addressBits);
  const Row row = rowOf(mask);
  std::uint64_t visits = 0;
  const std::uint64_t sum = width_ == 1 ? sumUntil64(view, row, left(), limit, visits)
                                        : sumUntil128(view, row, left(), limit, visits);
  effort_.addMapping();
  effort_.addVisits(visits);
  return sum;
}

std::vector<std::uint32_t> SplitCount::excess(std::uint32_t mask) const {
  const View view = viewOf(levels_[depth_], columns_, weight_, problem_.addressBits);
  const Row row = rowOf(mask);
  std::vector<std::uint32_t> result(problem_.sets.size(), 0);
  for (const Entry& entry : levels_[depth_].entries) {
    const unsigned most =
        width_ == 1 ? largestClass<1>(view, row, entry) : largestClass<2>(view, row, entry);
    result[entry.set] = (most - 1) >> left();
  }
  return result;
}

std::uint64_t SplitCount::of(const std::vector<std::uint32_t>& masks, std::uint64_t limit) {
  clear();
  for (std::size_t i = 0; i + 1 < masks.size(); ++i) {
    push(masks[i]);
    if (levels_[depth_].rest[0] > limit) return kNoLimit;
  }
  const std::uint64_t sum = with(masks.back(), limit);
  return sum > limit ? kNoLimit : sum;
}

}  // namespace fermata::search::general
