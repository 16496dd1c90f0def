// mma.sp of f16 and bf16. Two of every four elements of a row of a are present (PTX ISA, "Matrix
// multiply-accumulate operation using mma.sp instruction with sparse matrix A").
#include <fermata/stimuli/ptx/half.h>
#include <fermata/stimuli/ptx/matrix_ops.h>
#include <fermata/stimuli/ptx/warp.h>

namespace fermata::ptx {
namespace {

constexpr unsigned kBlockSide = 8;  // rows of a block, and columns of b

double numberOf(std::uint32_t bits) {
  return static_cast<double>(bitsAs<float>(bits));
}

class SparseProduct {
 public:
  SparseProduct(const Warp& warp, const Instruction& i)
      : warp_(warp), i_(i), depth_(has(kDeep) ? 32 : 16) {
    const unsigned sums = i.elements * (has(kHalfSum) ? 1 : 2);
    a_ = &warp.machine->code->matrixRows[i.product.rows];
    b_ = a_ + i.elements * depth_ / 16;
    c_ = b_ + depth_ / 8;
    d_ = c_ + sums;
    metadata_ = rowOf<std::uint32_t>(warp, d_[sums]);
  }

  void run() const {
    double sums[2][kBlockSide][kBlockSide];
    for (unsigned block = 0; block < i_.elements; ++block) {
      for (unsigned row = 0; row < kBlockSide; ++row) sumRow(block, row, sums[block][row]);
    }
    for (unsigned block = 0; block < i_.elements; ++block) {
      for (unsigned row = 0; row < kBlockSide; ++row) writeRow(block, row, sums[block][row]);
    }
  }

 private:
  bool has(std::uint8_t flag) const { return (i_.product.flags & flag) != 0; }

  /// Returns the word with a pair of columns of a row, which is in lane 4 * row + pair.
  std::uint32_t& word(Row row, unsigned of, unsigned pair) const {
    return rowOf<std::uint32_t>(warp_, row)[4 * of + pair];
  }
  /// Returns element `at`, of eight, of a row of a or a column of b.
  double factor(Row row, unsigned of, unsigned at) const {
    const std::uint32_t half = word(row, of, at / 2) >> (at % 2 * 16) & 0xffffU;
    return has(kBrainFactors) ? numberOf(half << 16) : static_cast<double>(f16ToFloat(half));
  }

  /// Returns the column of the element of a row that is present as number `at`.
  unsigned columnOf(unsigned block, unsigned row, unsigned at) const {
    const unsigned chunk = at / 2;
    const unsigned lane =
        4 * row + (has(kDeep) ? 2U * i_.product.selector + chunk / 4 : i_.product.selector);
    const unsigned shift = 16 * (i_.product.firstBlock + block) + 4 * (chunk % 4) + 2 * (at % 2);
    return 4 * chunk + (metadata_[lane] >> shift & 3U);
  }

  void sumRow(unsigned block, unsigned row, double (&sums)[kBlockSide]) const {
    for (unsigned column = 0; column < kBlockSide; ++column)
      sums[column] = sumBefore(block, row, column);
    for (unsigned at = 0; at < depth_ / 2; ++at) {
      const double x = factor(a_[at / 8 * i_.elements + block], row, at % 8);
      const unsigned k = columnOf(block, row, at);
      for (unsigned column = 0; column < kBlockSide; ++column)
        sums[column] += x * factor(b_[k / 8], column, k % 8);
    }
  }

  double sumBefore(unsigned block, unsigned row, unsigned column) const {
    if (!has(kHalfSum)) return numberOf(word(c_[2 * block + column % 2], row, column / 2));
    const std::uint32_t pair = word(c_[block], row, column / 2);
    return static_cast<double>(f16ToFloat(pair >> (column % 2 * 16) & 0xffffU));
  }

  void writeRow(unsigned block, unsigned row, const double (&sums)[kBlockSide]) const {
    for (unsigned pair = 0; pair < kBlockSide / 2; ++pair) {
      if (has(kHalfSum)) {
        word(d_[block], row, pair) =
            f16FromDouble(sums[2 * pair]) | f16FromDouble(sums[2 * pair + 1]) << 16;
        continue;
      }
      for (unsigned e = 0; e < 2; ++e)
        word(d_[2 * block + e], row, pair) = bitsOfResult(static_cast<float>(sums[2 * pair + e]));
    }
  }

  const Warp& warp_;
  const Instruction& i_;
  unsigned depth_;
  const Row *a_ = nullptr, *b_ = nullptr, *c_ = nullptr, *d_ = nullptr;
  const std::uint32_t* metadata_ = nullptr;
};

}  // namespace

void executeSparseProduct(Warp& warp, const Instruction& i, LaneMask mask) {
  if (isWholeWarp(warp, i, mask)) SparseProduct(warp, i).run();
}

}  // namespace fermata::ptx
