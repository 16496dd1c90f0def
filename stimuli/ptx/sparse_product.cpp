// Decodes mma.sp: half of the elements of a row of a are present (PTX ISA, "Matrix
// multiply-accumulate operation using mma.sp instruction with sparse matrix A").
#include <fermata/stimuli/ptx/decoders.h>
#include <fermata/stimuli/ptx/matrix_decoding.h>
#include <fermata/stimuli/ptx/matrix_ops.h>

namespace fermata::ptx {
namespace {

constexpr unsigned kShortest = 8, kLongest = 128;  // k

MatrixTypes takeSparseTypes(Decoding& d) {
  if (!d.take("sp") && !d.take("sp::ordered_metadata")) d.unsupported();
  takeAligned(d);
  unsigned k = kShortest;
  while (!d.take(message("m16n8k{}", k))) {
    if (k == kLongest) d.unsupported();
    k *= 2;
  }
  takeRowByColumn(d);
  const bool clamps = d.take("satfinite");
  MatrixTypes types = takeMatrixTypes(d);
  d.finishModifiers();
  types.form.k = static_cast<std::uint16_t>(k);
  if (types.form.sum != types.form.result) d.unsupported("d and c have one type");
  if (clamps && types.form.sum != Sum::S32) d.unsupported("'.satfinite' is of integers");
  if (clamps) types.flags |= kClampSum;
  return types;
}

/// Returns the largest selector. Four lanes of a group hold metadata of 16 or 32 bits per row; one,
/// two or all of them hold all that a product needs.
unsigned largestSelector(const MatrixForm& form) {
  const bool deep = form.k == 4 * depthOf(form.factor);
  if (bitsOf(form.factor) <= 8) return deep ? 0 : 1;
  return deep ? 1 : 3;
}

}  // namespace

/// Decodes mma.sp{::ordered_metadata}.sync.aligned.SHAPE.row.col{.satfinite}.D.A.B.C.
void decodeSparseProduct(Decoding& d) {
  const MatrixTypes types = takeSparseTypes(d);
  MatrixForm form = types.form;
  // For the longer k the scoreboard does not track so many registers: emit 8 rows, then the other
  // 8. Registers of two blocks of 8 rows alternate in a, and follow one another in c and d.
  const unsigned parts = form.k == 4 * depthOf(form.factor) ? 2 : 1;
  form.m = static_cast<std::uint8_t>(16 / parts);
  const Handler handler = d.require(sparseMatrixHandler(form));
  d.expectOperands(6);
  const unsigned sums = parts * rowsOfSum(form, form.sum);
  const auto a = fragment(d, d.operand(1), parts * rowsOfA(form) / 2);
  const auto b = fragment(d, d.operand(2), rowsOfB(form));
  const auto c = fragment(d, d.operand(3), sums), result = fragment(d, d.operand(0), sums);
  const std::uint64_t selector =
      d.immediate(d.operand(5), largestSelector(form), "the sparsity selector");
  std::vector<MatrixProduct> products(parts);
  for (unsigned p = 0; p < parts; ++p) {
    MatrixOperands& operands = products[p].operands;
    for (unsigned r = p; r < a.size(); r += parts) operands.a.push_back(a[r]);
    operands.b = b;
    operands.c = part(c, p * sums / parts, sums / parts);
    operands.d = part(result, p * sums / parts, sums / parts);
    operands.metadata = &d.operand(4);
    products[p].handler = handler;
    products[p].fields.flags = types.flags;
    products[p].fields.firstBlock = static_cast<std::uint8_t>(p);
    products[p].fields.selector = static_cast<std::uint8_t>(selector);
    products[p].work = static_cast<std::uint16_t>(workOf(form) / 2);  // half do not exist
  }
  emitProducts(d, form, products);
}

}  // namespace fermata::ptx
