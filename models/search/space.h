// Number of hash functions in each class: table 1 of van den Braak et al., IEEE TC 2016.
#pragma once

#include <string>
#include <vector>

namespace fermata::search {

struct SpaceSize {
  std::string hashClass;  ///< "all", "xor-based", "unique xor-based", "bit-vector", ...
  double log10 = 0;       ///< log10 of the count, which may be beyond any number type
  double count = 0;       ///< rounded to a double; infinity if beyond
  std::string exact;      ///< all digits if the count is below 2^127, otherwise empty
};

/// Returns seven rows in the table's order. Throws std::invalid_argument unless 1 <= m <= n <= 32.
std::vector<SpaceSize> spaceSizes(unsigned addressBits, unsigned bankBits);

}  // namespace fermata::search
