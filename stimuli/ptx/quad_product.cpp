// mma.m8n8k4 of f16: four products at once, each on two groups of four lanes (PTX ISA, "Matrix
// Fragments for mma.m8n8k4 with .f16 floating point type"). f16 results have all columns; f32
// results have the first or last four, and only the registers of c and d for these.
#include <fermata/stimuli/ptx/half.h>
#include <fermata/stimuli/ptx/matrix_decoding.h>
#include <fermata/stimuli/ptx/matrix_ops.h>
#include <fermata/stimuli/ptx/warp.h>

namespace fermata::ptx {
namespace {

// ProductOperands::flags.
constexpr std::uint8_t kColumnsOfA = 1;  ///< a lane has a column of a, not a row
constexpr std::uint8_t kRowsOfB = 2;     ///< a lane has a row of b, not a column
constexpr std::uint8_t kHalfSum = 4;     ///< c is of f16
constexpr std::uint8_t kHalfResult = 8;  ///< d is of f16
constexpr std::uint8_t kLastColumns = 16;

constexpr unsigned kProducts = 4, kMembers = 8;   // kMembers: lanes of a product
constexpr unsigned kProductSide = 8, kDepth = 4;  // 8 x 4 by 4 x 8
constexpr unsigned kRegistersOfFactor = 2;

/// Returns the lane of member p of a product. The upper four members are 16 lanes behind the lower
/// ones.
unsigned laneOf(unsigned product, unsigned p) {
  return 4 * product + p % 4 + p / 4 * 16;
}

/// Returns element e that a lane has in registers of two halves.
double halfAt(const Warp& warp, const Row* rows, unsigned lane, unsigned e) {
  const std::uint32_t word = rowOf<std::uint32_t>(warp, rows[e / 2])[lane];
  return static_cast<double>(f16ToFloat(word >> (e % 2 * 16) & 0xffffU));
}

double floatAt(const Warp& warp, Row row, unsigned lane) {
  return static_cast<double>(bitsAs<float>(rowOf<std::uint32_t>(warp, row)[lane]));
}

struct Place {
  unsigned row, column;
};
/// Returns the place of a member's element e in c and d. With f16 a member has one row, with f32
/// parts of two rows.
Place placeOf(bool halves, unsigned p, unsigned e) {
  if (halves) return {p, e};
  return {(p & 5U) + (e & 2U), (e & 4U) + (p & 2U) + (e & 1U)};
}

using Sums = double[kProductSide][kProductSide];

/// One product, on the columns that elements `first` to `first + count` of c have.
class QuadProduct {
 public:
  QuadProduct(const Warp& warp, const Instruction& i, unsigned product)
      : warp_(warp),
        i_(i),
        rows_(&warp.machine->code->matrixRows[i.product.rows]),
        product_(product),
        first_(has(kLastColumns) ? 4 : 0),
        count_(has(kHalfResult) ? 8 : 4) {}

  void run() {
    readFactors();
    Sums sums;
    readSums(sums);
    for (unsigned row = 0; row < kProductSide; ++row) {
      for (unsigned column = first_; column < first_ + count_; ++column) {
        for (unsigned k = 0; k < kDepth; ++k) sums[row][column] += a_[row][k] * b_[k][column];
      }
    }
    writeSums(sums);
  }

 private:
  bool has(std::uint8_t flag) const { return (i_.product.flags & flag) != 0; }

  void readFactors() {
    for (unsigned p = 0; p < kMembers; ++p) {
      const unsigned lane = laneOf(product_, p), own = p % 4, group = p / 4 * 4;
      for (unsigned e = 0; e < kDepth; ++e) {
        double& a = has(kColumnsOfA) ? a_[group + e][own] : a_[p][e];
        double& b = has(kRowsOfB) ? b_[own][group + e] : b_[e][p];
        a = halfAt(warp_, rows_, lane, e);
        b = halfAt(warp_, rows_ + kRegistersOfFactor, lane, e);
      }
    }
  }

  /// Calls act(place, lane, e) for each element that a lane has of c or d.
  template <class Act>
  void eachSum(bool halves, Act act) const {
    for (unsigned p = 0; p < kMembers; ++p) {
      for (unsigned e = 0; e < count_; ++e)
        act(placeOf(halves, p, first_ + e), laneOf(product_, p), e);
    }
  }

