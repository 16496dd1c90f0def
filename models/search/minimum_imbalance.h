// The Minimum Imbalance Heuristic: van den Braak et al., IEEE TC 2016, section 5.2.2.
//
// With k features, the chosen ones and one more, the R words of a set fall into 2^k bins. The
// imbalance of the feature is the sum over the bins of |h - R / 2^k|, divided by R (Eq. 14). The
// next choice is the feature with the smallest sum over the sets, each times its weight (Eq. 15).
//
// All arithmetic is exact, so that a tie is a tie.
#pragma once

#include <vector>

#include <fermata/models/search/bit_planes.h>
#include <fermata/models/search/fraction_sum.h>
#include <fermata/models/search/heuristic.h>

namespace fermata::search {

class MinimumImbalance {
 public:
  struct Scores {
    std::vector<FractionSum> score;  ///< summed imbalance times 2^k
    double scale = 1;                ///< 2^-k

    bool better(std::size_t i, std::size_t j) const { return score[i] < score[j]; }
    double value(std::size_t i) const { return score[i].value() * scale; }
  };

  MinimumImbalance(const AccessSets& sets, unsigned addressBits) : planes_(sets, addressBits) {}

  /// Returns the summed imbalances of `features` (any XORs of address bits) after those of `prefix`
  /// were chosen. Leaves out sets of one word, whose imbalance is equal for all features.
  Scores scores(const std::vector<Feature>& prefix, const std::vector<Feature>& features) const;

 private:
  BitPlanes planes_;
};

}  // namespace fermata::search
