// wave64.mfma: AMD's products of matrices, d += a * b, of the 64 lanes of a wave64. Our HIP headers
// write them (folder stimuli/cuda/include/hip). M is 4, 16 or 32; each of `blocks`
// independent products is M x K by K x M. A lane holds `each` = M * K * blocks / 64 elements of a
// factor, with consecutive k:
//
//     a[i][k] of block b: element k % each of lane i + M * b + M * blocks * (k / each)
//     b[k][j] of block b: element k % each of lane j + M * b + M * blocks * (k / each)
//
// and M * M * blocks / 64 elements of the sum, whose place placeOfSum() gives.
#include <array>
#include <cmath>

#include <fermata/stimuli/ptx/decoders.h>
#include <fermata/stimuli/ptx/float8.h>
#include <fermata/stimuli/ptx/half.h>
#include <fermata/stimuli/ptx/handlers.h>
#include <fermata/stimuli/ptx/kernel_decoder.h>
#include <fermata/stimuli/ptx/wave_exchange.h>

namespace fermata::ptx {
namespace {

enum class Element : std::uint8_t { F64, F32, F16, Bf16, S8, E4m3, E5m2, E4m3Fnuz, E5m2Fnuz };
constexpr std::array<std::string_view, 9> kElements = {"f64",  "f32",  "f16",      "bf16",    "s8",
                                                       "e4m3", "e5m2", "e4m3fnuz", "e5m2fnuz"};
constexpr unsigned kMostRows = 32;
constexpr unsigned kMostInner = 64;

unsigned bitsOf(Element element) {
  constexpr unsigned kBits[] = {64, 32, 16, 16, 8, 8, 8, 8, 8};
  return kBits[static_cast<std::size_t>(element)];
}

struct WaveShape {
  unsigned rows = 0, inner = 0, blocks = 0;
  Element a = Element::F32, b = Element::F32;

