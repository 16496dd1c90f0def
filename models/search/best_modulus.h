// Finds the modulus that leaves the fewest conflicts: arbitrary modulus indexing (Diamond et al.,
// MICRO 2014) as a rival of the hashes.
#pragma once

#include <cstdint>
#include <string>

#include <fermata/models/search/conflict_count.h>

namespace fermata::search {

struct BestModulus {
  std::string text;  ///< "ami N"
  std::uint32_t banks = 0;
  std::uint64_t conflicts = 0;   ///< conflicts with as many banks as the modulus
  std::uint64_t candidates = 0;  ///< moduli that make a mapping
};

/// Returns the best modulus of 1 to maxBanks: fewest conflicts, then fewest banks. Throws
/// IndexingError unless maxBanks is 1 to 4096.
BestModulus bestModulus(const ConflictCount& count, const indexing::Shape& shape,
                        std::uint32_t maxBanks);

}  // namespace fermata::search
