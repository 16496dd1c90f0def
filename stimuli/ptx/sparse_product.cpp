// mma.sp of f16 and bf16, on blocks of 8 rows. Two of every four elements of a row of a are present
// (PTX ISA, "Matrix multiply-accumulate operation using mma.sp instruction with sparse matrix A").
#include <fermata/stimuli/ptx/half.h>
#include <fermata/stimuli/ptx/matrix_decoding.h>
#include <fermata/stimuli/ptx/matrix_ops.h>
#include <fermata/stimuli/ptx/warp.h>

namespace fermata::ptx {
namespace {

// ProductOperands::flags.
constexpr std::uint8_t kBrainFactors = 1;  ///< a and b are bf16
constexpr std::uint8_t kDeep = 2;          ///< k is 32, not 16
constexpr std::uint8_t kHalfSum = 4;       ///< c and d are f16

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

/// Rows: those of a, b, c and d, then that of the metadata.
void executeSparseProduct(Warp& warp, const Instruction& i, LaneMask mask) {
  if (isWholeWarp(warp, i, mask)) SparseProduct(warp, i).run();
}

MatrixForm takeSparseForm(Decoding& d) {
  if (!d.take("sp") && !d.take("sp::ordered_metadata")) d.unsupported();
  takeAligned(d);
  const std::string_view shape = d.takeOneOf({"m16n8k16", "m16n8k32"});
  if (shape.empty()) d.unsupported();
  takeRowByColumn(d);
  MatrixForm form = takeMatrixTypes(d).form;
  d.finishModifiers();
  const bool halves = form.factor == Factor::F16 && (form.sum == Sum::F16 || form.sum == Sum::F32);
  const bool brains = form.factor == Factor::Bf16 && form.sum == Sum::F32;
  if (!halves && !brains) d.unsupported();
  if (form.sum != form.result) d.unsupported("d and c have one type");
  form.k = shape == "m16n8k32" ? 32 : 16;
  return form;
}

}  // namespace

/// Decodes mma.sp{::ordered_metadata}.sync.aligned.{m16n8k16|m16n8k32}.row.col.D.A.B.C of f16 and
/// bf16.
void decodeSparseProduct(Decoding& d) {
  const MatrixForm form = takeSparseForm(d);
  d.expectOperands(6);
  const unsigned sums = rowsOfSum(form, form.sum);
  const auto a = fragment(d, d.operand(1), form.k / 8U);
  const auto b = fragment(d, d.operand(2), rowsOfB(form));
  const auto c = fragment(d, d.operand(3), sums), result = fragment(d, d.operand(0), sums);
  const std::uint64_t selector =
      d.immediate(d.operand(5), form.k == 32 ? 1 : 3, "the sparsity selector");
  // For k32 the scoreboard does not track so many registers: emit 8 rows, then the other 8.
  // Registers of two blocks of 8 rows alternate in a, and follow one another in c and d.
  const unsigned parts = form.k / 16U;
  std::vector<MatrixProduct> products(parts);
  for (unsigned p = 0; p < parts; ++p) {
    MatrixOperands& operands = products[p].operands;
    for (unsigned r = p; r < a.size(); r += parts) operands.a.push_back(a[r]);
    operands.b = b;
    operands.c = part(c, p * sums / parts, sums / parts);
    operands.d = part(result, p * sums / parts, sums / parts);
    operands.metadata = &d.operand(4);
    products[p].handler = &executeSparseProduct;
    products[p].fields.flags = static_cast<std::uint8_t>(
        (form.factor == Factor::Bf16 ? kBrainFactors : 0) | (form.sum == Sum::F16 ? kHalfSum : 0) |
        (form.k == 32 ? kDeep : 0));
    products[p].fields.firstBlock = static_cast<std::uint8_t>(p);
    products[p].fields.selector = static_cast<std::uint8_t>(selector);
    products[p].blocks = static_cast<std::uint8_t>(2 / parts);
    products[p].work = static_cast<std::uint16_t>(workOf(form) / 2 / parts);  // half do not exist
  }
  emitProducts(d, form, products);
}

}  // namespace fermata::ptx
