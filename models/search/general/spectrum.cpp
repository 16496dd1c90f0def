#include <fermata/models/search/general/spectrum.h>

#include <algorithm>
#include <cstdlib>

#include <fermata/models/vocabulary/vector_clones.h>

#define FERMATA_INLINE __attribute__((always_inline)) inline

namespace fermata::search::general {
namespace {

/// Most additions of functionalBounds(), whatever the effort.
constexpr std::uint64_t kMaxAdditions = std::uint64_t{1} << 31;

/// Butterflies of `half` = from, 2 from, ... up to size / 2.
template <typename Number>
FERMATA_INLINE void transformFrom(Number* __restrict values, std::size_t size, std::size_t from) {
  for (std::size_t half = from; half < size; half *= 2) {
    for (std::size_t block = 0; block < size; block += 2 * half) {
      Number* __restrict low = values + block;
      Number* __restrict high = low + half;
      for (std::size_t i = 0; i < half; ++i) {
        const Number a = low[i];
        const Number b = high[i];
        low[i] = static_cast<Number>(a + b);
        high[i] = static_cast<Number>(a - b);
      }
    }
  }
}

FERMATA_VECTOR_CLONES void transform16(std::int16_t* values, std::size_t size, std::size_t from) {
  transformFrom(values, size, from);
}

FERMATA_VECTOR_CLONES void transform64(std::int64_t* values, std::size_t size) {
  transformFrom(values, size, 1);
}

/// Log2 of the block whose four stages are done by hand: a word is a row of signs in its block of
/// 16.
constexpr unsigned kBlockBits = 4;
constexpr std::size_t kBlock = std::size_t{1} << kBlockBits;

struct Signs {
  std::int16_t of[kBlock][kBlock];
  Signs() {
    for (std::uint32_t word = 0; word < kBlock; ++word) {
      for (std::uint32_t f = 0; f < kBlock; ++f) of[word][f] = oddBits(word & f) ? -1 : 1;
    }
  }
};

void indicatorTransform(const ReducedProblem& problem, const DifferenceSet& set,
                        std::vector<std::int16_t>& values) {
  static const Signs signs;
  std::fill(values.begin(), values.end(), std::int16_t{0});
  for (const std::uint32_t word : set.words) {
    const std::uint32_t place = problem.project(word);
    std::int16_t* block = values.data() + (place >> kBlockBits) * kBlock;
    const std::int16_t* row = signs.of[place % kBlock];
    for (std::size_t i = 0; i < kBlock; ++i)
      block[i] = static_cast<std::int16_t>(block[i] + row[i]);
  }
  transform16(values.data(), values.size(), kBlock);
}

/// Returns the conflicts beyond the root's for each |W|: the larger half has (words + |W|) / 2
/// words, for half the banks.
std::vector<std::uint64_t> costByImbalance(const DifferenceSet& set, unsigned bankBits) {
  const std::size_t words = set.words.size();
  const std::uint64_t root = (words - 1) >> bankBits;
  std::vector<std::uint64_t> cost(words + 1, 0);
  for (std::size_t imbalance = words % 2; imbalance <= words; imbalance += 2) {
    const std::uint64_t largest = (words + imbalance) / 2;
    cost[imbalance] = set.weight * (((largest - 1) >> (bankBits - 1)) - root);
  }
  return cost;
}

}  // namespace

std::vector<std::uint64_t> functionalBounds(const ReducedProblem& problem, Effort& effort) {
  const std::size_t size = std::size_t{1} << problem.dimension;
  std::vector<std::uint64_t> bounds(size, problem.rootBound);
  std::vector<std::int16_t> values(std::max(size, kBlock));
  const std::uint64_t additions = values.size() * std::max(1U, problem.dimension);
  std::uint64_t sum = 0;
  for (const DifferenceSet& set : problem.sets) {
    if (sum > kMaxAdditions || effort.spent()) break;
    sum += additions;
    effort.addVisits(additions / 256);
    indicatorTransform(problem, set, values);
    const std::vector<std::uint64_t> cost = costByImbalance(set, problem.bankBits);
    for (std::size_t f = 0; f < size; ++f) {
      bounds[f] += cost[static_cast<std::size_t>(std::abs(values[f]))];
    }
  }
  return bounds;
}

std::vector<std::int64_t> energies(const ReducedProblem& problem,
                                   const std::vector<std::uint32_t>& scale, Effort& effort) {
  const std::size_t size = std::size_t{1} << problem.dimension;
  std::vector<std::int64_t> values(size, 0);
  std::vector<std::uint32_t> places;
  std::uint64_t steps = size / 4;
  for (std::size_t s = 0; s < problem.sets.size(); ++s) {
    places.clear();
    for (const std::uint32_t word : problem.sets[s].words) places.push_back(problem.project(word));
    const std::int64_t factor = scale[s];
    values[0] += factor * static_cast<std::int64_t>(places.size());
    for (std::size_t i = 0; i < places.size(); ++i) {
      for (std::size_t k = 0; k < i; ++k) values[places[i] ^ places[k]] += 2 * factor;
    }
    steps += places.size() * places.size();
  }
  transform64(values.data(), size);
  effort.addVisits(steps / 32);
  return values;
}

}  // namespace fermata::search::general
