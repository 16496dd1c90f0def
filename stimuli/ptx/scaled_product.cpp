// mma of floats of 4 to 8 bits, mixed, with a scale for each block of k or without: the kinds
// f8f6f4, mxf8f6f4, mxf4 and mxf4nvf4. Fragments are those of products of bytes or, of the last two
// kinds, of nibbles; so are those of mma.sp, whose a has half of the elements, and the metadata.
#include <algorithm>

#include <fermata/stimuli/ptx/decoders.h>
#include <fermata/stimuli/ptx/matrix_decoding.h>
#include <fermata/stimuli/ptx/register_copies.h>
#include <fermata/stimuli/ptx/tensor_product.h>
#include <fermata/stimuli/ptx/warp.h>

namespace fermata::ptx {
namespace {

constexpr unsigned kRowsOfA = 16, kColumnsOfB = 8, kMostStored = 64, kMostDepth = 128;

struct NamedElement {
  std::string_view name;
  TensorElement element;
};
constexpr NamedElement kElements[] = {{"e4m3", TensorElement::E4m3},
                                      {"e5m2", TensorElement::E5m2},
                                      {"e2m3", TensorElement::E2m3},
                                      {"e3m2", TensorElement::E3m2},
                                      {"e2m1", TensorElement::E2m1}};

/// Facts of an instruction, packed into TensorOperands::sharedOffset.
struct ScaledForm {
  TensorElement a = TensorElement::E4m3, b = TensorElement::E4m3;
  unsigned byteA = 0, threadA = 0, byteB = 0, threadB = 0;  ///< of the scales
  bool wholeScales = true;
  TensorSum sum = TensorSum::F32;
  bool sparse = false;  ///< of the instruction's two parts, which have 8 rows each
  unsigned block = 0;   ///< 1: the last 8 rows

