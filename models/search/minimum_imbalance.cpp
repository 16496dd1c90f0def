#include <fermata/models/search/minimum_imbalance.h>

#include <cmath>

#include <fermata/models/vocabulary/vector_clones.h>

namespace fermata::search {
namespace {

/// Words of a set in one bin of the features chosen before.
struct Bin {
  Bits words;
  std::int64_t size;
};

/// sum[i] += weight * sum over the bins cut by value[i] of |h * scale - size|. A `narrow` set has
/// at most 64 words.
FERMATA_VECTOR_CLONES
void addImbalances(const Bits* value, std::size_t count, const Bin* bins, std::size_t binCount,
                   bool narrow, std::int64_t size, std::int64_t scale, std::int64_t empty,
                   std::uint64_t weight, Uint128* sum) {
  for (std::size_t i = 0; i < count; ++i) {
    std::int64_t total = empty;
    for (std::size_t b = 0; b < binCount; ++b) {
      std::int64_t ones = __builtin_popcountll(bins[b].words.part[0] & value[i].part[0]);
      if (!narrow) ones += __builtin_popcountll(bins[b].words.part[1] & value[i].part[1]);
      total += std::abs(ones * scale - size) + std::abs((bins[b].size - ones) * scale - size);
    }
    sum[i] += static_cast<Uint128>(weight) * static_cast<std::uint64_t>(total);
  }
}

std::int64_t sizeOf(const Bits& words) {
  return __builtin_popcountll(words.part[0]) + __builtin_popcountll(words.part[1]);
}

Bits allWords(std::uint32_t size) {
  Bits all;
  for (std::uint32_t i = 0; i < size; ++i) all.part[i / 64] |= std::uint64_t{1} << i % 64;
  return all;
}

}  // namespace

MinimumImbalance::Scores MinimumImbalance::scores(const std::vector<Feature>& prefix,
                                                  const std::vector<Feature>& features) const {
  const std::size_t count = features.size();
  const std::int64_t scale = std::int64_t{2} << prefix.size();        // 2^k
  std::vector<std::vector<Uint128>> sums(AccessSets::kMaxWords + 1);  // by size of set
  std::vector<Bits> value(count);
  std::vector<Bin> bins;
  std::vector<Bin> cut;
  for (std::size_t set = 0; set < planes_.sets(); ++set) {
    const Bits* const planes = planes_.planes(set);
    const std::uint32_t size = planes_.size(set);
    bins.assign(1, {allWords(size), size});
    for (const Feature feature : prefix) {
      const Bits ones = BitPlanes::value(planes, feature);
      cut.clear();
      for (const Bin& bin : bins) {
        const Bits one = bin.words & ones;
        const Bits zero = bin.words ^ one;
        const std::int64_t oneSize = sizeOf(one);
        if (oneSize != 0) cut.push_back({one, oneSize});
        if (oneSize != bin.size) cut.push_back({zero, bin.size - oneSize});
      }
      bins.swap(cut);
    }
    for (std::size_t i = 0; i < count; ++i) value[i] = BitPlanes::value(planes, features[i]);
    std::vector<Uint128>& sum = sums[size];
    if (sum.empty()) sum.resize(count, 0);
    const std::int64_t empty = (scale / 2 - static_cast<std::int64_t>(bins.size())) * 2 * size;
    addImbalances(value.data(), count, bins.data(), bins.size(), size <= 64, size, scale, empty,
                  planes_.weight(set), sum.data());
  }
  Scores scores;
  scores.score.resize(count);
  scores.scale = 1 / static_cast<double>(scale);
  for (std::uint32_t size = 1; size < sums.size(); ++size) {
    for (std::size_t i = 0; i < sums[size].size(); ++i) scores.score[i].add(sums[size][i], size);
  }
  return scores;
}

}  // namespace fermata::search
