// A mapping that is linear over GF(2): every bank bit is the XOR of some address bits.
#pragma once

#include <fermata/models/indexing/c_expression.h>
#include <fermata/models/indexing/gf2.h>
#include <fermata/models/indexing/indexer.h>
#include <fermata/models/indexing/lane_kernels.h>

namespace fermata::indexing {

/// Returns log2 of the bank count. Throws IndexingError if it is not a power of two; `family` is
/// the mapping family that the message names.
unsigned bankBits(const Shape& shape, std::string_view family);

/// Returns n: the bits of the largest word address, at least `bankBits`.
unsigned addressBits(const Shape& shape, unsigned bankBits);

/// Returns for instance "14 address bits and 5 bank bits".
std::string bitCounts(unsigned addressBits, unsigned bankBits);

class LinearIndexer : public Indexer {
 public:
  /// `bank` has one row per bank bit and addressBits columns. Throws IndexingError that names two
  /// colliding words if its rows are dependent. `columns[i]` is the place of row i in the text, for
  /// that error; `columns` may be empty.
  LinearIndexer(const Shape& shape, gf2::Matrix bank, std::string text, Cost cost,
                const std::vector<std::size_t>& columns = {});

  Location location(std::uint32_t word) const override {
    return {bankMap_.apply(word), rowMap_.apply(word)};
  }
  void locate(const Lanes& word, LaneMask active, Lanes& bank, Lanes& row) const override;
  std::string text() const override { return text_; }
  Cost cost() const override { return cost_; }
  std::string bankInC(const std::string& word) const override { return productInC(bank_, word); }

  const gf2::Matrix& bankMatrix() const { return bank_; }
  /// One unit row per address bit that elimination of bankMatrix() from bit 0 upwards leaves over.
  const gf2::Matrix& rowMatrix() const { return row_; }

 private:
  void refuseDependentRows(const std::vector<std::size_t>& columns) const;
  std::uint32_t largestRow() const;

  gf2::Matrix bank_;
  gf2::Matrix row_;
  LinearMap bankMap_;
  LinearMap rowMap_;
  std::string text_;
  Cost cost_;
};

}  // namespace fermata::indexing
