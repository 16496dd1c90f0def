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
         number, kTensorKinds[i.tensor.form]);
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
           sum, kTensorKinds[i.tensor.form],
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

/// Takes the rows of the product of a pair: each CTA has half of them, and of 128 rows its columns
/// lie in two halves, unless a is sparse.
void splitRows(const Warp& warp, const Instruction& i, unsigned lane, TensorProduct& product) {
  const bool rows = product.m == 128 || product.m == 256;
  if (!rows || product.n == 0 || product.n % 16 != 0 || product.n > TensorProduct::kMostColumns)
    failAt(warp, i, lane,
           "a pair's product of {} rows and {} columns; expected 128 or 256 and a multiple of 16",
           product.m, product.n);
  product.folds = product.m == 128 && !product.sparse ? 2 : 1;
  product.m /= 2;
}

/// Folds the columns of a product that keeps b in place: 64 rows have them in two halves of the
/// lanes, 32 rows in four quarters.
void foldColumns(const Warp& warp, const Instruction& i, unsigned lane, TensorProduct& product) {
  const bool rows = product.m == 32 || product.m == 64 || product.m == 128;
  const bool columns = product.n == 64 || product.n == 128 || product.n == 256;
  if (!rows || !columns || (i.tensor.aInTensor && product.m != 128))
    failAt(
        warp, i, lane,
        "a product of {} rows and {} columns that keeps b; expected 32, 64 or 128 rows{} and 64, "
        "128 or 256 columns",
        product.m, product.n, i.tensor.aInTensor ? ", 128 of a in tensor memory," : "");
  product.folds = TensorMemory::kLanes / product.m;
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

/// Takes what the descriptor says of a sparse a.
void takeSparsity(const Warp& warp, const Instruction& i, unsigned lane, std::uint32_t bits,
                  TensorProduct& product) {
  const bool sparse = (bits >> 2 & 1U) != 0;
  if (sparse != i.tensor.sparse)
    failAt(warp, i, lane, "an instruction descriptor of a {} product; expected {} in its bit 2",
           sparse ? "sparse" : "dense", sparse ? 0 : 1);
  if (!sparse) return;
  const auto kind = static_cast<TensorKind>(i.tensor.form);
  product.sparse = true;
  product.k *= 2;
  if (isScaled(kind)) return;  // has no selector
  product.selector = bits & 3U;
  if (kind > TensorKind::Tf32 && product.selector != 0)
    failAt(warp, i, lane, "sparsity selector {} for .{}; expected 0", product.selector,
           kTensorKinds[i.tensor.form]);
}

void checkShift(const Warp& warp, const Instruction& i, unsigned lane,
                const TensorProduct& product) {
  if (i.tensor.shiftsRows && product.m * (i.tensor.pairs ? 2 : 1) < 128)
    failAt(warp, i, lane, "a product of {} rows whose a is shifted; expected 128 or 256",
           product.m);
}

/// Returns what the instruction descriptor says; throws InputError for what is not supported.
TensorProduct productOf(const Warp& warp, const Instruction& i, unsigned lane) {
  const std::uint32_t bits = rowOf<std::uint32_t>(warp, i.c)[lane];
  const auto flag = [&](unsigned bit) { return (bits >> bit & 1U) != 0; };
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
  takeSparsity(warp, i, lane, bits, product);
  if (i.tensor.pairs) {
    splitRows(warp, i, lane, product);
  } else if (i.tensor.keepsB) {
    foldColumns(warp, i, lane, product);
  } else {
    checkShape(warp, i, lane, product);
  }
  checkShift(warp, i, lane, product);
  const auto turns = [](TensorElement one) {
    return one < TensorElement::E2m3 || one > TensorElement::Nibble;
  };
  if ((product.transposedA && !turns(product.a)) || (product.transposedB && !turns(product.b)))
    failAt(warp, i, lane, "a transposed factor of 4- or 6-bit floats; expected rows along k");
  return product;
}

/// The factors in shared memory, by CTA of a pair: its rows of a, its part of the columns of b.
struct Tiles {
  TensorSides sides;
  std::array<TensorTile, 2> a, b;
};
Tiles tilesOf(const Warp& warp, const Instruction& i, unsigned lane, const TensorProduct& p) {
  Tiles tiles{tensorSides(warp, i, lane, i.tensor.pairs), {}, {}};
  for (unsigned s = 0; s < tiles.sides.count; ++s) {
    const std::uint32_t base = sharedBaseOf(warp, *tiles.sides.ctas[s]);
    if (!i.tensor.aInTensor)
      tiles.a[s] = tensorTile(warp, i, lane, rowOf<std::uint64_t>(warp, i.a)[lane], p.transposedA,
                              p.m, perChunk(p.a));
    tiles.b[s] = tensorTile(warp, i, lane, rowOf<std::uint64_t>(warp, i.b)[lane], p.transposedB,
                            p.n / tiles.sides.count, perChunk(p.b), p.sparse ? 4 : 2);
    tiles.a[s].start += base;
    tiles.b[s].start += base;
  }
  return tiles;
}

void readTensorA(const Warp& warp, Cta& cta, const Instruction& i, unsigned lane,
                 const TensorProduct& p, TensorFactors& factors) {
  const TensorPlace place(rowOf<std::uint32_t>(warp, i.a)[lane]);
  checkLane(warp, i, lane, p, place);
  TensorMemory& memory = tensorColumns(warp, cta, i, lane, place.column, kWordsOfFactor);
  const unsigned per = perChunk(p.a), words = kWordsOfFactor / 2;
  for (unsigned row = 0; row < p.m; ++row) {
    for (unsigned half = 0; half < 2; ++half) {
      std::array<std::uint32_t, kWordsOfFactor / 2> chunk;
      for (unsigned w = 0; w < words; ++w)
        chunk[w] = memory.column(place.column + half * words + w)[place.lane + laneOf(p, row)];
      for (unsigned e = 0; e < per; ++e)
        factors.atA(row, half * per + e) =
            tensorElement(p.a, reinterpret_cast<const std::uint8_t*>(chunk.data()), e);
    }
  }
}

/// Multiplies elements by the scales of their blocks. The scale of block j of a row is byte first +
/// j of a word: lane row % 32, column row / 32. `count`: elements of a row; placeOf(row, number):
/// the step of k of one.
template <class At, class PlaceOf>
void scale(const Warp& warp, Cta& cta, const Instruction& i, unsigned lane, Row address,
           unsigned first, unsigned rows, unsigned count, const TensorProduct& p, At at,
           PlaceOf placeOf) {
  const TensorPlace place(rowOf<std::uint32_t>(warp, address)[lane]);
  TensorMemory& memory = tensorColumns(warp, cta, i, lane, place.column, (rows + 31) / 32);
  const unsigned blocks = i.tensor.scaling, steps = p.k / blocks;
  if (first + blocks > 4)
    failAt(warp, i, lane, "scales from byte {} on, of {} blocks; expected them in four bytes",
           first, blocks);
  for (unsigned row = 0; row < rows; ++row) {
    const std::uint32_t word = memory.column(place.column + row / 32)[row % 32];
    for (unsigned number = 0; number < count; ++number) {
      const unsigned byte = word >> 8 * (first + placeOf(row, number) / steps) & 0xffU;
      at(row, number) *= scaleValue(byte, p.wholeScales);
    }
  }
}

/// Reads the rows of CTA `side`, and all columns.
void readFactors(const Warp& warp, const Instruction& i, unsigned lane, const TensorProduct& p,
                 const Tiles& tiles, unsigned side, TensorFactors& factors) {
  Cta& cta = *tiles.sides.ctas[side];
  const auto atA = [&](unsigned row, unsigned step) -> double& { return factors.atA(row, step); };
  const auto atB = [&](unsigned row, unsigned step) -> double& { return factors.atB(row, step); };
  if (i.tensor.aInTensor) {
    readTensorA(warp, cta, i, lane, p, factors);
  } else {
    eachElement(warp, i, lane, tiles.a[side], p.a,
                [&](unsigned row, unsigned step, double value) { atA(row, step) = value; });
  }
  if (p.sparse) readPlaces(warp, cta, i, lane, p, factors);
  if (i.tensor.shiftsRows) shiftRows(p, factors);
  for (unsigned s = 0; s < tiles.sides.count; ++s) {
    const unsigned first = s * tiles.b[s].rows;
    eachElement(warp, i, lane, tiles.b[s], p.b,
                [&](unsigned row, unsigned step, double value) { atB(first + row, step) = value; });
  }
  if (p.negatedA != p.negatedB) {
    for (double& one : factors.a) one = -one;
  }
  if (i.tensor.scaling == 0) return;
  const auto itself = [](unsigned, unsigned step) { return step; };
  const auto placeOf = [&](unsigned row, unsigned number) {
    return p.sparse ? factors.place[TensorFactors::indexA(row, number)] : number;
  };
  scale(warp, cta, i, lane, i.vector[0], p.firstScaleA, p.m, p.stepsOfA(), p, atA, placeOf);
  scale(warp, cta, i, lane, i.vector[1], p.firstScaleB, p.n, p.k, p, atB, itself);
}

/// True if the instruction leaves the lane of tensor memory alone.
bool isOff(const Warp& warp, const Instruction& i, unsigned thread, unsigned lane) {
  return i.tensor.disables &&
         (rowOf<std::uint32_t>(warp,
                               warp.machine->code->matrixRows[i.tensor.rows + lane / 32])[thread] >>
              lane % 32 &
          1U) != 0;
}

void multiply(const Warp& warp, Cta& cta, const Instruction& i, unsigned thread,
              const TensorProduct& p, TensorFactors& factors) {
  const TensorPlace place(rowOf<std::uint32_t>(warp, i.d)[thread] +
                          static_cast<std::uint32_t>(i.offset));
  checkLane(warp, i, thread, p, place);
  const unsigned columns = p.n / p.folds;
  TensorMemory& memory = tensorColumns(warp, cta, i, thread, place.column, columns);
  const bool adds = laneOn(predicateValue(warp, i.p), thread);
  const double share = std::ldexp(1.0, -i.tensor.shift);
  const unsigned first = cta.rank % 2 * TensorMemory::kLanes;  // of the masks of lanes that are off
  const AddColumn add = addColumn();
  for (unsigned n = 0; n < p.n; ++n) {
    const unsigned upper = n / columns * p.m;  // lanes of further columns
    std::uint32_t* const words = memory.column(place.column + n % columns) + place.lane + upper;
    std::array<double, TensorProduct::kMostRows> sums{};
    for (unsigned m = 0; m < p.m && adds; ++m) sums[m] = sumOf(p.sum, words[laneOf(p, m)]) * share;
    if (p.sparse) {
      addSparseColumn(factors, &factors.atB(n, 0), p, sums.data());
    } else {
      add(factors.a.data(), &factors.atB(n, 0), p.k, p.m, sums.data());
    }
    for (unsigned m = 0; m < p.m; ++m) {
      const unsigned lane = laneOf(p, m);
      if (!isOff(warp, i, thread, first + place.lane + upper + lane))
        words[lane] = wordOf(p.sum, sums[m], p.clamps);
    }
  }
}

void exposeA(const Warp& warp, const Instruction& i, unsigned lane, const TensorTile& tile,
             unsigned piece) {
  const unsigned count = tile.chunks() / kPiecesOfA;
  exposeChunks(warp, i, lane, count,
               [&](unsigned k) { return tile.chunk(piece * count + k).address; });
}

void exposeB(const Warp& warp, const Instruction& i, unsigned lane, const TensorTile& tile,
             unsigned piece) {
  const unsigned first = piece * kWarpLanes;
  exposeChunks(warp, i, lane, std::min(tile.chunks() - first, kWarpLanes),
               [&](unsigned k) { return tile.chunk(first + k).address; });
}

/// Exposes the reads of piece `piece`; returns the number of pieces. Of a pair: the own a, the own
/// b, that of the other CTA, its a.
unsigned exposePiece(const Warp& warp, const Instruction& i, unsigned lane, const Tiles& tiles,
                     unsigned piece) {
  const unsigned own = tiles.sides.own, count = tiles.sides.count;
  const unsigned ofA = i.tensor.aInTensor ? 0 : kPiecesOfA;
  const unsigned ofB = (tiles.b[own].chunks() + kWarpLanes - 1) / kWarpLanes;
  const unsigned pieces = count * (ofA + ofB), behindB = ofA + count * ofB;
  if (piece < ofA) {
    exposeA(warp, i, lane, tiles.a[own], piece);
  } else if (piece < behindB) {
    const unsigned number = piece - ofA;
    exposeB(warp, i, lane, tiles.b[number < ofB ? own : 1 - own], number % ofB);
  } else {
    exposeA(warp, i, lane, tiles.a[1 - own], piece - behindB);
  }
  return pieces;
}

}  // namespace

