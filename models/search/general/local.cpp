#include <fermata/models/search/general/local.h>

#include <algorithm>

#include <fermata/models/search/general/spectrum.h>

namespace fermata::search::general {
namespace {

/// Neighbours of one hyperplane whose conflicts are counted.
constexpr std::size_t kCounted = 6;
/// Neighbours among which a random one of a greedy construction is chosen.
constexpr std::size_t kGreedyChoice = 8;
/// Steps without a better mapping until the scale is raised; raises until a new beginning.
constexpr unsigned kPatience = 20;
constexpr unsigned kRaises = 3;
constexpr std::uint32_t kLargestScale = (1U << 17) - 1;

/// Removes the bit at `place`; the bits above move down.
std::uint32_t removeBit(std::uint32_t vector, unsigned place) {
  const std::uint32_t below = (std::uint32_t{1} << place) - 1;
  return (vector & below) | ((vector >> 1) & ~below);
}

std::uint32_t insertZero(std::uint32_t vector, unsigned place) {
  const std::uint32_t below = (std::uint32_t{1} << place) - 1;
  return (vector & below) | ((vector & ~below) << 1);
}

}  // namespace

LocalSearch::LocalSearch(const ReducedProblem& problem, SplitCount& split, Effort& effort,
                         std::uint64_t seed)
    : problem_(problem), split_(split), effort_(effort), random_(seed) {
  best_.cost = SplitCount::kNoLimit;
  std::uint64_t heaviest = 1;
  for (const DifferenceSet& set : problem.sets) heaviest = std::max(heaviest, set.weight);
  for (const DifferenceSet& set : problem.sets) {
    // A set of s words with c colliding pairs has a degree of about 1 + 2 c / s.
    const double share = static_cast<double>(set.weight) / static_cast<double>(heaviest) /
                         static_cast<double>(set.words.size());
    plainScale_.push_back(std::max<std::uint32_t>(1, static_cast<std::uint32_t>(4096 * share)));
  }
  scale_ = plainScale_;
  useScale();
}

Mapping LocalSearch::run(const std::vector<Mapping>& starts, std::uint64_t floor) {
  for (const Mapping& start : starts) keep(start);
  if (best_.rows.empty()) keep(build());
  for (const Mapping& start : starts) {
    if (effort_.spent() || best_.cost <= floor) return best_;
    climb(start, floor);
    scale_ = plainScale_;
    useScale();
  }
  for (bool plain = true; !effort_.spent() && best_.cost > floor; plain = false) {
    if (!plain) randomScale();
    climb(build(), floor);
  }
  return best_;
}

void LocalSearch::keep(const Mapping& mapping) {
  if (mapping.cost < best_.cost) best_ = mapping;
}

void LocalSearch::climb(Mapping current, std::uint64_t floor) {
  keep(current);
  std::uint64_t lowest = current.cost;
  unsigned idle = 0;
  unsigned raises = 0;
  while (!effort_.spent() && best_.cost > floor) {
    step(current);
    keep(current);
    ++idle;
    if (current.cost < lowest) {
      lowest = current.cost;
      idle = 0;
      raises = 0;
    }
    if (idle < kPatience) continue;
    if (++raises > kRaises) return;
    idle = 0;
    raiseScale(current);
  }
}

/// Moves to the best neighbour through a random hyperplane, if it is no worse. Returns false if
/// there is none.
bool LocalSearch::step(Mapping& current) {
  const Hyperplane plane = randomHyperplane(current);
  const std::vector<Candidate> candidates = promising(plane.rows, plane.left, kCounted);
  split_.clear();
  for (const std::uint32_t row : plane.rows) split_.push(problem_.lift(row));
  std::uint64_t limit = current.cost;
  std::uint32_t chosen = 0;
  for (const Candidate& candidate : candidates) {
    const std::uint64_t cost = split_.with(problem_.lift(candidate.vector), limit);
    if (cost > limit || (cost == limit && chosen != 0)) continue;
    limit = cost;
    chosen = candidate.vector;
  }
  if (chosen == 0) return false;
  current.rows = plane.rows;
  current.rows.push_back(chosen);
  current.cost = limit;
  return true;
}

LocalSearch::Hyperplane LocalSearch::randomHyperplane(const Mapping& mapping) {
  const std::size_t size = mapping.rows.size();
  const std::uint64_t pick = 1 + random((std::uint64_t{1} << size) - 1);
  const unsigned without = static_cast<unsigned>(__builtin_ctzll(pick));
  Hyperplane plane;
  plane.left = mapping.rows[without];
  for (std::size_t i = 0; i < size; ++i) {
    if (i == without) continue;
    plane.rows.push_back(mapping.rows[i] ^ ((pick >> i & 1U) != 0 ? plane.left : 0));
  }
  return plane;
}

Mapping LocalSearch::build() {
  Mapping mapping;
  while (mapping.rows.size() < problem_.bankBits) {
    const std::vector<Candidate> candidates = promising(mapping.rows, 0, kGreedyChoice);
    // The lower of two random places: promising candidates come up more often.
    const std::uint64_t pick = std::min(random(candidates.size()), random(candidates.size()));
    mapping.rows.push_back(candidates[pick].vector);
  }
  std::vector<std::uint32_t> masks;
  for (const std::uint32_t row : mapping.rows) masks.push_back(problem_.lift(row));
  mapping.cost = split_.of(masks);
  return mapping;
}

std::vector<LocalSearch::Candidate> LocalSearch::promising(const std::vector<std::uint32_t>& rows,
                                                           std::uint32_t known, std::size_t count) {
  const std::uint32_t knownPlace = fold(rows, known);
  const std::size_t size = (std::size_t{1} << (problem_.dimension - rows.size()));
  std::vector<Candidate> result;
  const auto lower = [](const Candidate& a, const Candidate& b) { return a.energy < b.energy; };
  for (std::uint32_t i = 1; i < size; ++i) {
    if (i == knownPlace) continue;
    if (result.size() == count && folded_[i] >= result.front().energy) continue;
    if (result.size() == count) {
      std::pop_heap(result.begin(), result.end(), lower);
      result.pop_back();
    }
    result.push_back({folded_[i], i});
    std::push_heap(result.begin(), result.end(), lower);
  }
  std::sort_heap(result.begin(), result.end(), lower);
  for (Candidate& candidate : result) {
    for (std::size_t i = leads_.size(); i-- > 0;) {
      candidate.vector = insertZero(candidate.vector, leads_[i]);
    }
  }
  return result;
}

/// Sets folded_[v] to the energies of the coset v + span(rows), in the coordinates without leads_.
/// Returns the place of the coset of `known`.
std::uint32_t LocalSearch::fold(std::vector<std::uint32_t> rows, std::uint32_t known) {
  folded_ = energy_;
  leads_.clear();
  std::size_t size = energy_.size();
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const std::uint32_t row = rows[k];
    const unsigned lead = topBit(row);
    const std::size_t half = std::size_t{1} << lead;
    const std::size_t low = row & (half - 1);
    for (std::size_t block = 0; block < size; block += 2 * half) {
      std::int64_t* to = folded_.data() + block / 2;
      const std::int64_t* from = folded_.data() + block;
      // `to` is not after `from`: an overwritten value has been read, except in the first block,
      // where each sum takes the place of its first term.
      for (std::size_t i = 0; i < half; ++i) to[i] = from[i] + from[half + (i ^ low)];
    }
    size /= 2;
    leads_.push_back(lead);
    known = removeBit((known >> lead & 1U) != 0 ? known ^ row : known, lead);
    for (std::size_t i = k + 1; i < rows.size(); ++i) {
      if ((rows[i] >> lead & 1U) != 0) rows[i] ^= row;
      rows[i] = removeBit(rows[i], lead);
    }
  }
  effort_.addVisits(energy_.size() / 16);
  return known;
}

void LocalSearch::randomScale() {
  for (std::size_t i = 0; i < scale_.size(); ++i) {
    const std::uint64_t scaled = std::uint64_t{plainScale_[i]} << random(5);
    scale_[i] = static_cast<std::uint32_t>(std::min<std::uint64_t>(scaled, kLargestScale));
  }
  useScale();
}

void LocalSearch::raiseScale(const Mapping& mapping) {
  split_.clear();
  for (std::size_t i = 0; i + 1 < mapping.rows.size(); ++i) {
    split_.push(problem_.lift(mapping.rows[i]));
  }
  const std::vector<std::uint32_t> excess = split_.excess(problem_.lift(mapping.rows.back()));
  for (std::size_t i = 0; i < scale_.size(); ++i) {
    const std::uint32_t root =
        static_cast<std::uint32_t>((problem_.sets[i].words.size() - 1) >> problem_.bankBits);
    if (excess[i] <= root) continue;
    scale_[i] = std::min(kLargestScale, scale_[i] + scale_[i] / 2 + 1);
  }
  useScale();
}

void LocalSearch::useScale() {
  energy_ = energies(problem_, scale_, effort_);
}

}  // namespace fermata::search::general
