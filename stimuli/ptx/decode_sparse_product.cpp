// Decodes mma.sp{::ordered_metadata}.sync.aligned.{m16n8k16|m16n8k32}.row.col.D.A.B.C of f16 and
// bf16.
#include <fermata/stimuli/ptx/matrix_decoding.h>
#include <fermata/stimuli/ptx/register_copies.h>

namespace fermata::ptx {
namespace {

/// Blocks of 8 rows: `count` of them, from block `first` on.
struct RowBlocks {
  unsigned first, count;
};

struct SparseOperands {
  MatrixOperands matrices;
  const Operand* metadata;
  unsigned selector;
};

Type typeOf(const MatrixForm& form) {
  return form.sum == Sum::F16 ? Type::B32 : Type::F32;
}

/// Returns the registers of these blocks. Registers of two blocks alternate in a, and follow one
/// another in c and d.
MatrixOperands registersOf(const MatrixOperands& all, const MatrixForm& form, RowBlocks blocks) {
  MatrixOperands some;
  some.b = all.b;
  for (unsigned r = 0; r < all.a.size(); ++r) {
    if (blocks.count == 2 || r % 2 == blocks.first) some.a.push_back(all.a[r]);
  }
  const unsigned sums = form.sum == Sum::F16 ? 1 : 2;
  some.c = part(all.c, blocks.first * sums, blocks.count * sums);
  some.d = part(all.d, blocks.first * sums, blocks.count * sums);
  return some;
}

void emitSparse(Decoding& d, MatrixForm form, const SparseOperands& operands, RowBlocks blocks,
                const RegisterCopies& copies) {
  const MatrixOperands matrices = registersOf(operands.matrices, form, blocks);
  std::vector<Row>& rows = d.builder().code().matrixRows;
  d.i.product.rows = static_cast<std::uint32_t>(rows.size());
  for (const Operand* one : matrices.a) rows.push_back(copies.source(d, *one, Type::B32));
  for (const Operand* one : matrices.b) rows.push_back(copies.source(d, *one, Type::B32));
  for (const Operand* one : matrices.c) rows.push_back(copies.source(d, *one, typeOf(form)));
  for (const Operand* one : matrices.d) rows.push_back(d.destination(*one, typeOf(form)));
  rows.push_back(copies.source(d, *operands.metadata, Type::B32));
  d.i.handler = &executeSparseProduct;
  d.i.product.flags =
      static_cast<std::uint8_t>((form.factor == Factor::Bf16 ? kBrainFactors : 0) |
                                (form.sum == Sum::F16 ? kHalfSum : 0) | (form.k == 32 ? kDeep : 0));
  d.i.elements = static_cast<std::uint8_t>(blocks.count);
  d.i.product.firstBlock = static_cast<std::uint8_t>(blocks.first);
  d.i.product.selector = static_cast<std::uint8_t>(operands.selector);
  form.m = static_cast<std::uint8_t>(8 * blocks.count);
  form.k /= 2;  // half of the products do not exist
  d.tensorWork = workOf(form);
  d.floatSums = form.sum == Sum::F32;
  d.emit(InstructionClass::Tensor);
}

MatrixForm takeForm(Decoding& d) {
  if (!d.take("sp") && !d.take("sp::ordered_metadata")) d.unsupported();
  takeAligned(d);
  const std::string_view shape = d.takeOneOf({"m16n8k16", "m16n8k32"});
  const bool ordered = d.statement().opcode.find(".row.col.") != std::string::npos;
  if (shape.empty() || !ordered || !d.take("row") || !d.take("col")) d.unsupported();
  MatrixForm form = takeMatrixTypes(d).form;
  d.finishModifiers();
  const bool halves = form.factor == Factor::F16 && (form.sum == Sum::F16 || form.sum == Sum::F32);
  const bool brains = form.factor == Factor::Bf16 && form.sum == Sum::F32;
  if (!halves && !brains) d.unsupported();
  if (form.sum != form.result) d.unsupported("d and c have one type");
  form.m = 16;
  form.k = shape == "m16n8k32" ? 32 : 16;
  return form;
}

}  // namespace

void decodeSparseProduct(Decoding& d) {
  const MatrixForm form = takeForm(d);
  d.expectOperands(6);
  const unsigned sums = rowsOfSum(form, form.sum);
  SparseOperands operands;
  operands.matrices = {fragment(d, d.operand(1), form.k / 8U),
                       fragment(d, d.operand(2), rowsOfB(form)), fragment(d, d.operand(3), sums),
                       fragment(d, d.operand(0), sums)};
  operands.metadata = &d.operand(4);
  operands.selector = static_cast<unsigned>(
      d.immediate(d.operand(5), form.k == 32 ? 1 : 3, "the sparsity selector"));
  if (form.k == 16) return emitSparse(d, form, operands, {0, 2}, {});
  // The scoreboard does not track so many registers: emit 8 rows, then the other 8.
  const MatrixOperands first = registersOf(operands.matrices, form, {0, 1});
  const MatrixOperands second = registersOf(operands.matrices, form, {1, 1});
  RegisterCopies copies;
  copies.add(d, first.d, second.a, Type::B32);
  copies.add(d, first.d, second.b, Type::B32);
  copies.add(d, first.d, second.c, typeOf(form));
  copies.add(d, first.d, {operands.metadata}, Type::B32);
  emitSparse(d, form, operands, {0, 1}, copies);
  emitSparse(d, form, operands, {1, 1}, copies);
}

}  // namespace fermata::ptx
