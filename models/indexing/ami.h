// ami M: bank = word MOD M, row = word DIV M, for any modulus (Diamond et al., MICRO 2014).
#pragma once

#include <fermata/models/indexing/ami_arithmetic.h>
#include <fermata/models/indexing/indexer.h>
#include <fermata/models/indexing/lane_kernels.h>

namespace fermata::indexing {

/// How a model computes the same values.
enum class AmiForm {
  Fast,       ///< multiplication by an exact reciprocal: the default
  Array,      ///< the wrap-around array adder, row by row; slow for wide reciprocals
  Canonical,  ///< the processor's / and %
};

/// With corner=all-ones the adder is left uncorrected and its bank output M + b selects bank b, as
/// where the paper numbers the banks by the uncorrected values. The row output is as wide as the
/// largest DIV, so the row below 0 is the last one. Where the reciprocal has no -1 digit, words 0
/// and M then collide, and a memory that has both is refused; where it has, rows() is a power of
/// two.
class AmiIndexer final : public Indexer {
 public:
  /// shape.banks is the modulus.
  AmiIndexer(const Shape& shape, AmiForm form, AmiCorner corner);

  Location location(std::uint32_t word) const override;
  void locate(const Lanes& word, LaneMask active, Lanes& bank, Lanes& row) const override;
  std::string text() const override;
  Cost cost() const override;

  const AmiArithmetic& arithmetic() const { return arithmetic_; }

 private:
  Location fold(const AmiResult& result) const;

  AmiArithmetic arithmetic_;
  Reciprocal reciprocal_;
  AmiForm form_;
  AmiCorner corner_;
  bool borrows_ = false;         ///< banks below 2^m have their rows one lower
  std::uint32_t rowMask_ = ~0U;  ///< only where rows can pass below 0
};

/// Widest digit for which the array of narrow additions is taken to fit beside base + offset in one
/// cycle; wider moduli are charged a cycle for the reciprocal multiplication that section III.A
/// falls back to.
inline constexpr unsigned kAmiFreeWidth = 24;

}  // namespace fermata::indexing
