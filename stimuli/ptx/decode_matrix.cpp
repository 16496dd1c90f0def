// Decodes ldmatrix stmatrix mma.
#include <algorithm>

#include <fermata/stimuli/ptx/decoders.h>
#include <fermata/stimuli/ptx/matrix_decoding.h>
#include <fermata/stimuli/ptx/matrix_ops.h>

namespace fermata::ptx {
namespace {

/// Takes an address in the shared space or, unless the space is `named`, a generic address of it.
void sharedAddress(Decoding& d, std::size_t k, bool named) {
  d.address(d.addressOperand(k), named ? MemorySpace::Shared : MemorySpace::Generic);
  if (d.i.space == MemorySpace::Generic) d.i.matrixAccess.generic = true;
  if (d.i.space != MemorySpace::Generic && d.i.space != MemorySpace::Shared)
    d.fail(d.operand(k).at, "expected an address in shared memory");
  d.i.space = MemorySpace::Shared;
}

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

}  // namespace

void decodeMatrixMemory(Decoding& d) {
  const bool isLoad = d.mnemonic() == "ldmatrix";
  takeAligned(d);
  if (!d.take("m8n8")) d.unsupported("expected .m8n8");
  const std::string_view count = d.takeOneOf({"x1", "x2", "x4"});
  if (count.empty()) d.unsupported("expected .x1, .x2 or .x4");
  if (d.take("trans")) d.i.matrixAccess.transposed = true;
  const bool named = !d.takeOneOf({"shared", "shared::cta"}).empty();
  if (d.takeType() != Type::B16) d.unsupported("expected .b16");
  d.finishModifiers();
  d.expectOperands(2);
  d.i.elements = static_cast<std::uint8_t>(count[1] - '0');
  d.i.bytesPerLane = 16;
  d.i.operation = isLoad ? MemoryOperation::Load : MemoryOperation::Store;
  d.i.handler = isLoad ? &executeLoadMatrix : &executeStoreMatrix;
  sharedAddress(d, isLoad ? 1 : 0, named);
  const auto data = fragment(d, d.operand(isLoad ? 0 : 1), d.i.elements);
  for (unsigned e = 0; e < d.i.elements; ++e)
    d.i.vector[e] = isLoad ? d.destination(*data[e], Type::B32) : d.source(*data[e], Type::B32);
  d.emit(InstructionClass::Memory);
}

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
