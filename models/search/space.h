// How many hash functions there are in each class: table 1 of van den Braak et al., IEEE TC 2016.
#pragma once

#include <string>
#include <vector>

namespace fermata::search {

struct SpaceSize {
  std::string hashClass;  ///< "all", "xor-based", "unique xor-based", "bit-vector", ...
  double log10 = 0;       ///< of the count: some are beyond any number type
  double count = 0;       ///< rounded to a double; infinity when it is beyond
  std::string exact;      ///< all its digits when it is below 2^127, else empty
};

/// Seven rows in the table's order. 1 <= m <= n <= 32, else std::invalid_argument.
std::vector<SpaceSize> spaceSizes(unsigned addressBits, unsigned bankBits);

}  // namespace fermata::search