  std::uint32_t packed() const {
    return static_cast<unsigned>(a) | static_cast<unsigned>(b) << 4 | byteA << 8 | threadA << 10 |
           byteB << 12 | threadB << 14 | (wholeScales ? 1U << 16 : 0U) |
           static_cast<unsigned>(sum) << 17 | (sparse ? 1U << 19 : 0U) | block << 20;
  }
  static ScaledForm from(std::uint32_t bits) {
    return {static_cast<TensorElement>(bits & 15U),
            static_cast<TensorElement>(bits >> 4 & 15U),
            bits >> 8 & 3U,
            bits >> 10 & 3U,
            bits >> 12 & 3U,
            bits >> 14 & 3U,
            (bits >> 16 & 1U) != 0,
            static_cast<TensorSum>(bits >> 17 & 3U),
            (bits >> 19 & 1U) != 0,
            bits >> 20 & 1U};
  }
  /// Elements of a register.
  unsigned perWord() const { return perChunk(a) / 4; }
  /// Elements of a row of a that are there.
  unsigned stored() const { return 2 * perChunk(a); }
  unsigned depth() const { return sparse ? 2 * stored() : stored(); }
  unsigned rows() const { return sparse ? kRowsOfA / 2 : kRowsOfA; }
  unsigned registersOfA() const { return sparse ? 2 : 4; }
  unsigned registersOfB() const { return sparse ? 4 : 2; }
  unsigned registersOfSum() const { return (sum == TensorSum::F32 ? 4U : 2U) / (sparse ? 2U : 1U); }
};

struct Factors {
  double a[kRowsOfA][kMostStored];
  std::uint8_t places[kRowsOfA][kMostStored];  ///< k of each element of a
  double b[kColumnsOfB][kMostDepth];
};

/// Fills the places of a's elements. Of four elements two are there, or of four pairs of nibbles.
/// Lane 4g has the metadata of row g for the first half of k, lane 4g + 1 of row g + 8; the next
/// two for the other half.
void readPlaces(const ScaledForm& form, const std::uint32_t* metadata, Factors& factors) {
  constexpr unsigned kChunksOfWord = 8;
  const unsigned together = form.a == TensorElement::Nibble ? 2 : 1, there = 2 * together;
  for (unsigned row = 0; row < form.rows(); ++row) {
    for (unsigned s = 0; s < form.stored(); ++s) {
      const unsigned chunk = s / there, e = s % there;
      const unsigned lane = 4 * row + 2 * (chunk / kChunksOfWord) + form.block;
      const unsigned bits = metadata[lane] >> 4 * (chunk % kChunksOfWord);
      const unsigned at = bits >> 2 * (e / together) & 3U;
      factors.places[row][s] =
          static_cast<std::uint8_t>(2 * there * chunk + at * together + e % together);
    }
  }
}

/// Calls put(lane / 4, register, k, value) for each element of a factor.
template <class Put>
void eachElementOf(const Warp& warp, const Row* rows, unsigned registers, TensorElement element,
                   unsigned perWord, unsigned registersAcross, Put put) {
  for (unsigned r = 0; r < registers; ++r) {
    const std::uint32_t* const words = rowOf<std::uint32_t>(warp, rows[r]);
    for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
      std::uint8_t chunk[TensorTile::kBytes] = {};
      __builtin_memcpy(chunk, words + lane, 4);
      for (unsigned e = 0; e < perWord; ++e) {
        const unsigned k = lane % 4 * perWord + e + r / registersAcross * 4 * perWord;
        put(lane / 4, r, k, tensorElement(element, chunk, e));
      }
    }
  }
}

void readFactors(const Warp& warp, const Instruction& i, const ScaledForm& form, const Row* rows,
                 Factors& factors) {
  const unsigned across = form.rows() / 8;
  eachElementOf(warp, rows, form.registersOfA(), form.a, form.perWord(), across,
                [&](unsigned row, unsigned r, unsigned k, double value) {
                  factors.a[row + 8 * (r % across)][k] = value;
                });
  const Row* const b = rows + form.registersOfA();
  eachElementOf(
      warp, b, form.registersOfB(), form.b, form.perWord(), 1,
      [&](unsigned row, unsigned, unsigned k, double value) { factors.b[row][k] = value; });
  if (form.sparse) readPlaces(form, rowOf<std::uint32_t>(warp, b[form.registersOfB()]), factors);
  if (i.tensor.scaling == 0) return;
  const unsigned block = form.depth() / i.tensor.scaling;
  const auto scaleAt = [&](std::uint32_t word, unsigned byte, unsigned k) {
    return scaleValue(word >> 8 * (byte + k / block) & 0xffU, form.wholeScales);
  };
  // Two neighbours among four lanes have the scales of rows r and r + 8 of a, one that of a column.
  const std::uint32_t* const ofA = rowOf<std::uint32_t>(warp, i.vector[0]);
  const std::uint32_t* const ofB = rowOf<std::uint32_t>(warp, i.vector[1]);
  for (unsigned row = 0; row < form.rows(); ++row) {
    const std::uint32_t word = ofA[row % 8 * 4 + 2 * form.threadA + row / 8 + form.block];
    for (unsigned s = 0; s < form.stored(); ++s)
      factors.a[row][s] *= scaleAt(word, form.byteA, form.sparse ? factors.places[row][s] : s);
  }
  for (unsigned n = 0; n < kColumnsOfB; ++n)
    for (unsigned k = 0; k < form.depth(); ++k)
      factors.b[n][k] *= scaleAt(ofB[4 * n + form.threadB], form.byteB, k);
}

/// Returns the sum and the products of a row and a column.
double sumFrom(double sum, const ScaledForm& form, const Factors& factors, unsigned row,
               unsigned n) {
  const double* const a = factors.a[row];
  const double* const b = factors.b[n];
  if (form.sparse) {
    for (unsigned s = 0; s < form.stored(); ++s) sum += a[s] * b[factors.places[row][s]];
  } else {
    for (unsigned k = 0; k < form.stored(); ++k) sum += a[k] * b[k];
  }
  return sum;
}

/// Returns word `r` of a lane's sums, whose elements of() gives by row and column.
template <class Of>
std::uint32_t sumWord(const ScaledForm& form, unsigned lane, unsigned r, Of of) {
  const unsigned row = lane / 4, column = lane % 4 * 2;
  if (form.sum == TensorSum::F32) return of(row + 8 * (r / 2), column + r % 2);
  return of(row + 8 * r, column) | of(row + 8 * r, column + 1) << 16;
}

void executeScaledProduct(Warp& warp, const Instruction& i, LaneMask mask) {
  if (!isWholeWarp(warp, i, mask)) return;
  const ScaledForm form = ScaledForm::from(i.tensor.sharedOffset);
  const Row* rows = &warp.machine->code->matrixRows[i.tensor.rows];
  Factors factors;
  readFactors(warp, i, form, rows, factors);
  const unsigned words = form.registersOfSum();
  const Row* const c = rows + form.registersOfA() + form.registersOfB() + (form.sparse ? 1 : 0);
  std::uint32_t results[4][kWarpLanes];
  for (unsigned r = 0; r < words; ++r) {
    for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
      const std::uint32_t word = rowOf<std::uint32_t>(warp, c[r])[lane];
      unsigned part = 0;
      results[r][lane] = sumWord(form, lane, r, [&](unsigned row, unsigned n) {
        const double sum = sumOf(form.sum, word >> 16 * part++);
        return wordOf(form.sum, sumFrom(sum, form, factors, row, n), false);
      });
    }
  }
  for (unsigned r = 0; r < words; ++r)
    __builtin_memcpy(rowBytes(warp, c[words + r]), results[r], sizeof results[r]);
}

