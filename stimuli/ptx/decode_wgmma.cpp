// Decodes wgmma.mma_async wgmma.mma_async.sp wgmma.fence wgmma.commit_group wgmma.wait_group.
//
// Four warps multiply 64 rows. Each warp has 16 rows, and n/8 products of mma's shape. A warp reads
// factors in shared memory with accesses of their own, one for its rows of a and some for its share
// of b; the product waits for them. Products of a warp follow one another: when one begins, all
// earlier ones have ended. Therefore only wait_group 0 waits.
//
// A product reads what all four warps have stored, and over it may be stored when one of them has
// waited for it. So they meet at the fence before products and at the commit behind them: barriers
// that cost nothing but the wait for the last warp.
#include <algorithm>
#include <string>

#include <fermata/stimuli/ptx/decoders.h>
#include <fermata/stimuli/ptx/factor_tile.h>
#include <fermata/stimuli/ptx/matrix_decoding.h>

namespace fermata::ptx {
namespace {

constexpr unsigned kMostColumns = 256;
constexpr unsigned kRowsOfGroup = 64;
constexpr unsigned kCoresOfAccess = 16;  // over all four warps

/// Takes m64nNkK; returns N.
unsigned takeColumns(Decoding& d, const MatrixForm& form, unsigned k) {
  for (unsigned n = 8; n <= kMostColumns; n += 8) {
    const bool exists = form.sum != Sum::S32 || n == 8 || n == 24 || n % 16 == 0;
    if (exists && d.take(fmt::format("m64n{}k{}", n, k))) return n;
  }
  d.unsupported();
}

struct Product {
  MatrixTypes types;
  unsigned columns = 0;
  bool aInRegisters = false;
  bool sparse = false;  ///< a holds half of the elements of each row, which have 64 bytes
  std::uint8_t flags = 0;
  std::uint8_t selector = 0;  ///< of the lanes with metadata
  /// Core matrices of b along k.
  std::uint8_t across() const { return sparse ? 4 : 2; }
  /// Number of the operand that says whether d counts.
  std::size_t condition() const { return sparse ? 5 : 3; }
};

/// Takes {.sp}.sync.aligned.SHAPE{.satfinite}.D.A.B.
Product takeProduct(Decoding& d) {
  Product product;
  product.sparse = d.take("sp");
  takeAligned(d);
  const bool clamps = d.take("satfinite");
  product.types = takeMatrixTypes(d);
  MatrixForm& form = product.types.form;
  form.k = static_cast<std::uint16_t>(2 * depthOf(form.factor));
  product.columns = takeColumns(d, form, form.k * (product.sparse ? 2U : 1U));
  d.finishModifiers();
  if (clamps && (form.sum != Sum::S32 || form.factor == Factor::Bit))
    d.unsupported("'.satfinite' is of integers");
  if ((product.types.flags & kDiffer) != 0) d.unsupported("expected .and.popc");
  if (clamps) product.types.flags |= kClampSum;
  return product;
}

/// Takes a scale of 1 or -1; returns true if it is -1.
bool isNegated(Decoding& d, std::size_t k) {
  const Operand& scale = d.operand(k);
  const auto value = static_cast<std::int64_t>(scale.integer);
  if (scale.kind != Operand::Kind::Integer || (value != 1 && value != -1))
    d.fail(scale.at, "expected a scale of 1 or -1");
  return value == -1;
}

/// Takes the signs of the factors and whether they are transposed, as far as the form has them.
void takeImmediates(Decoding& d, Product& product) {
  const MatrixForm& form = product.types.form;
  const std::size_t first = product.condition() + 1;
  if (form.sum == Sum::S32) return d.expectOperands(first);
  const bool turns = bitsOf(form.factor) == 16;
  const std::size_t transposes = !turns ? 0 : product.aInRegisters ? 1 : 2;
  d.expectOperands(first + 2 + transposes);
  if (isNegated(d, first) != isNegated(d, first + 1)) product.flags |= kNegatedProduct;
  if (transposes == 2 && d.immediate(d.operand(first + 2), 1, "the transposition of a") != 0)
    product.flags |= kTransposedA;
  if (transposes != 0 &&
      d.immediate(d.operand(first + 1 + transposes), 1, "the transposition of b") != 0)
    product.flags |= kTransposedB;
}

/// Takes the sparsity selector: which pair of each four lanes holds the metadata. Of types of 8
/// bits all four do.
void takeSelector(Decoding& d, Product& product) {
  const unsigned most = bitsOf(product.types.form.factor) == 8 ? 0 : 1;
  product.selector =
      static_cast<std::uint8_t>(d.immediate(d.operand(4), most, "the sparsity selector"));
}

/// Emits the accesses in which the four warps read a factor of `rows` rows. Only the product reads
/// the tokens.
void emitReads(Decoding& d, std::size_t operand, unsigned rows, std::uint8_t across,
               bool transposed, std::vector<RegisterId>& tokens) {
  const unsigned cores = rows / kCoreRows * across;
  for (unsigned first = 0; first < cores; first += kCoresOfAccess) {
    d.i.handler = &executeFactorRead;
    d.i.a = d.source(operand, Type::B64);
    d.i.factorRead.transposed = transposed;
    d.i.factorRead.part = static_cast<std::uint8_t>(first / kCoresOfAccess);
    d.i.factorRead.cores = cores;
    d.i.factorRead.across = across;
    d.i.space = MemorySpace::Shared;
    d.i.bytesPerLane = kCoreRowBytes;
    const unsigned share =
        (std::min(cores - first, kCoresOfAccess) + kWarpsOfGroup - 1) / kWarpsOfGroup;
    d.matrices = share == 3 ? 4 : static_cast<std::uint8_t>(share);  // as many as ldmatrix has
    d.streams = true;
    tokens.push_back(d.builder().token(d.statement().at));
    d.writes(tokens.back());
    d.emit(InstructionClass::Memory);
  }
}

void emitGroupProduct(Decoding& d, const Product& product, const std::vector<RegisterId>& tokens,
                      const std::vector<const Operand*>& sums) {
  const MatrixForm& form = product.types.form;
  d.i.handler = d.require(groupProductHandler(form, product.sparse));
  d.i.product.flags = product.types.flags;
  d.i.product.selector = product.selector;
  d.i.product.groupFlags = product.flags;
  d.i.elements = static_cast<std::uint8_t>(product.columns / 8);
  d.i.p = d.predicate(d.operand(product.condition()));
  std::vector<Row>& rows = d.builder().code().matrixRows;
  d.i.product.rows = static_cast<std::uint32_t>(rows.size());
  if (product.aInRegisters) {
    for (const Operand* one : fragment(d, d.operand(1), rowsOfA(form)))
      rows.push_back(d.source(*one, Type::B32));
  } else {
    d.i.a = d.source(1, Type::B64);
  }
  if (product.sparse) rows.push_back(d.source(3, Type::B32));
  d.i.b = d.source(2, Type::B64);
  for (const RegisterId token : tokens) d.reads(token);
  d.writes(d.builder().groupToken(d.statement().at));
  for (const Operand* one : sums) rows.push_back(d.accumulator(*one, typeOf(form.sum)));
  d.i.space = MemorySpace::Shared;
  d.tensorWork = static_cast<std::uint16_t>(workOf(form) * (product.columns / 8));
  d.floatSums = form.sum == Sum::F32;
  d.emit(InstructionClass::Tensor);
}

void decodeGroupProduct(Decoding& d) {
  Product product = takeProduct(d);
  const MatrixForm& form = product.types.form;
  d.require(groupProductHandler(form, product.sparse));
  d.expectOperands(product.condition() + 1, product.condition() + 5);
  product.aInRegisters = d.operand(1).kind == Operand::Kind::Vector;
  if (product.aInRegisters) product.flags |= kFactorInRegisters;
  if (product.sparse) takeSelector(d, product);
  takeImmediates(d, product);
  const auto sums = fragment(d, d.operand(0), product.columns / 8 * rowsOfSum(form, form.sum));
  std::vector<RegisterId> tokens;
  if (!product.aInRegisters)
    emitReads(d, 1, kRowsOfGroup, 2, (product.flags & kTransposedA) != 0, tokens);
  emitReads(d, 2, product.columns, product.across(), (product.flags & kTransposedB) != 0, tokens);
  emitGroupProduct(d, product, tokens, sums);
}

}  // namespace

void decodeWgmma(Decoding& d) {
  if (d.take("mma_async")) return decodeGroupProduct(d);
  const std::string_view what = d.takeOneOf({"fence", "commit_group", "wait_group"});
  if (what.empty()) d.unsupported();
  takeAligned(d);
  d.finishModifiers();
  d.expectOperands(what == "wait_group" ? 1 : 0);
  if (what == "wait_group" && d.immediate(d.operand(0), 7, "the number of groups") == 0)
    d.reads(d.builder().groupToken(d.statement().at));
  if (what == "wait_group") return emitNothing(d);
  d.i.handler = &executeGroupBarrier;
  d.emit(InstructionClass::Barrier);
}

}  // namespace fermata::ptx
