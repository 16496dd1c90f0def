// The space of bit-vector XOR hashes and how section 5.1 of van den Braak et al., IEEE TC 2016,
// makes it smaller.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <fermata/models/indexing/gf2.h>
#include <fermata/models/search/access_sets.h>

namespace fermata::search {

/// bank = (word >> k1) ^ ((word >> k2) & mask)
struct BitVectorXor {
  unsigned k1 = 0;
  unsigned k2 = 0;
  std::uint32_t mask = 0;

  std::string text() const;  ///< "xor k1=0 k2=5 mask=7"
  indexing::gf2::Matrix matrix(unsigned addressBits, unsigned bankBits) const;
  friend bool operator==(const BitVectorXor& a, const BitVectorXor& b) {
    return a.k1 == b.k1 && a.k2 == b.k2 && a.mask == b.mask;
  }
};

/// All (n-m+1) * n * 2^m, rising in mask, then k1, then k2, so that the permutations (mask 0) stand
/// first. Some have dependent bank bits, and some are the same mapping.
///
/// The paper does not say which of equals it takes. Found by trial: in this order 17 of the 22
/// configurations of its table 5 come out on the accesses of our kernels.
std::vector<BitVectorXor> everyBitVectorXor(unsigned addressBits, unsigned bankBits);

/// A stride in the accesses, and the largest distance of two words of an access that has it: of t
/// threads, (t - 1) * stride.
struct Stride {
  std::uint32_t stride = 1;
  std::uint32_t farthest = 0;
};

/// What the strides leave, in the same order: k1 of the k in stride = odd * 2^k; k2 from the least
/// k to the top bit of the farthest distance, but not k1; masks of bank bits that k2 takes from no
/// higher than that. If all strides have one k, only the permutation by it. No stride at all: only
/// that by 0. A k that leaves fewer than m bits counts as the largest that leaves m.
std::vector<BitVectorXor> prunedBitVectorXor(const std::vector<Stride>& strides,
                                             unsigned addressBits, unsigned bankBits);

/// Strides of the sets, from the words themselves (a set has forgotten its lanes). Words of one
/// distance are a stride; rows of one width and stride, one distance apart, a block with the
/// strides within and between them; a set of one word has none. Anything else is random, which
/// bounds nothing.
struct Strides {
  std::vector<Stride> strides;  ///< different ones, rising
  bool random = false;          ///< there is a set that is neither
};
Strides stridesOf(const AccessSets& sets);

}  // namespace fermata::search