/// Takes the types of d, a, b and c, in this order, from the end of the opcode.
void takeTypes(Decoding& d, bool scaled, ScaledForm& form) {
  std::vector<std::string_view> names;
  std::string_view opcode = d.statement().opcode;
  for (unsigned k = 0; k < (scaled ? 5U : 4U); ++k) {
    const std::size_t dot = opcode.rfind('.');
    names.insert(names.begin(), opcode.substr(dot + 1));
    opcode = opcode.substr(0, dot);
  }
  const auto elementNamed = [&](std::string_view name) {
    for (const NamedElement& one : kElements) {
      if (one.name == name) return one.element;
    }
    d.unsupported("expected factors of e4m3, e5m2, e2m3, e3m2 or e2m1");
  };
  form.a = elementNamed(names[1]);
  form.b = elementNamed(names[2]);
  if (names[0] != names[3] || (names[0] != "f32" && (scaled || names[0] != "f16")))
    d.unsupported("expected sums of one type, f32{}", scaled ? "" : " or f16");
  form.sum = names[0] == "f16" ? TensorSum::F16 : TensorSum::F32;
  if (scaled && names[4] != "ue8m0" && names[4] != "ue4m3")
    d.unsupported("expected scales of ue8m0 or ue4m3");
  form.wholeScales = !scaled || names[4] == "ue8m0";
  for (const std::string_view name : names) d.take(name);
}

/// Takes the size of the scales; returns the blocks of k.
std::uint8_t takeBlocks(Decoding& d, std::string_view kind, bool whole) {
  if (!d.take("block_scale")) d.unsupported("expected .block_scale");
  const std::string_view size = d.takeOneOf({"scale_vec::1X", "scale_vec::2X", "scale_vec::4X"});
  const unsigned given = size.empty() ? 0 : static_cast<unsigned>(size[11] - '0');
  const unsigned usual = kind == "kind::mxf8f6f4" ? 1 : kind == "kind::mxf4" ? 2 : 4;
  const bool both = kind == "kind::mxf4nvf4";
  if (given != usual && (both ? given != 2 : given != 0))
    d.unsupported("expected .scale_vec::{}X{}", usual, both ? " or .scale_vec::2X" : "");
  if (whole == (given == 4)) d.unsupported("scales of ue4m3 are of 4X, others of ue8m0");
  return static_cast<std::uint8_t>(given == 0 ? usual : given);
}

