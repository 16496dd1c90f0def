#include <fermata/models/search/features.h>

#include <algorithm>

#include <fermata/models/search/heuristic.h>

namespace fermata::search {

std::vector<Feature> singleBits(unsigned addressBits) {
  std::vector<Feature> features;
  for (unsigned bit = 0; bit < addressBits; ++bit) features.push_back(Feature{1} << bit);
  return features;
}

std::vector<Feature> pairsByRow(unsigned addressBits) {
  std::vector<Feature> features;
  for (unsigned a = 0; a < addressBits; ++a) {
    features.push_back(Feature{1} << a);
    for (unsigned b = a + 1; b < addressBits; ++b) {
      features.push_back(Feature{1} << a | Feature{1} << b);
    }
  }
  return features;
}

std::vector<Feature> singlesThenPairs(unsigned addressBits) {
  std::vector<Feature> features = pairsByRow(addressBits);
  std::stable_partition(features.begin(), features.end(),
                        [](Feature feature) { return (feature & (feature - 1)) == 0; });
  return features;
}

std::string featuresText(const std::string& family, const std::vector<Feature>& features) {
  std::string text = family;
  char before = ' ';
  for (const Feature feature : features) {
    for (unsigned bit = 0; bit < 32; ++bit) {
      if ((feature >> bit & 1U) == 0) continue;
      text += before + std::to_string(bit);
      before = '^';
    }
    before = ',';
  }
  return text;
}

unsigned rankOf(const std::vector<Feature>& features) {
  return indexing::gf2::rank({32, features});
}

std::vector<Feature> featuresLeft(const std::vector<Feature>& features,
                                  const std::vector<Feature>& chosen, bool independent) {
  std::vector<Feature> left;
  std::vector<Feature> with = chosen;
  with.push_back(0);
  for (const Feature feature : features) {
    if (std::find(chosen.begin(), chosen.end(), feature) != chosen.end()) continue;
    with.back() = feature;
    if (!independent || rankOf(with) == with.size()) left.push_back(feature);
  }
  return left;
}

}  // namespace fermata::search
