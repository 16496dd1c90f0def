// ami M: bank = word MOD M, row = word DIV M, for any modulus (Diamond et al., MICRO 2014).
#pragma once

#include <fermata/models/indexing/ami_arithmetic.h>
#include <fermata/models/indexing/c_expression.h>
#include <fermata/models/indexing/indexer.h>
#include <fermata/models/indexing/lane_kernels.h>

namespace fermata::indexing {

/// Algorithm that a model computes DIV and MOD with; all give equal values.
enum class AmiForm {
  Fast,       ///< multiplication by an exact reciprocal: the default
  Array,      ///< the wrap-around array adder, row by row; slow for wide reciprocals
  Canonical,  ///< the processor's / and %
};

/// Mapping `ami M`. With corner=all-ones the adder is left uncorrected, and its bank output M + b
/// selects bank b: the paper numbers the banks by the uncorrected values. The row output is as wide
/// as the largest DIV, so row -1 becomes the last row. If the reciprocal has no -1 digit, words 0
/// and M then collide, and a memory that holds both is refused. If it has one, rows() is a power of
/// two.
class AmiIndexer final : public Indexer {
 public:
  /// shape.banks is the modulus. Throws IndexingError if the uncorrected adder makes two words
  /// collide.
  AmiIndexer(const Shape& shape, AmiForm form, AmiCorner corner);

  Location location(std::uint32_t word) const override;
  void locate(const Lanes& word, LaneMask active, Lanes& bank, Lanes& row) const override;
  std::string text() const override;
  Cost cost() const override;
  std::string bankInC(const std::string& word) const override {
    return remainderInC(word, shape_.banks);
  }

  const AmiArithmetic& arithmetic() const { return arithmetic_; }

 private:
  Location fold(const AmiResult& result) const;

  AmiArithmetic arithmetic_;
  Reciprocal reciprocal_;
  AmiForm form_;
  AmiCorner corner_;
  bool borrows_ = false;         ///< rows of banks below 2^m are one lower
  std::uint32_t rowMask_ = ~0U;  ///< all ones unless rows can pass below 0
};

/// Widest digit, in bits, whose array of narrow additions is assumed to fit beside base + offset in
/// one cycle. A wider modulus is charged one cycle for the reciprocal multiplication that section
/// III.A falls back to.
inline constexpr unsigned kAmiFreeWidth = 24;
/// Returns the cost of an array, with the source of the figures.
inline Cost amiCost(const AmiArithmetic& array, const char* source) {
  return {source, array.width() <= kAmiFreeWidth ? 0U : 1U, static_cast<int>(array.levels()),
          static_cast<int>(array.width())};
}

}  // namespace fermata::indexing