/// True if the register is a destination of a statement, which is its first operand.
bool writesRegister(const Operand& operand, std::uint32_t index) {
  if (operand.kind == Operand::Kind::Register) return operand.index == index;
  if (operand.kind == Operand::Kind::Address) return false;
  return std::any_of(operand.elements.begin(), operand.elements.end(),
                     [&](const Operand& each) { return writesRegister(each, index); });
}

/// Returns the operand or, for a register that only one mov writes, what that moves. Compilers put
/// a constant into a register where the source says "h" (CUTLASS, mma_sm120.hpp).
const Operand& constantBehind(Decoding& d, const Operand& operand) {
  constexpr unsigned kMostMoves = 4;
  const Operand* found = &operand;
  for (unsigned move = 0; move < kMostMoves && found->kind == Operand::Kind::Register; ++move) {
    const Statement* only = nullptr;
    for (const Statement& each : d.frame().function->statements) {
      if (each.operands.empty() || !writesRegister(each.operands[0], found->index)) continue;
      if (only != nullptr) return operand;
      only = &each;
    }
    const bool moves = only != nullptr && !only->guarded && only->operands.size() == 2 &&
                       only->opcode.substr(0, 4) == "mov." &&
                       only->operands[0].kind == Operand::Kind::Register;
    if (!moves) return operand;
    found = &only->operands[1];
  }
  return found->kind == Operand::Kind::Integer ? *found : operand;
}

/// Takes {byte, thread}, of a scale.
void takeSelectors(Decoding& d, std::size_t k, unsigned blocks, unsigned threads, unsigned& byte,
                   unsigned& thread) {
  const auto both = fragment(d, d.operand(k), 2);
  byte = static_cast<unsigned>(
      d.immediate(constantBehind(d, *both[0]), 4 - blocks, "the byte of the scale"));
  thread = static_cast<unsigned>(
      d.immediate(constantBehind(d, *both[1]), threads - 1, "the thread of the scale"));
  if (byte % blocks != 0) d.fail(both[0]->at, "expected a multiple of {}", blocks);
}

/// Operands of a product; null: it has none.
struct ScaledOperands {
  std::vector<const Operand*> a, b, c, d;
  const Operand* metadata = nullptr;
  const Operand* scaleOfA = nullptr;
  const Operand* scaleOfB = nullptr;
};

/// Returns those of a list of four or two registers that part `block` of a sparse product has: one
/// half, or each other one.
std::vector<const Operand*> partOf(const std::vector<const Operand*>& all, const ScaledForm& form,
                                   bool alternates) {
  if (!form.sparse) return all;
  const std::size_t half = all.size() / 2;
  std::vector<const Operand*> some;
  for (std::size_t k = 0; k < half; ++k)
    some.push_back(all[alternates ? 2 * k + form.block : form.block * half + k]);
  return some;
}

void emitScaledProduct(Decoding& d, const ScaledForm& form, std::uint8_t blocks,
                       const ScaledOperands& operands, const RegisterCopies& copies) {
  const Type sum = form.sum == TensorSum::F32 ? Type::F32 : Type::B32;
  std::vector<Row>& rows = d.builder().code().matrixRows;
  const auto first = static_cast<std::uint32_t>(rows.size());
  const auto sources = [&](const std::vector<const Operand*>& list, Type type) {
    for (const Operand* one : list) rows.push_back(copies.source(d, *one, type));
  };
  sources(partOf(operands.a, form, true), Type::B32);
  sources(operands.b, Type::B32);
  if (operands.metadata != nullptr) sources({operands.metadata}, Type::B32);
  sources(partOf(operands.c, form, false), sum);
  for (const Operand* one : partOf(operands.d, form, false))
    rows.push_back(d.destination(*one, sum));
  if (operands.scaleOfA != nullptr) {
    d.i.vector[0] = copies.source(d, *operands.scaleOfA, Type::B32);
    d.i.vector[1] = copies.source(d, *operands.scaleOfB, Type::B32);
  }
  d.i.tensor = {};
  d.i.tensor.sharedOffset = form.packed();
  d.i.tensor.rows = first;
  d.i.tensor.scaling = blocks;
  d.i.handler = &executeScaledProduct;
  const std::uint16_t work = workOf({Factor::Float8, Sum::F32, Sum::F32, 16, 32});
  d.tensorWork = form.sparse ? work / 2 : work;
  d.floatSums = form.sum == TensorSum::F32;
  d.emit(InstructionClass::Tensor);
}