  unsigned each() const { return rows * inner * blocks / WaveExchange::kLanes; }
  unsigned words() const { return each() * bitsOf(a) / 32; }
  unsigned sums() const { return rows * rows * blocks / WaveExchange::kLanes; }
  bool isDouble() const { return a == Element::F64; }
  /// Rows of registers of a factor.
  unsigned factorRows() const { return isDouble() ? each() : words(); }
};

WaveShape shapeOf(const Instruction& i) {
  return {i.product.groupFlags, i.product.firstBlock, i.product.selector,
          static_cast<Element>(i.product.flags & 15), static_cast<Element>(i.product.flags >> 4)};
}

/// AMD's own 8-bit floats: one more exponent, no infinity, 0x80 is no number.
double fnuz(std::uint32_t byte, int fraction, int bias) {
  if (byte == 0x80) return std::nan("");
  const int exponent = static_cast<int>(byte & 0x7f) >> fraction;
  const int digits = static_cast<int>(byte) & ((1 << fraction) - 1);
  const double value = exponent == 0
                           ? std::ldexp(digits, 1 - bias - fraction)
                           : std::ldexp(digits + (1 << fraction), exponent - bias - fraction);
  return (byte & 0x80) != 0 ? -value : value;
}

double valueOf(Element element, std::uint32_t bits) {
  switch (element) {
    case Element::F16:
      return f16ToFloat(bits);
    case Element::Bf16:
      return bitsAs<float>(bits << 16);
    case Element::S8:
      return static_cast<std::int8_t>(bits);
    case Element::E4m3:
      return floatOfE4m3(bits);
    case Element::E5m2:
      return floatOfE5m2(bits);
    case Element::E4m3Fnuz:
      return fnuz(bits, 3, 8);
    case Element::E5m2Fnuz:
      return fnuz(bits, 2, 16);
    default:
      return bitsAs<float>(bits);
  }
}

/// A factor of all blocks, by [block * rows + row][inner].
using Factor = std::array<double, WaveExchange::kLanes * kMostInner>;

void readFactor(const WaveShape& shape, Element element, const std::uint32_t* words,
                Factor& factor) {
  const unsigned each = shape.each(), bits = bitsOf(element), perWord = 32 / std::min(bits, 32U);
  for (unsigned lane = 0; lane < WaveExchange::kLanes; ++lane) {
    const unsigned row = lane % (shape.rows * shape.blocks);
    const unsigned first = lane / (shape.rows * shape.blocks) * each;
    for (unsigned e = 0; e < each; ++e) {
      double& to = factor[row * shape.inner + first + e];
      if (shape.isDouble()) {
        const std::uint64_t low = words[2 * e * WaveExchange::kLanes + lane];
        const std::uint64_t high = words[(2 * e + 1) * WaveExchange::kLanes + lane];
        to = bitsAs<double>(low | high << 32);
        continue;
      }
      const std::uint32_t word = words[e / perWord * WaveExchange::kLanes + lane];
      const std::uint32_t mask = bits == 32 ? ~0U : (1U << bits) - 1;
      to = valueOf(element, word >> (e % perWord * bits) & mask);
    }
  }
}

struct SumPlace {
  unsigned block, row, column;
};
/// Returns the place of element `v` of a lane's sums.
SumPlace placeOfSum(const WaveShape& shape, unsigned v, unsigned lane) {
  const unsigned m = shape.rows;
  if (m == 4) return {lane / 4 % shape.blocks, lane / (4 * shape.blocks) + v, lane % 4};
  if (shape.isDouble()) return {0, 4 * v + lane / m, lane % m};
  const unsigned ofBlock = m * m / WaveExchange::kLanes;
  const unsigned inBlock = v % ofBlock, perFour = 4 * (WaveExchange::kLanes / m);
  return {v / ofBlock, inBlock / 4 * perFour + lane / m * 4 + inBlock % 4, lane % m};
}

/// Adds a row times a column. Products of f32 and f64 are fused one after another; those of
/// narrower floats are added exactly, as far as a double goes, and rounded once (AMD does not say).
template <class Sum>
Sum added(Sum sum, const double* a, const double* b, unsigned inner) {
  for (unsigned k = 0; k < inner; ++k)
    sum = std::fma(static_cast<Sum>(a[k]), static_cast<Sum>(b[k]), sum);
  return sum;
}

void addProduct(Warp& warp, const WaveShape& shape, const Row* sums, LaneMask mask, const Factor& a,
                const Factor& b) {
  const unsigned base = halfOf(warp) * kWarpLanes;
  for (unsigned v = 0; v < shape.sums(); ++v) {
    for (const unsigned lane : lanesIn(mask)) {
      const SumPlace place = placeOfSum(shape, v, base + lane);
      const double* const row = &a[(place.block * shape.rows + place.row) * shape.inner];
      const double* const column = &b[(place.block * shape.rows + place.column) * shape.inner];
      if (shape.isDouble()) {
        double& sum = rowOf<double>(warp, sums[v])[lane];
        sum = added(sum, row, column, shape.inner);
      } else if (shape.a == Element::S8) {
        std::uint32_t& sum = rowOf<std::uint32_t>(warp, sums[v])[lane];
        sum += static_cast<std::uint32_t>(
            static_cast<std::int64_t>(added(0.0, row, column, shape.inner)));
      } else if (shape.a == Element::F32) {
        float& sum = rowOf<float>(warp, sums[v])[lane];
        sum = added(sum, row, column, shape.inner);
      } else {
        float& sum = rowOf<float>(warp, sums[v])[lane];
        sum = static_cast<float>(added(static_cast<double>(sum), row, column, shape.inner));
      }
    }
  }
}

std::vector<std::uint32_t>& factorsOf(Warp& warp, const WaveShape& shape) {
  auto& words = exchangeOf(warp).factors[warp.waveRound % 2];
  words.resize(2 * shape.words() * WaveExchange::kLanes);
  return words;
}

/// product.rows: registers of a, of b, of the modifiers, of the sums.
void executeFactors(Warp& warp, const Instruction& i, LaneMask mask) {
  const WaveShape shape = shapeOf(i);
  const Row* rows = &warp.machine->code->matrixRows[i.product.rows];
  for (const unsigned lane : lanesIn(mask)) {
    if (const auto modifiers = laneValue(warp, rows[2 * shape.factorRows()], false, lane);
        modifiers != 0)
      failAt(warp, i, lane, "an mfma with cbsz, abid or blgp; expected 0");
  }
  WaveExchange::Round& round = arriveInRound(warp, i, mask);
  std::vector<std::uint32_t>& words = factorsOf(warp, shape);
  const unsigned base = halfOf(warp) * kWarpLanes;
  const unsigned perRow = shape.isDouble() ? 2 : 1;
  for (unsigned k = 0; k < 2 * shape.factorRows(); ++k) {
    for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
      const bool here = (mask >> lane & 1) != 0;
      const std::uint64_t value = here ? laneValue(warp, rows[k], shape.isDouble(), lane) : 0;
      for (unsigned part = 0; part < perRow; ++part)
        words[(k * perRow + part) * WaveExchange::kLanes + base + lane] =
            static_cast<std::uint32_t>(value >> 32 * part);
    }
  }
  endArrival(warp, round);
}

void executeWaveProduct(Warp& warp, const Instruction& i, LaneMask mask) {
  const WaveExchange::Round& round = endedRound(warp);
  const WaveShape shape = shapeOf(i);
  std::vector<std::uint32_t>& words = factorsOf(warp, shape);
  if (!round.here[1 - halfOf(warp)]) {  // its lanes hold zeros
    const unsigned other = (1 - halfOf(warp)) * kWarpLanes;
    for (unsigned k = 0; k < 2 * shape.words(); ++k)
      std::fill_n(&words[k * WaveExchange::kLanes + other], kWarpLanes, 0U);
  }
  static thread_local Factor a, b;
  readFactor(shape, shape.a, words.data(), a);
  readFactor(shape, shape.b, words.data() + shape.words() * WaveExchange::kLanes, b);
  const Row* rows = &warp.machine->code->matrixRows[i.product.rows];
  addProduct(warp, shape, rows + 2 * shape.factorRows() + 1, mask, a, b);
}

template <std::size_t n>
unsigned takeNumber(Decoding& d, const std::array<std::string_view, n>& choices) {
  for (const std::string_view choice : choices) {
    if (!d.take(choice)) continue;
    unsigned number = 0;
    for (const char c : choice)
      number = c >= '0' && c <= '9' ? 10 * number + unsigned(c - '0') : number;
    return number;
  }
  d.unsupported("expected .m4, .m16 or .m32, .k1 to .k64, .b1, .b2, .b4 or .b16");
}

Element takeElement(Decoding& d) {
  for (std::size_t k = 0; k < kElements.size(); ++k) {
    if (d.take(kElements[k])) return static_cast<Element>(k);
  }
  d.unsupported("expected the type of a factor");
}

WaveShape takeShape(Decoding& d) {
  WaveShape shape;
  shape.rows = takeNumber(d, std::array<std::string_view, 3>{"m32", "m16", "m4"});
  shape.inner =
      takeNumber(d, std::array<std::string_view, 7>{"k64", "k32", "k16", "k8", "k4", "k2", "k1"});
  shape.blocks = takeNumber(d, std::array<std::string_view, 4>{"b16", "b1", "b2", "b4"});
  shape.a = takeElement(d);
  shape.b = takeElement(d);
  const unsigned elements = shape.rows * shape.inner * shape.blocks;
  const bool doubleFits = !shape.isDouble() || shape.rows == 4 || shape.blocks == 1;
  if (elements % WaveExchange::kLanes != 0 || shape.each() * bitsOf(shape.a) % 32 != 0 ||
      shape.rows * shape.blocks > WaveExchange::kLanes || bitsOf(shape.a) != bitsOf(shape.b) ||
      shape.words() > 16 || shape.sums() == 0 || !doubleFits)
    d.unsupported("a product that no AMD GPU has");
  return shape;
}

/// Returns StaticInstruction::tensorWork of a half's part. Products of f32 and f64 take eight times
/// those of f16 (AMD Instinct MI300X data sheet: 163.4 and 1307.4 TFLOPS).
std::uint16_t workOfHalf(const WaveShape& shape) {
  constexpr unsigned kWhole = 16 * 8 * 16 * 2;
  const unsigned products = shape.rows * shape.rows * shape.inner * shape.blocks / 2;
  const unsigned weight = bitsOf(shape.a) >= 32 ? 16 : bitsOf(shape.a) / 8;
  return static_cast<std::uint16_t>(
      std::max(1U, products * weight * StaticInstruction::kTensorWork / kWhole));
}

}  // namespace

