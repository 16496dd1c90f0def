#include <fermata/models/search/general/exact.h>

#include <algorithm>

namespace fermata::search::general {
namespace {

/// Greedy choices tried for the subspace to branch on.
constexpr std::uint32_t kGreedyTries = 4;

}  // namespace

SubspaceSearch::SubspaceSearch(unsigned dimension, unsigned size, std::vector<std::uint64_t> single,
                               SubspaceCosts& costs, Effort& effort)
    : dimension_(dimension),
      size_(size),
      single_(std::move(single)),
      costs_(costs),
      effort_(effort),
      levels_(size),
      histogram_(std::size_t{1} << dimension, 0) {
  for (Level& level : levels_) level.cost.assign(std::size_t{1} << dimension, kDead);
}

std::uint64_t SubspaceSearch::simpleBound() const {
  std::vector<std::uint64_t> costs(single_.begin() + 1, single_.end());
  const auto last = costs.begin() + static_cast<std::ptrdiff_t>((std::size_t{1} << size_) - 2);
  std::nth_element(costs.begin(), last, costs.end());
  return *last;
}

bool SubspaceSearch::run(std::uint64_t threshold, std::uint64_t floor) {
  threshold_ = threshold;
  floor_ = floor;
  found_.clear();
  chosen_.clear();
  freeBits_ = indexing::gf2::columnMask(dimension_);
  Level& root = levels_[0];
  root.alive.clear();
  for (std::uint32_t vector = 1; vector < single_.size(); ++vector) {
    root.cost[vector] = single_[vector] < threshold ? single_[vector] : kDead;
    if (root.cost[vector] != kDead) root.alive.push_back(vector);
  }
  effort_.addVisits(single_.size() / 32);
  return node(0);
}

/// Searches on from a level whose living vectors have known costs. Returns false to stop the
/// search.
bool SubspaceSearch::node(unsigned depth) {
  Level& level = levels_[depth];
  const unsigned remaining = size_ - depth;
  if (remaining == 1) return lastVector(level, depth == 0);
  std::size_t living = level.alive.size();
  const std::size_t needed = (std::size_t{1} << remaining) - 1;
  if (living < needed) return true;
  for (const std::uint32_t vector : branches(level, remaining)) {
    if (living < needed) break;
    if (level.cost[vector] < threshold_ && !branch(depth, vector)) return false;
    level.cost[vector] = kDead;
    --living;
  }
  return true;
}

/// Costs of living vectors are costs of whole subspaces here, unless they come from single_.
bool SubspaceSearch::lastVector(const Level& level, bool fromSingle) {
  for (const std::uint32_t vector : level.alive) {
    if (level.cost[vector] >= threshold_) continue;
    if (effort_.spent()) return false;
    const std::uint64_t cost =
        fromSingle ? costs_.with(vector, threshold_ - 1) : level.cost[vector];
    if (cost >= threshold_) continue;
    threshold_ = cost;
    found_ = chosen_;
    found_.push_back(vector);
    if (threshold_ <= floor_) return false;
  }
  return true;
}

bool SubspaceSearch::branch(unsigned depth, std::uint32_t vector) {
  if (effort_.spent()) return false;
  Level& next = levels_[depth + 1];
  const std::uint32_t lead = std::uint32_t{1} << topBit(vector);
  costs_.push(vector);
  chosen_.push_back(vector);
  freeBits_ &= ~lead;
  fill(levels_[depth], next, vector);
  const bool goesOn = !effort_.spent() && node(depth + 1);
  for (const std::uint32_t other : next.alive) next.cost[other] = kDead;
  freeBits_ |= lead;
  chosen_.pop_back();
  costs_.pop();
  return goesOn;
}

/// Fills `to` with the vectors that live beside `vector`: the vector and its sum with `vector` live
/// in `from`, and the three together cost less than the threshold.
void SubspaceSearch::fill(const Level& from, Level& to, std::uint32_t vector) {
  const std::uint32_t lead = std::uint32_t{1} << topBit(vector);
  const std::size_t needed = (std::size_t{1} << (size_ - chosen_.size())) - 1;
  to.alive.clear();
  for (const std::uint32_t other : from.alive) {
    if ((other & lead) != 0) continue;
    if (std::max(from.cost[other], from.cost[other ^ vector]) < threshold_) {
      to.alive.push_back(other);
    }
  }
  effort_.addVisits(from.alive.size() / 16);
  std::size_t left = to.alive.size();
  std::size_t kept = 0;
  for (const std::uint32_t other : to.alive) {
    if (kept + left-- < needed) break;
    if (effort_.spent()) break;
    const std::uint64_t cost = costs_.with(other, threshold_ - 1);
    if (cost >= threshold_) continue;
    to.cost[other] = cost;
    to.alive[kept++] = other;
  }
  to.alive.resize(kept);
}

/// Returns the living vectors of a subspace that no wanted one can avoid, cheapest first.
std::vector<std::uint32_t> SubspaceSearch::branches(const Level& level, unsigned remaining) {
  std::vector<std::uint32_t> alive;
  for (const std::uint32_t vector : level.alive) {
    if (level.cost[vector] < threshold_) alive.push_back(vector);
  }
  const unsigned dimensions = static_cast<unsigned>(__builtin_popcount(freeBits_)) - remaining + 1;
  std::vector<std::uint32_t> fewest = meet(alive, dimensions, 0);
  for (std::uint32_t attempt = 1; attempt < kGreedyTries && fewest.size() > 1; ++attempt) {
    std::vector<std::uint32_t> other = meet(alive, dimensions, attempt * 0x9e3779b9U);
    if (other.size() < fewest.size()) fewest = std::move(other);
  }
  std::stable_sort(fewest.begin(), fewest.end(), [&level](std::uint32_t a, std::uint32_t b) {
    return level.cost[a] < level.cost[b];
  });
  return fewest;
}

/// Grows a subspace by the coset with the fewest living vectors; a label is a vector modulo it.
std::vector<std::uint32_t> SubspaceSearch::meet(const std::vector<std::uint32_t>& alive,
                                                unsigned dimensions, std::uint32_t start) {
  std::vector<std::uint32_t> labels = alive;
  std::uint32_t freeBits = freeBits_;
  for (unsigned i = 0; i < dimensions; ++i) {
    const std::uint32_t label = rarestLabel(labels, freeBits, start);
    const std::uint32_t lead = std::uint32_t{1} << topBit(label);
    for (std::uint32_t& other : labels) {
      if ((other & lead) != 0) other ^= label;
    }
    freeBits &= ~lead;
  }
  effort_.addVisits(dimensions * alive.size() / 32);
  std::vector<std::uint32_t> inside;
  for (std::size_t i = 0; i < alive.size(); ++i) {
    if (labels[i] == 0) inside.push_back(alive[i]);
  }
  return inside;
}

/// Returns a label other than zero that fewest vectors have; the search begins at `start`.
std::uint32_t SubspaceSearch::rarestLabel(const std::vector<std::uint32_t>& labels,
                                          std::uint32_t freeBits, std::uint32_t start) {
  for (const std::uint32_t label : labels) ++histogram_[label];
  const std::uint32_t first = start & freeBits;
  std::uint32_t best = 0;
  std::uint32_t label = first;
  std::size_t steps = 0;
  do {
    if (label != 0 && (best == 0 || histogram_[label] < histogram_[best])) best = label;
    if (best != 0 && histogram_[best] == 0) break;
    label = (label - freeBits) & freeBits;  // next value within freeBits
    ++steps;
  } while (label != first);
  for (const std::uint32_t other : labels) histogram_[other] = 0;
  effort_.addVisits(steps / 32);
  return best;
}

}  // namespace fermata::search::general