  void readSums(Sums& sums) const {
    const Row* c = rows_ + 2 * kRegistersOfFactor;
    eachSum(has(kHalfSum), [&](Place at, unsigned lane, unsigned e) {
      sums[at.row][at.column] =
          has(kHalfSum) ? halfAt(warp_, c, lane, e) : floatAt(warp_, c[e], lane);
    });
  }

  void writeSums(const Sums& sums) const {
    const Row* d = rows_ + 2 * kRegistersOfFactor + (has(kHalfSum) ? count_ / 2 : count_);
    eachSum(has(kHalfResult), [&](Place at, unsigned lane, unsigned e) {
      const double sum = sums[at.row][at.column];
      if (!has(kHalfResult)) {
        rowOf<std::uint32_t>(warp_, d[e])[lane] = bitsOfResult(static_cast<float>(sum));
        return;
      }
      std::uint32_t& word = rowOf<std::uint32_t>(warp_, d[e / 2])[lane];
      word = e % 2 == 0 ? f16FromDouble(sum) : word | f16FromDouble(sum) << 16;
    });
  }

  const Warp& warp_;
  const Instruction& i_;
  const Row* rows_;
  unsigned product_;
  unsigned first_, count_;
  double a_[kProductSide][kDepth] = {};
  double b_[kDepth][kProductSide] = {};
};

void executeQuadProducts(Warp& warp, const Instruction& i, LaneMask mask) {
  if (!isWholeWarp(warp, i, mask)) return;
  for (unsigned product = 0; product < kProducts; ++product) QuadProduct(warp, i, product).run();
}

/// Takes the layouts of a and b of m8n8k4; returns them as flags.
unsigned takeQuadLayouts(Decoding& d) {
  const std::string_view opcode = d.statement().opcode;
  const auto names = [&](std::string_view pair) { return opcode.find(pair) != opcode.npos; };
  for (unsigned matrix = 0; matrix < 2; ++matrix) {
    if (d.takeOneOf({"row", "col"}).empty()) d.unsupported("expected .row or .col, twice");
  }
  const bool columns = names(".col.row.") || names(".col.col.");
  const bool rows = names(".row.row.") || names(".col.row.");
  return (columns ? kColumnsOfA : 0U) | (rows ? kRowsOfB : 0U);
}

}  // namespace

/// Decodes mma.sync.aligned.m8n8k4.{row|col}.{row|col}.D.f16.f16.C.
void decodeQuadProduct(Decoding& d) {
  takeAligned(d);
  d.take("m8n8k4");
  const unsigned layouts = takeQuadLayouts(d);
  const MatrixForm form = takeMatrixTypes(d).form;
  d.finishModifiers();
  const bool halfSum = form.sum == Sum::F16, halfResult = form.result == Sum::F16;
  if (form.factor != Factor::F16 || (!halfSum && form.sum != Sum::F32) ||
      (!halfResult && form.result != Sum::F32))
    d.unsupported();
  if (halfResult && !halfSum) d.unsupported("d is f32 where c is");
  d.expectOperands(4);
  const auto a = fragment(d, d.operand(1), 2), b = fragment(d, d.operand(2), 2);
  const auto c = fragment(d, d.operand(3), halfSum ? 4 : 8);
  const auto result = fragment(d, d.operand(0), halfResult ? 4 : 8);
  // The scoreboard does not track eight results: emit four columns, then the other four.
  const unsigned parts = halfResult ? 1 : 2;
  const auto sums = static_cast<unsigned>(c.size()) / parts;
  std::vector<MatrixProduct> products(parts);
  for (unsigned p = 0; p < parts; ++p) {
    products[p].operands = {a, b, part(c, p * sums, sums), part(result, 4 * p, 4)};
    products[p].handler = &executeQuadProducts;
    products[p].fields.flags =
        static_cast<std::uint8_t>(layouts | (halfSum ? kHalfSum : 0U) |
                                  (halfResult ? kHalfResult : 0U) | (p != 0 ? kLastColumns : 0U));
    products[p].work =
        static_cast<std::uint16_t>(4U * workOf({Factor::F16, Sum::F32, Sum::F32, 8, 4}) / parts);
  }
  emitProducts(d, form, products);
}

}  // namespace fermata::ptx
