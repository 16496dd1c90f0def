#include <fermata/stimuli/ptx/matrix_decoding.h>

#include <fermata/stimuli/ptx/register_copies.h>

#include <algorithm>
#include <array>
#include <utility>

namespace fermata::ptx {
namespace {

struct NamedFactor {
  std::string_view name;
  Factor factor;
  bool flagged = false;  ///< sets kSignedA or kSignedB
};
constexpr std::array<NamedFactor, 11> kFactors = {{{"f16", Factor::F16},
                                                   {"bf16", Factor::Bf16},
                                                   {"tf32", Factor::Tf32},
                                                   {"f64", Factor::F64},
                                                   {"s8", Factor::Byte, true},
                                                   {"u8", Factor::Byte},
                                                   {"s4", Factor::Nibble, true},
                                                   {"u4", Factor::Nibble},
                                                   {"e4m3", Factor::Float8},
                                                   {"e5m2", Factor::Float8, true},
                                                   {"b1", Factor::Bit}}};
constexpr std::array<std::string_view, 4> kSums = {"f32", "f16", "s32", "f64"};

/// Returns the last four parts of an opcode.
std::array<std::string_view, 4> lastParts(std::string_view opcode) {
  std::array<std::string_view, 4> parts;
  for (std::size_t k = parts.size(); k-- > 0;) {
    const std::size_t dot = opcode.rfind('.');
    if (dot == std::string_view::npos) break;
    parts[k] = opcode.substr(dot + 1);
    opcode = opcode.substr(0, dot);
  }
  return parts;
}

const NamedFactor* findFactor(std::string_view name) {
  const auto found = std::find_if(kFactors.begin(), kFactors.end(),
                                  [&](const NamedFactor& each) { return each.name == name; });
  return found == kFactors.end() ? nullptr : found;
}

}  // namespace

Type typeOf(Sum sum) {
  constexpr std::array<Type, 4> kTypes = {Type::F32, Type::B32, Type::S32, Type::F64};
  return kTypes[static_cast<std::size_t>(sum)];
}

namespace {

Type typeOf(Factor factor) {
  return factor == Factor::F64 ? Type::F64 : Type::B32;
}

void copyWritten(Decoding& d, const MatrixForm& form, const std::vector<const Operand*>& written,
                 const MatrixOperands& product, RegisterCopies& copies) {
  copies.add(d, written, product.a, typeOf(form.factor));
  copies.add(d, written, product.b, typeOf(form.factor));
  if (!product.continues) copies.add(d, written, product.c, typeOf(form.sum));
  if (product.metadata != nullptr) copies.add(d, written, {product.metadata}, Type::B32);
}

void emitProduct(Decoding& d, const MatrixForm& form, const MatrixProduct& product,
                 const RegisterCopies& copies) {
  const MatrixOperands& operands = product.operands;
  const Type factor = typeOf(form.factor), sum = typeOf(form.sum);
  std::vector<Row>& rows = d.builder().code().matrixRows;
  d.i.handler = product.handler;
  d.i.product = product.fields;
  d.i.product.rows = static_cast<std::uint32_t>(rows.size());
  d.i.elements = product.blocks;
  for (const Operand* one : operands.a) rows.push_back(copies.source(d, *one, factor));
  for (const Operand* one : operands.b) rows.push_back(copies.source(d, *one, factor));
  for (const Operand* one : operands.c)
    rows.push_back(operands.continues ? d.source(*one, sum) : copies.source(d, *one, sum));
  for (const Operand* one : operands.d) rows.push_back(d.destination(*one, typeOf(form.result)));
  if (operands.metadata != nullptr) rows.push_back(copies.source(d, *operands.metadata, Type::B32));
  d.tensorWork = product.work;
  d.floatSums = form.sum == Sum::F32;
  d.emit(InstructionClass::Tensor);
}

}  // namespace

std::uint16_t workOf(const MatrixForm& form) {
  const unsigned bits = form.factor == Factor::F64 ? 16 * 16 : bitsOf(form.factor);
  constexpr unsigned kWhole = 16 * 8 * 16 * 16 / StaticInstruction::kTensorWork;
  return static_cast<std::uint16_t>(form.m * 8U * form.k * bits / kWhole);
}

void takeAligned(Decoding& d) {
  if (!d.take("sync") || !d.take("aligned")) d.unsupported("expected .sync.aligned");
}

std::vector<const Operand*> fragment(Decoding& d, const Operand& operand, unsigned count) {
  auto list = Decoding::elementsOf(operand);
  if (list.size() != count)
    d.fail(operand.at, "expected {} register{} in braces", count, count == 1 ? "" : "s");
  return list;
}

std::optional<Factor> factorNamed(std::string_view name) {
  const NamedFactor* found = findFactor(name);
  return found != nullptr ? std::optional(found->factor) : std::nullopt;
}

std::optional<Sum> sumNamed(std::string_view name) {
  for (std::size_t k = 0; k < kSums.size(); ++k) {
    if (kSums[k] == name) return static_cast<Sum>(k);
  }
  return std::nullopt;
}

MatrixTypes takeMatrixTypes(Decoding& d) {
  std::string_view opcode = d.statement().opcode;
  for (const std::string_view behind : {".satfinite", ".xor.popc", ".and.popc"}) {
    if (opcode.size() > behind.size() && opcode.substr(opcode.size() - behind.size()) == behind)
      opcode.remove_suffix(behind.size());
  }
  auto names = lastParts(opcode);
  // wmma of f16 names only the types of the sums.
  if (d.mnemonic() == "wmma" && !factorNamed(names[1])) names = {names[2], "f16", "f16", names[3]};
  if (d.mnemonic() == "wgmma") names = {names[1], names[2], names[3], names[1]};
  const auto result = sumNamed(names[0]), sum = sumNamed(names[3]);
  const NamedFactor *a = findFactor(names[1]), *b = findFactor(names[2]);
  if (!result || !sum || a == nullptr || b == nullptr || a->factor != b->factor) d.unsupported();
  MatrixTypes types;
  types.form.factor = a->factor;
  types.form.sum = *sum;
  types.form.result = *result;
  if (a->flagged) types.flags |= kSignedA;
  if (b->flagged) types.flags |= kSignedB;
  for (const std::string_view name : names) d.take(name);  // a name may repeat: take each
  if (a->factor == Factor::Bit) {
    const std::string_view operation = d.takeOneOf({"xor", "and"});
    if (operation.empty() || !d.take("popc")) d.unsupported("expected .xor.popc or .and.popc");
    if (operation == "xor") types.flags |= kDiffer;
  }
  return types;
}

std::vector<const Operand*> part(const std::vector<const Operand*>& all, unsigned first,
                                 unsigned count) {
  return {all.begin() + first, all.begin() + first + count};
}

void emitProducts(Decoding& d, const MatrixForm& form, const std::vector<MatrixProduct>& products) {
  RegisterCopies copies;
  std::vector<const Operand*> written;
  for (const MatrixProduct& product : products) {
    const auto& results = product.operands.d;
    copyWritten(d, form, written, product.operands, copies);
    written.insert(written.end(), results.begin(), results.end());
  }
  for (const MatrixProduct& product : products) emitProduct(d, form, product, copies);
}

void takeRowByColumn(Decoding& d) {
  const bool ordered = d.statement().opcode.find(".row.col.") != std::string::npos;
  if (!ordered || !d.take("row") || !d.take("col")) d.unsupported();
}

}  // namespace fermata::ptx
