// Decodes mma.sync.aligned.m8n8k4.{row|col}.{row|col}.D.f16.f16.C.
#include <fermata/stimuli/ptx/matrix_decoding.h>
#include <fermata/stimuli/ptx/register_copies.h>

namespace fermata::ptx {
namespace {

Type typeOf(bool halves) {
  return halves ? Type::B32 : Type::F32;
}

/// Takes the layouts of a and b; returns them as flags.
std::uint8_t takeLayouts(Decoding& d) {
  const std::string_view opcode = d.statement().opcode;
  const auto names = [&](std::string_view pair) { return opcode.find(pair) != opcode.npos; };
  for (unsigned matrix = 0; matrix < 2; ++matrix) {
    if (d.takeOneOf({"row", "col"}).empty()) d.unsupported("expected .row or .col, twice");
  }
  const bool columns = names(".col.row.") || names(".col.col.");
  const bool rows = names(".row.row.") || names(".col.row.");
  return static_cast<std::uint8_t>((columns ? kColumnsOfA : 0) | (rows ? kRowsOfB : 0));
}

void emitQuadProducts(Decoding& d, std::uint8_t flags, const MatrixOperands& operands,
                      const RegisterCopies& copies) {
  std::vector<Row>& rows = d.builder().code().matrixRows;
  d.i.product.rows = static_cast<std::uint32_t>(rows.size());
  for (const Operand* one : operands.a) rows.push_back(copies.source(d, *one, Type::B32));
  for (const Operand* one : operands.b) rows.push_back(copies.source(d, *one, Type::B32));
  for (const Operand* one : operands.c)
    rows.push_back(copies.source(d, *one, typeOf((flags & kHalfSum) != 0)));
  for (const Operand* one : operands.d)
    rows.push_back(d.destination(*one, typeOf((flags & kHalfResult) != 0)));
  d.i.handler = &executeQuadProducts;
  d.i.product.flags = flags;
  const unsigned work = 4U * workOf({Factor::F16, Sum::F32, Sum::F32, 8, 4});
  d.tensorWork = static_cast<std::uint16_t>((flags & kHalfResult) != 0 ? work : work / 2);
  d.floatSums = (flags & kHalfSum) == 0;
  d.emit(InstructionClass::Tensor);
}

}  // namespace

void decodeQuadProduct(Decoding& d) {
  takeAligned(d);
  d.take("m8n8k4");
  std::uint8_t flags = takeLayouts(d);
  const MatrixTypes types = takeMatrixTypes(d);
  d.finishModifiers();
  const bool halfSum = types.form.sum == Sum::F16, halfResult = types.form.result == Sum::F16;
  if (types.form.factor != Factor::F16 || (!halfSum && types.form.sum != Sum::F32) ||
      (!halfResult && types.form.result != Sum::F32))
    d.unsupported();
  if (halfResult && !halfSum) d.unsupported("d is f32 where c is");
  flags |= (halfSum ? kHalfSum : 0) | (halfResult ? kHalfResult : 0);
  d.expectOperands(4);
  const auto a = fragment(d, d.operand(1), 2), b = fragment(d, d.operand(2), 2);
  const auto c = fragment(d, d.operand(3), halfSum ? 4 : 8);
  const auto result = fragment(d, d.operand(0), halfResult ? 4 : 8);
  if (halfResult) return emitQuadProducts(d, flags, {a, b, c, result}, {});
  // The scoreboard does not track eight results: emit four columns, then the other four.
  const unsigned sums = halfSum ? 2 : 4;
  const MatrixOperands first = {a, b, part(c, 0, sums), part(result, 0, 4)};
  const MatrixOperands second = {a, b, part(c, sums, sums), part(result, 4, 4)};
  RegisterCopies copies;
  copies.add(d, first.d, a, Type::B32);
  copies.add(d, first.d, b, Type::B32);
  copies.add(d, first.d, second.c, typeOf(halfSum));
  emitQuadProducts(d, flags, first, copies);
  emitQuadProducts(d, flags | kLastColumns, second, copies);
}

}  // namespace fermata::ptx
