// Decodes ldmatrix stmatrix mma.
#include <algorithm>
#include <array>

#include <fermata/stimuli/ptx/decoders.h>
#include <fermata/stimuli/ptx/matrix_decoding.h>
#include <fermata/stimuli/ptx/matrix_ops.h>

namespace fermata::ptx {
namespace {

/// Takes an address in the shared space or, unless the space is `named`, a generic address of it.
void sharedAddress(Decoding& d, const Operand& operand, bool named) {
  if (operand.kind != Operand::Kind::Address || operand.elements.size() != 1)
    d.fail(operand.at, "expected an address such as [%rd1+16]");
  d.address(operand, named ? MemorySpace::Shared : MemorySpace::Generic);
  if (d.i.space == MemorySpace::Generic) d.i.matrixAccess.generic = true;
  if (d.i.space != MemorySpace::Generic && d.i.space != MemorySpace::Shared)
    d.fail(operand.at, "expected an address in shared memory");
  d.i.space = MemorySpace::Shared;
}

struct Shape {
  std::string_view name;
  std::uint8_t m;
  std::uint16_t k;
};

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
  sharedAddress(d, d.operand(isLoad ? 1 : 0), named);
  const auto data = fragment(d, d.operand(isLoad ? 0 : 1), d.i.elements);
  for (unsigned e = 0; e < d.i.elements; ++e)
    d.i.vector[e] = isLoad ? d.destination(*data[e], Type::B32) : d.source(*data[e], Type::B32);
  d.emit(InstructionClass::Memory);
}

/// Decodes mma.sync.aligned.SHAPE.row.col{.satfinite}.D.A.B.C{.xor.popc|.and.popc}.
void decodeMma(Decoding& d) {
  constexpr std::array<Shape, 11> kShapes = {{{"m8n8k4", 8, 4},
                                              {"m8n8k16", 8, 16},
                                              {"m8n8k32", 8, 32},
                                              {"m16n8k4", 16, 4},
                                              {"m16n8k8", 16, 8},
                                              {"m16n8k16", 16, 16},
                                              {"m16n8k32", 16, 32},
                                              {"m16n8k64", 16, 64},
                                              {"m8n8k128", 8, 128},
                                              {"m16n8k128", 16, 128},
                                              {"m16n8k256", 16, 256}}};
  if (d.has("sp") || d.has("sp::ordered_metadata")) return decodeSparseProduct(d);
  if (d.has("m8n8k4") && !d.has("f64")) return decodeQuadProduct(d);
  takeAligned(d);
  const auto shape = std::find_if(kShapes.begin(), kShapes.end(),
                                  [&](const Shape& each) { return d.take(each.name); });
  const bool ordered = d.statement().opcode.find(".row.col.") != std::string::npos;
  if (shape == kShapes.end() || !ordered || !d.take("row") || !d.take("col")) d.unsupported();
  const bool clamps = d.take("satfinite");
  MatrixTypes types = takeMatrixTypes(d);
  if (types.form.factor == Factor::F64) d.take("rn");
  d.finishModifiers();
  types.form.m = shape->m;
  // m16n8k16 of f64 has more registers than the scoreboard tracks: emit two of m16n8k8.
  const unsigned parts = types.form.factor == Factor::F64 && shape->k == 16 ? 2 : 1;
  types.form.k = static_cast<std::uint16_t>(shape->k / parts);
  if (types.form.sum != types.form.result) d.unsupported("d and c have one type");
  if (clamps && (types.form.sum != Sum::S32 || types.form.factor == Factor::Bit))
    d.unsupported("'.satfinite' is of integers");
  if (clamps) types.flags |= kClampSum;
  const MatrixForm& form = types.form;
  d.require(matrixHandler(form));
  d.expectOperands(4);
  const unsigned rowsA = rowsOfA(form), rowsB = rowsOfB(form);
  const auto a = fragment(d, d.operand(1), parts * rowsA);
  const auto b = fragment(d, d.operand(2), parts * rowsB);
  const auto c = fragment(d, d.operand(3), rowsOfSum(form, form.sum));
  const auto result = fragment(d, d.operand(0), rowsOfSum(form, form.result));
  std::vector<MatrixOperands> products;
  for (unsigned p = 0; p < parts; ++p) {
    products.push_back({part(a, p * rowsA, rowsA), part(b, p * rowsB, rowsB), p == 0 ? c : result,
                        result, p != 0});
  }
  emitProducts(d, types, products);
}

}  // namespace fermata::ptx
