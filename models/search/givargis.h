// The heuristic of Givargis (DAC 2003) for one or several access sets: van den Braak et al., IEEE
// TC 2016, section 5.2.1.
//
// The quality of a feature in a set is min(Z, O) / max(Z, O), Z and O the words where it is 0 and 1
// (Eq. 11); once feature b is chosen it is multiplied by min(E, D) / max(E, D), E and D the words
// where it equals b and where it differs (Eq. 12). The feature of the largest sum over the sets,
// each times its weight, comes next.
#pragma once

#include <vector>

#include <fermata/models/search/bit_planes.h>
#include <fermata/models/search/heuristic.h>

namespace fermata::search {

class Givargis {
 public:
  struct Scores {
    std::vector<double> score;

    /// Qualities that differ by less than rounding can make them differ are equal: a product of at
    /// most 13 ratios is right to 3e-15, and so is a sum of such products.
    bool better(std::size_t i, std::size_t j) const { return score[i] > score[j] * (1 + 1e-14); }
    double value(std::size_t i) const { return score[i]; }
  };

  Givargis(const AccessSets& sets, unsigned addressBits) : planes_(sets, addressBits) {}

  /// Summed qualities of `features` (any XORs of address bits) after those of `prefix` were chosen
  /// in that order.
  Scores scores(const std::vector<Feature>& prefix, const std::vector<Feature>& features) const;

 private:
  BitPlanes planes_;
};

}  // namespace fermata::search