void decodeWaveProduct(Decoding& d) {
  const WaveShape shape = takeShape(d);
  d.finishModifiers();
  d.expectOperands(4);
  const Type type = shape.isDouble() ? Type::B64 : Type::B32;
  ProductOperands product{};
  std::vector<Row>& rows = d.builder().code().matrixRows;
  product.rows = static_cast<std::uint32_t>(rows.size());
  product.flags = static_cast<std::uint8_t>(static_cast<unsigned>(shape.a) |
                                            static_cast<unsigned>(shape.b) << 4);
  product.groupFlags = static_cast<std::uint8_t>(shape.rows);
  product.firstBlock = static_cast<std::uint8_t>(shape.inner);
  product.selector = static_cast<std::uint8_t>(shape.blocks);
  const auto listOf = [&](std::size_t k, unsigned count) {
    auto list = Decoding::elementsOf(d.operand(k));
    if (list.size() != count) d.fail(d.operand(k).at, "expected {} registers in braces", count);
    return list;
  };
  for (const std::size_t factor : {1U, 2U}) {
    for (const Operand* one : listOf(factor, shape.factorRows()))
      rows.push_back(d.source(*one, type));
  }
  rows.push_back(d.source(3, Type::B32));
  d.i.product = product;
  d.i.handler = &executeFactors;
  d.emit(InstructionClass::Barrier);
  unsigned taken = 0;
  for (const Operand* one : listOf(0, shape.sums())) {
    if (taken++ < StaticInstruction::kMaxWrites) {
      (void)d.source(*one, type);
      rows.push_back(d.destination(*one, type));
    } else {
      rows.push_back(d.accumulator(*one, type));
    }
  }
  d.i.product = product;
  d.i.handler = &executeWaveProduct;
  d.tensorWork = workOfHalf(shape);
  d.emit(InstructionClass::Tensor);
}

bool hasWaveProducts(const Kernel& kernel) {
  const std::vector<Instruction>& all = kernel.code().instructions;
  return std::any_of(all.begin(), all.end(),
                     [](const Instruction& one) { return one.handler == &executeWaveProduct; });
}

}  // namespace fermata::ptx
