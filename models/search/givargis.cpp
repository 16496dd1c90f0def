#include <fermata/models/search/givargis.h>

#include <algorithm>

#include <fermata/models/vocabulary/vector_clones.h>

namespace fermata::search {
namespace {

/// Returns min(k, size - k) / max(k, size - k) for k of 0 to size.
std::vector<double> ratios(std::uint32_t size) {
  std::vector<double> ratio(size + 1);
  for (std::uint32_t k = 0; k <= size; ++k) {
    ratio[k] = static_cast<double>(std::min(k, size - k)) / std::max(k, size - k);
  }
  return ratio;
}

/// quality[i] *= ratio[words where value[i] and other differ]
FERMATA_VECTOR_CLONES
void multiply(const Bits* value, std::size_t count, Bits other, const double* ratio,
              double* quality) {
  for (std::size_t i = 0; i < count; ++i) {
    const int differ = __builtin_popcountll(value[i].part[0] ^ other.part[0]) +
                       __builtin_popcountll(value[i].part[1] ^ other.part[1]);
    quality[i] *= ratio[differ];
  }
}

}  // namespace

Givargis::Scores Givargis::scores(const std::vector<Feature>& prefix,
                                  const std::vector<Feature>& features) const {
  std::vector<std::vector<double>> table(AccessSets::kMaxWords + 1);
  std::vector<long double> sum(features.size(), 0);
  std::vector<Bits> value(features.size());
  std::vector<double> quality(features.size());
  for (std::size_t set = 0; set < planes_.sets(); ++set) {
    std::vector<double>& ratio = table[planes_.size(set)];
    if (ratio.empty()) ratio = ratios(planes_.size(set));
    const Bits* const planes = planes_.planes(set);
    for (std::size_t i = 0; i < features.size(); ++i) {
      value[i] = BitPlanes::value(planes, features[i]);
    }
    std::fill(quality.begin(), quality.end(), 1);
    multiply(value.data(), value.size(), Bits{}, ratio.data(), quality.data());
    for (const Feature before : prefix) {
      multiply(value.data(), value.size(), BitPlanes::value(planes, before), ratio.data(),
               quality.data());
    }
    const auto weight = static_cast<long double>(planes_.weight(set));
    for (std::size_t i = 0; i < features.size(); ++i) sum[i] += weight * quality[i];
  }
  Scores scores;
  for (const long double total : sum) scores.score.push_back(static_cast<double>(total));
  return scores;
}

}  // namespace fermata::search
