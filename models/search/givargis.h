// The heuristic of Givargis (DAC 2003) for one or several access sets: van den Braak et al., IEEE
// TC 2016, section 5.2.1.
//
// The quality of a feature in a set is min(Z, O) / max(Z, O), with Z and O the words where it is 0
// and 1 (Eq. 11). Once feature b is chosen, the quality is multiplied by min(E, D) / max(E, D),
// with E and D the words where the feature equals b and where it differs (Eq. 12). The next choice
// is the feature with the largest sum over the sets, each times its weight.
#pragma once

#include <vector>

#include <fermata/models/search/bit_planes.h>
#include <fermata/models/search/heuristic.h>

namespace fermata::search {

class Givargis {
 public:
  struct Scores {
    std::vector<double> score;

    /// Treats qualities as equal that differ by no more than rounding: a product of at most 13
    /// ratios is right to 3e-15, and so is a sum of such products.
    bool better(std::size_t i, std::size_t j) const { return score[i] > score[j] * (1 + 1e-14); }
    double value(std::size_t i) const { return score[i]; }
  };

  Givargis(const AccessSets& sets, unsigned addressBits) : planes_(sets, addressBits) {}

  /// Returns the summed qualities of `features` (any XORs of address bits) after the features of
  /// `prefix` were chosen in that order.
  Scores scores(const std::vector<Feature>& prefix, const std::vector<Feature>& features) const;

 private:
  BitPlanes planes_;
};

}  // namespace fermata::search