void checkLane(const Warp& warp, const Instruction& i, unsigned lane, const TensorProduct& p,
               const TensorPlace& place) {
  if (place.lane != 0 && !(isSpread(p) && place.lane == 16))
    failAt(warp, i, lane, "{} rows from lane {} of tensor memory on; expected lane 0{}", p.m,
           place.lane, isSpread(p) ? " or 16" : "");
}

void executeTensorProduct(Warp& warp, const Instruction& i, LaneMask mask) {
  const unsigned lane = firstLane(mask);
  const TensorProduct product = productOf(warp, i, lane);
  const Tiles tiles = tilesOf(warp, i, lane, product);
  std::uint32_t& done = warp.copies.bulkDone;
  if (done == 0) {
    thread_local TensorFactors factors;
    factors.steps = product.k;
    for (unsigned s = 0; s < tiles.sides.count; ++s) {
      readFactors(warp, i, lane, product, tiles, s, factors);
      multiply(warp, *tiles.sides.ctas[s], i, lane, product, factors);
    }
  }
  warp.machine->out->copy = warp.copies.begun++;
  const unsigned pieces = exposePiece(warp, i, lane, tiles, done);
  if (++done == pieces) {
    done = 0;
    mask &= mask - 1;
  }
  if (mask != 0) executeAgain(warp, i, mask);
}

}  // namespace fermata::ptx
