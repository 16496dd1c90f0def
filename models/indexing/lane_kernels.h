// The 32-lane loops of the mappings: the one place where speed decides the form of the code.
//
// Each kernel first clamps the words to `last` (the largest word of the memory), so that a lane
// without a word of the memory still gets a bank and a row within it. The three arrays must not
// overlap.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <fermata/models/indexing/gf2.h>
#include <fermata/models/indexing/reciprocal.h>
#include <fermata/models/vocabulary/warp_instruction.h>

namespace fermata::indexing {

using Lanes = std::array<std::uint32_t, kWarpLanes>;

/// A linear map of up to 32 bits, computed with few shifts. Output bits that take the input bit at
/// one distance share a term. A bit-vector XOR has two terms, a dense n x m matrix has n + m - 1.
class LinearMap {
 public:
  struct Term {
    std::uint32_t mask;
    std::uint32_t shift;
  };

  LinearMap() = default;
  explicit LinearMap(const gf2::Matrix& matrix);

  std::uint32_t apply(std::uint32_t x) const {
    std::uint32_t sum = 0;
    for (const Term& term : down_) sum ^= x >> term.shift & term.mask;
    for (const Term& term : up_) sum ^= x << term.shift & term.mask;
    return sum;
  }
  const std::vector<Term>& down() const { return down_; }  ///< (x >> shift) & mask
  const std::vector<Term>& up() const { return up_; }      ///< (x << shift) & mask

 private:
  std::vector<Term> down_;
  std::vector<Term> up_;
};

namespace kernels {

/// bank = bankMap(word), row = rowMap(word).
void linear(const LinearMap& bankMap, const LinearMap& rowMap, std::uint32_t last,
            const Lanes& word, Lanes& bank, Lanes& row);

/// row = word >> bits; bank = the low `bits` bits of word.
void split(unsigned bits, std::uint32_t last, const Lanes& word, Lanes& bank, Lanes& row);

/// A bank of `bits` bits, cut into digits. Each digit of the word is added to the digit above it,
/// without a carry into the next digit.
struct DigitSum {
  unsigned bits;
  unsigned digit;      ///< bits of one digit, 1 or more
  std::uint32_t tops;  ///< the highest bit of each digit
};
/// row = word >> bits; bank = the digit sum of word, which is the low `bits` bits of word + row if
/// there is one digit.
void add(const DigitSum& sum, std::uint32_t last, const Lanes& word, Lanes& bank, Lanes& row);

/// row = word / divisor, bank = word % divisor. The reciprocal must be exact up to `last`.
void divide(const Reciprocal& reciprocal, std::uint32_t last, const Lanes& word, Lanes& bank,
            Lanes& row);

/// row = (word >> shift) & mask, bank = word % divisor.
void remainder(const Reciprocal& reciprocal, unsigned shift, std::uint32_t mask, std::uint32_t last,
               const Lanes& word, Lanes& bank, Lanes& row);

}  // namespace kernels
}  // namespace fermata::indexing