/// Emits a sparse product as two, of 8 rows each: a whole one reads more registers than an
/// instruction may (StaticInstruction::kMaxReads).
void emitSparseParts(Decoding& d, ScaledForm form, std::uint8_t blocks,
                     const ScaledOperands& operands) {
  const Type sum = form.sum == TensorSum::F32 ? Type::F32 : Type::B32;
  const std::vector<const Operand*> written = partOf(operands.d, form, false);
  RegisterCopies copies;
  copies.add(d, written, operands.a, Type::B32);
  copies.add(d, written, operands.b, Type::B32);
  copies.add(d, written, {operands.metadata}, Type::B32);
  if (operands.scaleOfA != nullptr)
    copies.add(d, written, {operands.scaleOfA, operands.scaleOfB}, Type::B32);
  form.block = 1;
  copies.add(d, written, partOf(operands.c, form, false), sum);
  for (form.block = 0; form.block < 2; ++form.block)
    emitScaledProduct(d, form, blocks, operands, copies);
}

}  // namespace

void decodeScaledProduct(Decoding& d) {
  ScaledForm form;
  if (d.has("sp")) d.unsupported("expected .sp::ordered_metadata");
  form.sparse = d.take("sp::ordered_metadata");
  takeAligned(d);
  takeRowByColumn(d);
  const std::string_view kind =
      d.takeOneOf({"kind::f8f6f4", "kind::mxf8f6f4", "kind::mxf4", "kind::mxf4nvf4"});
  if (kind.empty()) d.unsupported("expected a kind such as .kind::f8f6f4");
  const bool scaled = kind != "kind::f8f6f4", nibbles = kind.substr(0, 10) == "kind::mxf4";
  takeTypes(d, scaled, form);
  if (nibbles) {
    if (form.a != TensorElement::E2m1 || form.b != TensorElement::E2m1)
      d.unsupported("expected factors of e2m1");
    form.a = form.b = TensorElement::Nibble;
  }
  const std::string shape = message("m16n8k{}", form.depth());
  if (!d.take(shape)) d.unsupported("expected .{}", shape);
  const std::uint8_t blocks = scaled ? takeBlocks(d, kind, form.wholeScales) : std::uint8_t{0};
  d.finishModifiers();
  const std::size_t next = form.sparse ? 6 : 4;
  d.expectOperands(next + (scaled ? 4 : 0));
  ScaledOperands operands;
  if (scaled) {
    operands.scaleOfA = fragment(d, d.operand(next), 1)[0];
    takeSelectors(d, next + 1, blocks, 2, form.byteA, form.threadA);
    operands.scaleOfB = fragment(d, d.operand(next + 2), 1)[0];
    takeSelectors(d, next + 3, blocks, 4, form.byteB, form.threadB);
  }
  const unsigned words = form.sum == TensorSum::F32 ? 4 : 2;
  operands.a = fragment(d, d.operand(1), 4);
  operands.b = fragment(d, d.operand(2), form.registersOfB());
  operands.c = fragment(d, d.operand(3), words);
  operands.d = fragment(d, d.operand(0), words);
  if (!form.sparse) return emitScaledProduct(d, form, blocks, operands, {});
  operands.metadata = fragment(d, d.operand(4), 1)[0];
  (void)d.immediate(d.operand(5), 0, "the sparsity selector");
  emitSparseParts(d, form, blocks, operands);
}

}  // namespace fermata::ptx
