// The space of bit-vector XOR hashes, and its reduction after section 5.1 of van den Braak et al.,
// IEEE TC 2016.
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

/// Returns all (n-m+1) * n * 2^m hashes, rising in mask, then k1, then k2, so that the permutations
/// (mask 0) come first. Some have dependent bank bits, and some are one mapping under two names.
///
/// The paper does not say how it breaks ties. Found by trial: in this order 17 of the 22
/// configurations of its table 5 come out on the accesses of our kernels.
std::vector<BitVectorXor> everyBitVectorXor(unsigned addressBits, unsigned bankBits);

/// A stride in the accesses, and the largest distance of two words of an access that has this
/// stride: (t - 1) * stride for t threads.
struct Stride {
  std::uint32_t stride = 1;
  std::uint32_t farthest = 0;
};

/// Returns the hashes that the strides leave, in the order of everyBitVectorXor. k1 is one of the k
/// in stride = odd * 2^k. k2 runs from the least k to the top bit of the farthest distance, but
/// differs from k1. A mask has no bank bit for which k2 takes an address bit above that top bit. If
/// all strides have one k, only the permutation by k is left; without strides, only the permutation
/// by 0. A k that leaves fewer than m bits counts as the largest that leaves m.
std::vector<BitVectorXor> prunedBitVectorXor(const std::vector<Stride>& strides,
                                             unsigned addressBits, unsigned bankBits);

/// Returns the strides of the sets, found from the words themselves: a set has forgotten its lanes.
/// Words at one distance are a stride. Rows of one width and stride, one distance apart, are a
/// block with the strides within and between the rows. A set of one word has no stride. Anything
/// else is random, which bounds nothing.
struct Strides {
  std::vector<Stride> strides;  ///< different ones, rising
  bool random = false;          ///< some set is neither stride nor block
};
Strides stridesOf(const AccessSets& sets);

}  // namespace fermata::search
