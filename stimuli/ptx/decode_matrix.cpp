// Decodes mma.
#include <algorithm>

#include <fermata/stimuli/ptx/decoders.h>
#include <fermata/stimuli/ptx/matrix_decoding.h>
#include <fermata/stimuli/ptx/matrix_ops.h>

namespace fermata::ptx {
namespace {

/// Takes m8n8kK or m16n8kK.
void takeShape(Decoding& d, MatrixForm& form) {
  for (const unsigned m : {8U, 16U}) {
    for (unsigned k = 4; k <= 256; k *= 2) {
      if (!d.take(message("m{}n8k{}", m, k))) continue;
      form.m = static_cast<std::uint8_t>(m);
      form.k = static_cast<std::uint16_t>(k);
      return;
    }
  }
  d.unsupported();
}

}  // namespace

/// Decodes mma.sync.aligned.SHAPE.row.col{.satfinite}.D.A.B.C{.xor.popc|.and.popc}.
void decodeMma(Decoding& d) {
  if (d.has("sp") || d.has("sp::ordered_metadata")) return decodeSparseProduct(d);
  if (d.has("m8n8k4") && !d.has("f64")) return decodeQuadProduct(d);
  takeAligned(d);
  MatrixForm shape;
  takeShape(d, shape);
  takeRowByColumn(d);
  const bool clamps = d.take("satfinite");
  MatrixTypes types = takeMatrixTypes(d);
  MatrixForm& form = types.form;
  if (form.factor == Factor::F64) d.take("rn");
  d.finishModifiers();
  // m16n8k16 of f64 has more registers than the scoreboard tracks: emit two of m16n8k8.
  const unsigned parts = form.factor == Factor::F64 && shape.k == 16 ? 2 : 1;
  form.m = shape.m;
  form.k = static_cast<std::uint16_t>(shape.k / parts);
  if (form.sum != form.result) d.unsupported("d and c have one type");
  if (clamps && (form.sum != Sum::S32 || form.factor == Factor::Bit))
    d.unsupported("'.satfinite' is of integers");
  if (clamps) types.flags |= kClampSum;
  const Handler handler = d.require(matrixHandler(form));
  d.expectOperands(4);
  const unsigned rowsA = rowsOfA(form), rowsB = rowsOfB(form);
  const auto a = fragment(d, d.operand(1), parts * rowsA);
  const auto b = fragment(d, d.operand(2), parts * rowsB);
  const auto c = fragment(d, d.operand(3), rowsOfSum(form, form.sum));
  const auto result = fragment(d, d.operand(0), rowsOfSum(form, form.result));
  std::vector<MatrixProduct> products(parts);
  for (unsigned p = 0; p < parts; ++p) {
    products[p].operands = {part(a, p * rowsA, rowsA), part(b, p * rowsB, rowsB),
                            p == 0 ? c : result, result, p != 0};
    products[p].handler = handler;
    products[p].fields.flags = types.flags;
    products[p].work = workOf(form);
  }
  emitProducts(d, form, products);
}

}  // namespace fermata::ptx
