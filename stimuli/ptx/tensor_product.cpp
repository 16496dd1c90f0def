// tcgen05.mma. The first execution computes the whole product. Each execution is a piece of its
// reads of shared memory, up to 32 chunks of 16 bytes: eight pieces of a, unless it lies in tensor
// memory, then those of b.
#include <fermata/stimuli/ptx/tensor_product.h>

#include <algorithm>
#include <cmath>

#include <fermata/stimuli/ptx/tensor_decoding.h>
#include <fermata/stimuli/ptx/tensor_memory.h>

namespace fermata::ptx {
namespace {

constexpr unsigned kPiecesOfA = 8;
constexpr unsigned kWordsOfFactor = 8;  // of a row of a in tensor memory: 32 bytes
constexpr std::string_view kKinds[] = {"kind::f16",     "kind::tf32",     "kind::i8",
                                       "kind::f8f6f4",  "kind::mxf8f6f4", "kind::mxf4",
                                       "kind::mxf4nvf4"};

bool isScaled(TensorKind kind) {
  return kind >= TensorKind::Mxf8f6f4;
}

/// Returns the type of a factor by its number in the descriptor. Throws InputError if the kind has
/// none.
TensorElement elementOf(const Warp& warp, const Instruction& i, unsigned lane, unsigned number) {
  using E = TensorElement;
  const auto kind = static_cast<TensorKind>(i.tensor.form);
  constexpr E kSmall[] = {E::E4m3, E::E5m2, E::F16, E::E2m3, E::E3m2, E::E2m1};
  if (kind == TensorKind::F16 && number < 2) return number == 0 ? E::F16 : E::Bf16;
  if (kind == TensorKind::Tf32 && number == 2) return E::Tf32;
  if (kind == TensorKind::I8 && number < 2) return number == 0 ? E::U8 : E::S8;
  const bool small = kind == TensorKind::F8f6f4 || kind == TensorKind::Mxf8f6f4;
  if (small && number < std::size(kSmall) && number != 2) return kSmall[number];
  if (kind >= TensorKind::Mxf4 && number == 1) return E::Nibble;
  failAt(warp, i, lane, "an instruction descriptor with type {} for .{}; expected one of its types",
         number, kKinds[i.tensor.form]);
}

/// Takes what descriptors of kinds without scales have by themselves.
void takePlain(const Warp& warp, const Instruction& i, unsigned lane, std::uint32_t bits,
               TensorProduct& product) {
  const auto kind = static_cast<TensorKind>(i.tensor.form);
  const unsigned sum = bits >> 4 & 3U;
  const bool halves = kind == TensorKind::F16 || kind == TensorKind::F8f6f4;
  const bool fits = kind == TensorKind::I8 ? sum == 2 : sum == 1 || (sum == 0 && halves);
  if (!fits)
    failAt(warp, i, lane, "an instruction descriptor with sums of type {} for .{}; expected {}",
           sum, kKinds[i.tensor.form],
           kind == TensorKind::I8 ? "2"
           : halves               ? "0 or 1"
                                  : "1");
  product.sum = static_cast<TensorSum>(sum);
  product.clamps = (bits >> 3 & 1U) != 0;
  if (product.clamps && kind != TensorKind::I8)
    failAt(warp, i, lane, "an instruction descriptor that clamps floats; expected 0 in its bit 3");
}

void takeScaled(const Instruction& i, std::uint32_t bits, TensorProduct& product) {
  product.sum = TensorSum::F32;
  product.firstScaleB = bits >> 4 & 3U;
  product.firstScaleA = bits >> 29 & 3U;
  product.wholeScales = (bits >> 23 & 1U) != 0;
  if (static_cast<TensorKind>(i.tensor.form) != TensorKind::Mxf8f6f4) product.k = 64;
}

void checkShape(const Warp& warp, const Instruction& i, unsigned lane,
                const TensorProduct& product) {
  const bool scaled = isScaled(static_cast<TensorKind>(i.tensor.form));
  const unsigned step = product.m == 64 || scaled ? 8 : 16;
  const bool rows = product.m == 128 || (product.m == 64 && !scaled);
  if (rows && product.n >= step && product.n <= TensorProduct::kMostColumns &&
      product.n % step == 0)
    return;
  failAt(warp, i, lane,
         "a product of {} rows and {} columns; expected {} rows and a multiple of {} columns up to "
         "256",
         product.m, product.n, scaled ? "128" : "64 or 128", step);
}

/// Returns what the instruction descriptor says; throws InputError for what is not supported.
TensorProduct productOf(const Warp& warp, const Instruction& i, unsigned lane) {
  const std::uint32_t bits = rowOf<std::uint32_t>(warp, i.c)[lane];
  const auto flag = [&](unsigned bit) { return (bits >> bit & 1U) != 0; };
  if (flag(2))
    failAt(warp, i, lane, "an instruction descriptor of a sparse product; expected 0 in its bit 2");
  TensorProduct product;
  product.a = elementOf(warp, i, lane, bits >> 7 & 7U);
  product.b = elementOf(warp, i, lane, bits >> 10 & 7U);
  product.negatedA = flag(13);
  product.negatedB = flag(14);
  product.transposedA = flag(15);
  product.transposedB = flag(16);
  product.n = (bits >> 17 & 0x3fU) * 8;
  product.m = (bits >> 24 & 0x1fU) * 16;
  product.k = 2 * perChunk(product.a);
  if (isScaled(static_cast<TensorKind>(i.tensor.form))) {
    takeScaled(i, bits, product);
  } else {
    takePlain(warp, i, lane, bits, product);
  }
  checkShape(warp, i, lane, product);
  const auto turns = [](TensorElement one) {
    return one < TensorElement::E2m3 || one > TensorElement::Nibble;
  };
  if ((product.transposedA && !turns(product.a)) || (product.transposedB && !turns(product.b)))
    failAt(warp, i, lane, "a transposed factor of 4- or 6-bit floats; expected rows along k");
  return product;
}

/// Returns the lane of tensor memory that holds a row, beyond that of the address. Of 64 rows each
/// 32 lanes hold 16.
unsigned laneOf(unsigned rows, unsigned row) {
  return rows == 64 ? row / 16 * 32 + row % 16 : row;
}

void checkLane(const Warp& warp, const Instruction& i, unsigned lane, unsigned rows,
               const TensorPlace& place) {
  if (place.lane != 0 && !(rows == 64 && place.lane == 16))
    failAt(warp, i, lane, "{} rows from lane {} of tensor memory on; expected lane 0{}", rows,
           place.lane, rows == 64 ? " or 16" : "");
}

struct Tiles {
  TensorTile a, b;
};
Tiles tilesOf(const Warp& warp, const Instruction& i, unsigned lane, const TensorProduct& p) {
  Tiles tiles;
  if (!i.tensor.aInTensor)
    tiles.a = tensorTile(warp, i, lane, rowOf<std::uint64_t>(warp, i.a)[lane], p.transposedA, p.m,
                         perChunk(p.a));
  tiles.b = tensorTile(warp, i, lane, rowOf<std::uint64_t>(warp, i.b)[lane], p.transposedB, p.n,
                       perChunk(p.b));
  return tiles;
}

void readTensorA(const Warp& warp, const Instruction& i, unsigned lane, const TensorProduct& p,
                 TensorFactors& factors) {
  const TensorPlace place(rowOf<std::uint32_t>(warp, i.a)[lane]);
  checkLane(warp, i, lane, p.m, place);
  TensorMemory& memory = tensorColumns(warp, i, lane, place.column, kWordsOfFactor);
  const unsigned per = perChunk(p.a), words = kWordsOfFactor / 2;
  for (unsigned row = 0; row < p.m; ++row) {
    for (unsigned half = 0; half < 2; ++half) {
      std::array<std::uint32_t, kWordsOfFactor / 2> chunk;
      for (unsigned w = 0; w < words; ++w)
        chunk[w] = memory.column(place.column + half * words + w)[place.lane + laneOf(p.m, row)];
      for (unsigned e = 0; e < per; ++e)
        factors.atA(row, half * per + e) =
            tensorElement(p.a, reinterpret_cast<const std::uint8_t*>(chunk.data()), e);
    }
  }
}

/// Multiplies elements by the scales of their blocks. The scale of block j of a row is byte first +
/// j of a word: lane row % 32, column row / 32.
template <class At>
void scale(const Warp& warp, const Instruction& i, unsigned lane, Row address, unsigned first,
           unsigned rows, const TensorProduct& p, At at) {
  const TensorPlace place(rowOf<std::uint32_t>(warp, address)[lane]);
  TensorMemory& memory = tensorColumns(warp, i, lane, place.column, (rows + 31) / 32);
  const unsigned blocks = i.tensor.scaling, steps = p.k / blocks;
  if (first + blocks > 4)
    failAt(warp, i, lane, "scales from byte {} on, of {} blocks; expected them in four bytes",
           first, blocks);
  for (unsigned row = 0; row < rows; ++row) {
    const std::uint32_t word = memory.column(place.column + row / 32)[row % 32];
    for (unsigned step = 0; step < p.k; ++step) {
      const unsigned byte = word >> 8 * (first + step / steps) & 0xffU;
      at(row, step) *= scaleValue(byte, p.wholeScales);
    }
  }
}

void readFactors(const Warp& warp, const Instruction& i, unsigned lane, const TensorProduct& p,
                 const Tiles& tiles, TensorFactors& factors) {
  const auto atA = [&](unsigned row, unsigned step) -> double& { return factors.atA(row, step); };
  const auto atB = [&](unsigned row, unsigned step) -> double& { return factors.atB(row, step); };
  if (i.tensor.aInTensor) {
    readTensorA(warp, i, lane, p, factors);
  } else {
    eachElement(warp, i, lane, tiles.a, p.a,
                [&](unsigned row, unsigned step, double value) { atA(row, step) = value; });
  }
  eachElement(warp, i, lane, tiles.b, p.b,
              [&](unsigned row, unsigned step, double value) { atB(row, step) = value; });
  if (p.negatedA != p.negatedB) {
    for (double& one : factors.a) one = -one;
  }
  if (i.tensor.scaling == 0) return;
  scale(warp, i, lane, i.vector[0], p.firstScaleA, p.m, p, atA);
  scale(warp, i, lane, i.vector[1], p.firstScaleB, p.n, p, atB);
}

/// True if the instruction leaves the lane of tensor memory alone.
bool isOff(const Warp& warp, const Instruction& i, unsigned thread, unsigned lane) {
  return i.tensor.disables &&
         (rowOf<std::uint32_t>(warp, i.vector[lane / 32])[thread] >> lane % 32 & 1U) != 0;
}

void multiply(const Warp& warp, const Instruction& i, unsigned thread, const TensorProduct& p,
              TensorFactors& factors) {
  const TensorPlace place(rowOf<std::uint32_t>(warp, i.d)[thread] +
                          static_cast<std::uint32_t>(i.offset));
  checkLane(warp, i, thread, p.m, place);
  TensorMemory& memory = tensorColumns(warp, i, thread, place.column, p.n);
  const bool adds = laneOn(predicateValue(warp, i.p), thread);
  const double share = std::ldexp(1.0, -i.tensor.shift);
  const AddColumn add = addColumn();
  for (unsigned n = 0; n < p.n; ++n) {
    std::uint32_t* const words = memory.column(place.column + n) + place.lane;
    std::array<double, TensorProduct::kMostRows> sums{};
    for (unsigned m = 0; m < p.m && adds; ++m)
      sums[m] = sumOf(p.sum, words[laneOf(p.m, m)]) * share;
    add(factors.a.data(), &factors.atB(n, 0), p.k, p.m, sums.data());
    for (unsigned m = 0; m < p.m; ++m) {
      const unsigned lane = laneOf(p.m, m);
      if (!isOff(warp, i, thread, place.lane + lane))
        words[lane] = wordOf(p.sum, sums[m], p.clamps);
    }
  }
}

/// Exposes the reads of piece `piece`; returns the number of pieces.
unsigned exposePiece(const Warp& warp, const Instruction& i, unsigned lane, const Tiles& tiles,
                     unsigned piece) {
  const unsigned ofA = i.tensor.aInTensor ? 0 : kPiecesOfA;
  if (piece < ofA) {
    const unsigned count = tiles.a.chunks() / kPiecesOfA;
    exposeChunks(warp, i, lane, count,
                 [&](unsigned k) { return tiles.a.chunk(piece * count + k).address; });
  } else {
    const unsigned first = (piece - ofA) * kWarpLanes;
    exposeChunks(warp, i, lane, std::min(tiles.b.chunks() - first, kWarpLanes),
                 [&](unsigned k) { return tiles.b.chunk(first + k).address; });
  }
  return ofA + (tiles.b.chunks() + kWarpLanes - 1) / kWarpLanes;
}

void executeProduct(Warp& warp, const Instruction& i, LaneMask mask) {
  const unsigned lane = firstLane(mask);
  const TensorProduct product = productOf(warp, i, lane);
  const Tiles tiles = tilesOf(warp, i, lane, product);
  std::uint32_t& done = warp.copies.bulkDone;
  if (done == 0) {
    thread_local TensorFactors factors;
    readFactors(warp, i, lane, product, tiles, factors);
    multiply(warp, i, lane, product, factors);
  }
  warp.machine->out->copy = warp.copies.begun++;
  const unsigned pieces = exposePiece(warp, i, lane, tiles, done);
  if (++done == pieces) {
    done = 0;
    mask &= mask - 1;
  }
  if (mask != 0) executeAgain(warp, i, mask);
}

/// Takes the blocks of k that have a scale each; 0 without scales.
std::uint8_t takeScaling(Decoding& d, TensorKind kind) {
  const bool scales = d.take("block_scale");
  if (scales != isScaled(kind))
    d.unsupported("'.block_scale' is of the kinds mx..., which need it");
  if (!scales) return 0;
  const bool eight = kind == TensorKind::Mxf8f6f4;
  const std::string_view size =
      d.takeOneOf({"scale_vec::1X", "scale_vec::2X", "scale_vec::4X", "block32", "block16"});
  std::uint8_t blocks = eight ? 1 : 2;
  if (size == "scale_vec::1X") blocks = 1;
  if (size == "scale_vec::2X") blocks = 2;
  if (size == "scale_vec::4X" || size == "block16") blocks = 4;
  const bool fits =
      eight ? blocks == 1 : blocks == 2 || (blocks == 4 && kind == TensorKind::Mxf4nvf4);
  if (!fits || (size.empty() && kind == TensorKind::Mxf4nvf4))
    d.unsupported("expected scales of {}",
                  eight ? "32 elements (1X)" : "16 or 32 elements (4X, 2X)");
  return blocks;
}

TensorKind takeKind(Decoding& d) {
  for (std::size_t k = 0; k < std::size(kKinds); ++k) {
    if (d.take(kKinds[k])) return static_cast<TensorKind>(k);
  }
  d.unsupported("expected a kind such as .kind::f16");
}

/// Refuses what the ISA has and the model has not.
void refuseOthers(const Decoding& d) {
  if (d.has("sp")) d.unsupported("sparse products of tcgen05 are not supported; expected none");
  if (d.has("ws"))
    d.unsupported("products that keep b in place (.ws) are not supported; expected none");
  if (d.has("ashift")) d.unsupported("a shift of a is not supported; expected none");
}

/// Takes the operands behind the instruction descriptor; returns the next one's number.
std::size_t takeScales(Decoding& d, TensorOperands& fields) {
  if (fields.scaling != 0) {
    d.i.vector[0] = plainTensorAddress(d, 4);
    d.i.vector[1] = plainTensorAddress(d, 5);
    return 6;
  }
  if (d.operand(4).kind != Operand::Kind::Vector) return 4;
  const auto masks = fragment(d, d.operand(4), 4);
  for (unsigned k = 0; k < 4; ++k) d.i.vector[k] = d.source(*masks[k], Type::B32);
  fields.disables = true;
  return 5;
}

}  // namespace

void decodeTensorProduct(Decoding& d) {
  refuseOthers(d);
  takeCtaGroup(d);
  TensorOperands fields{};
  const TensorKind kind = takeKind(d);
  fields.form = static_cast<std::uint8_t>(kind);
  fields.scaling = takeScaling(d, kind);
  d.takeOneOf({"collector::a::fill", "collector::a::use", "collector::a::lastuse",
               "collector::a::discard"});
  d.finishModifiers();
  d.expectOperands(5, 7);
  fields.aInTensor = d.operand(1).kind == Operand::Kind::Address;
  takeTensorAddress(d, 0);
  d.i.d = d.i.a;
  d.i.a = fields.aInTensor ? plainTensorAddress(d, 1) : d.source(1, Type::B64);
  d.i.b = d.source(2, Type::B64);
  d.i.c = d.source(3, Type::U32);
  const std::size_t next = takeScales(d, fields);
  const bool shifts = kind <= TensorKind::Tf32 && d.operandCount() == next + 2;
  d.expectOperands(next + (shifts ? 2 : 1));
  d.i.p = d.predicate(d.operand(next));
  if (shifts)
    fields.shift =
        static_cast<std::uint8_t>(d.immediate(d.operand(next + 1), 15, "the scale of d"));
  d.i.tensor = fields;
  d.i.handler = &executeProduct;
  emitTensorWork(d, fields.aInTensor ? kProductOfTensor : kProductOfShared);
}

}  // namespace fermata::ptx
