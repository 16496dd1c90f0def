// mma of floats of 4 to 8 bits, mixed, with a scale for each block of k or without: the kinds
// f8f6f4, mxf8f6f4, mxf4 and mxf4nvf4. Fragments are those of products of bytes or, of the last two
// kinds, of nibbles.
#include <algorithm>

#include <fermata/stimuli/ptx/decoders.h>
#include <fermata/stimuli/ptx/matrix_decoding.h>
#include <fermata/stimuli/ptx/tensor_product.h>
#include <fermata/stimuli/ptx/warp.h>

namespace fermata::ptx {
namespace {

constexpr unsigned kRowsOfA = 16, kColumnsOfB = 8, kMostDepth = 64;
constexpr unsigned kRegistersOfA = 4, kRegistersOfB = 2;

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

  std::uint32_t packed() const {
    return static_cast<unsigned>(a) | static_cast<unsigned>(b) << 4 | byteA << 8 | threadA << 10 |
           byteB << 12 | threadB << 14 | (wholeScales ? 1U << 16 : 0U) |
           static_cast<unsigned>(sum) << 17;
  }
  static ScaledForm from(std::uint32_t bits) {
    return {static_cast<TensorElement>(bits & 15U),
            static_cast<TensorElement>(bits >> 4 & 15U),
            bits >> 8 & 3U,
            bits >> 10 & 3U,
            bits >> 12 & 3U,
            bits >> 14 & 3U,
            (bits >> 16 & 1U) != 0,
            static_cast<TensorSum>(bits >> 17 & 3U)};
  }
  /// Elements of a register.
  unsigned perWord() const { return perChunk(a) / 4; }
  unsigned depth() const { return 2 * perChunk(a); }
};

struct Factors {
  double a[kRowsOfA][kMostDepth];
  double b[kColumnsOfB][kMostDepth];
};

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
  eachElementOf(warp, rows, kRegistersOfA, form.a, form.perWord(), 2,
                [&](unsigned row, unsigned r, unsigned k, double value) {
                  factors.a[row + 8 * (r % 2)][k] = value;
                });
  eachElementOf(
      warp, rows + kRegistersOfA, kRegistersOfB, form.b, form.perWord(), 1,
      [&](unsigned row, unsigned, unsigned k, double value) { factors.b[row][k] = value; });
  if (i.tensor.scaling == 0) return;
  const unsigned block = form.depth() / i.tensor.scaling;
  const auto scale = [&](Row row, unsigned lane, unsigned byte, double* values) {
    const std::uint32_t word = rowOf<std::uint32_t>(warp, row)[lane];
    for (unsigned k = 0; k < form.depth(); ++k)
      values[k] *= scaleValue(word >> 8 * (byte + k / block) & 0xffU, form.wholeScales);
  };
  // Two neighbours among four lanes have the scales of rows r and r + 8 of a, one that of a column.
  for (unsigned row = 0; row < kRowsOfA; ++row)
    scale(i.vector[0], row % 8 * 4 + 2 * form.threadA + row / 8, form.byteA, factors.a[row]);
  for (unsigned n = 0; n < kColumnsOfB; ++n)
    scale(i.vector[1], 4 * n + form.threadB, form.byteB, factors.b[n]);
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
  const unsigned words = form.sum == TensorSum::F32 ? 4 : 2;
  const Row* const c = rows + kRegistersOfA + kRegistersOfB;
  std::uint32_t results[4][kWarpLanes];
  for (unsigned r = 0; r < words; ++r) {
    for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
      const std::uint32_t word = rowOf<std::uint32_t>(warp, c[r])[lane];
      unsigned part = 0;
      results[r][lane] = sumWord(form, lane, r, [&](unsigned row, unsigned n) {
        double sum = sumOf(form.sum, word >> 16 * part++);
        for (unsigned k = 0; k < form.depth(); ++k) sum += factors.a[row][k] * factors.b[n][k];
        return wordOf(form.sum, sum, false);
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

}  // namespace

void decodeScaledProduct(Decoding& d) {
  takeAligned(d);
  takeRowByColumn(d);
  const std::string_view kind =
      d.takeOneOf({"kind::f8f6f4", "kind::mxf8f6f4", "kind::mxf4", "kind::mxf4nvf4"});
  if (kind.empty()) d.unsupported("expected a kind such as .kind::f8f6f4");
  const bool scaled = kind != "kind::f8f6f4", nibbles = kind.substr(0, 10) == "kind::mxf4";
  ScaledForm form;
  takeTypes(d, scaled, form);
  if (nibbles) {
    if (form.a != TensorElement::E2m1 || form.b != TensorElement::E2m1)
      d.unsupported("expected factors of e2m1");
    form.a = form.b = TensorElement::Nibble;
  }
  if (!d.take(nibbles ? "m16n8k64" : "m16n8k32"))
    d.unsupported("expected .m16n8k{}", nibbles ? 64 : 32);
  const std::uint8_t blocks = scaled ? takeBlocks(d, kind, form.wholeScales) : std::uint8_t{0};
  d.finishModifiers();
  d.expectOperands(scaled ? 8 : 4);
  if (scaled) {
    d.i.vector[0] = d.source(*fragment(d, d.operand(4), 1)[0], Type::B32);
    takeSelectors(d, 5, blocks, 2, form.byteA, form.threadA);
    d.i.vector[1] = d.source(*fragment(d, d.operand(6), 1)[0], Type::B32);
    takeSelectors(d, 7, blocks, 4, form.byteB, form.threadB);
  }
  const unsigned words = form.sum == TensorSum::F32 ? 4 : 2;
  const Type sum = form.sum == TensorSum::F32 ? Type::F32 : Type::B32;
  std::vector<Row>& rows = d.builder().code().matrixRows;
  const auto first = static_cast<std::uint32_t>(rows.size());
  for (const Operand* one : fragment(d, d.operand(1), kRegistersOfA))
    rows.push_back(d.source(*one, Type::B32));
  for (const Operand* one : fragment(d, d.operand(2), kRegistersOfB))
    rows.push_back(d.source(*one, Type::B32));
  for (const Operand* one : fragment(d, d.operand(3), words)) rows.push_back(d.source(*one, sum));
  for (const Operand* one : fragment(d, d.operand(0), words))
    rows.push_back(d.destination(*one, sum));
  d.i.tensor = {};
  d.i.tensor.sharedOffset = form.packed();
  d.i.tensor.rows = first;
  d.i.tensor.scaling = blocks;
  d.i.handler = &executeScaledProduct;
  d.tensorWork = workOf({Factor::Float8, Sum::F32, Sum::F32, 16, 32});
  d.floatSums = form.sum == TensorSum::F32;
  d.emit(InstructionClass::Tensor);
}

}  // namespace fermata::ptx
