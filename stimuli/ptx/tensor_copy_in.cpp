// tcgen05.cp, copies from shared to tensor memory, and tcgen05.shift.
#include <algorithm>
#include <array>
#include <cstring>

#include <fermata/stimuli/ptx/tensor_decoding.h>
#include <fermata/stimuli/ptx/tensor_memory.h>
#include <fermata/stimuli/ptx/tensor_product.h>
#include <fermata/stimuli/ptx/tensor_tile.h>

namespace fermata::ptx {
namespace {

/// A shape of tcgen05.cp. Rows go to lanes of each quarter, 32 lanes, that has their bit.
struct Shape {
  std::string_view name;
  std::string_view copies;           ///< modifier that says which quarters get the same rows
  unsigned rows, chunks;             ///< chunks of 16 bytes per row
  std::array<std::int8_t, 4> block;  ///< by quarter: the 32 rows that it gets
};
constexpr Shape kShapes[] = {
    {"128x256b", "", 128, 2, {0, 1, 2, 3}},
    {"128x128b", "", 128, 1, {0, 1, 2, 3}},
    {"4x256b", "", 4, 2, {0, 1, 2, 3}},
    {"64x128b", "warpx2::02_13", 64, 1, {0, 1, 0, 1}},
    {"64x128b", "warpx2::01_23", 64, 1, {0, 0, 1, 1}},
    {"32x128b", "warpx4", 32, 1, {0, 0, 0, 0}},
};
constexpr unsigned kPerChunk = 16;  // elements of a byte
constexpr unsigned kWordsOfChunk = TensorTile::kBytes / 4;

/// A chunk of the source and where it goes.
struct Move {
  std::uint32_t address;
  unsigned row, chunk;
};
Move moveOf(const Shape& shape, const TensorTile& tile, unsigned number) {
  const unsigned core = shape.rows == 4 ? 4 : 8;
  const unsigned group = number / core / shape.chunks, chunk = number / core % shape.chunks;
  const unsigned row = group * core + number % core;
  return {tile.chunk(row / 8 * 16 + chunk * 8 + row % 8).address, row, chunk};
}

/// Returns a chunk as tensor memory holds it. `bits`: width of packed elements that get a byte
/// each, 6 bits the lower ones and 4 bits the middle ones; 0: the bytes stay as they are.
std::array<std::uint32_t, kWordsOfChunk> widened(const std::uint8_t* bytes, unsigned bits) {
  std::array<std::uint32_t, kWordsOfChunk> words;
  std::memcpy(words.data(), bytes, sizeof words);
  if (bits == 0) return words;
  std::array<std::uint8_t, TensorTile::kBytes> wide;
  for (unsigned e = 0; e < wide.size(); ++e)
    wide[e] = static_cast<std::uint8_t>(packedElement(bytes, e, bits) << (bits == 4 ? 2U : 0U));
  std::memcpy(words.data(), wide.data(), sizeof words);
  return words;
}

void store(TensorMemory& memory, const TensorPlace& place, const Shape& shape, const Move& move,
           const std::array<std::uint32_t, kWordsOfChunk>& words) {
  for (unsigned quarter = 0; quarter < 4; ++quarter) {
    const unsigned lane = shape.rows == 4 ? place.lane : move.row % 32;
    const unsigned block = shape.rows == 4 ? move.row : move.row / 32;
    if (static_cast<unsigned>(shape.block[quarter]) != block) continue;
    for (unsigned w = 0; w < kWordsOfChunk; ++w)
      memory.column(place.column + move.chunk * kWordsOfChunk + w)[quarter * 32 + lane] = words[w];
  }
}

void executeCopyIn(Warp& warp, const Instruction& i, LaneMask mask) {
  const unsigned lane = firstLane(mask);
  const Shape& shape = kShapes[i.tensor.form];
  const TensorPlace place(rowOf<std::uint32_t>(warp, i.a)[lane] +
                          static_cast<std::uint32_t>(i.offset));
  if (shape.rows == 4 ? place.lane >= 32 : place.lane != 0)
    failAt(warp, i, lane, "a copy to lane {} of tensor memory; expected lane 0{}", place.lane,
           shape.rows == 4 ? " to 31" : "");
  TensorTile tile = tensorTile(warp, i, lane, rowOf<std::uint64_t>(warp, i.b)[lane], false,
                               std::max(shape.rows, 8U), kPerChunk);
  std::uint32_t& done = warp.copies.bulkDone;
  const unsigned chunks = shape.rows * shape.chunks;
  const unsigned pieces = (chunks + kWarpLanes - 1) / kWarpLanes;
  const TensorSides sides = tensorSides(warp, i, lane, i.tensor.pairs);
  Cta& cta = *sides.ctas[done / pieces == 0 ? sides.own : 1 - sides.own];
  TensorMemory& memory =
      tensorColumns(warp, cta, i, lane, place.column, shape.chunks * kWordsOfChunk);
  tile.start += sharedBaseOf(warp, cta);
  const unsigned first = done % pieces * kWarpLanes;
  const unsigned count = std::min(chunks - first, kWarpLanes);
  for (unsigned k = first; k < first + count; ++k) {
    const Move move = moveOf(shape, tile, k);
    store(memory, place, shape, move,
          widened(chunkBytes(warp, i, lane, move.address), i.tensor.scaling));
  }
  exposeChunks(warp, i, lane, count,
               [&](unsigned k) { return moveOf(shape, tile, first + k).address; });
  warp.machine->out->copy = warp.copies.begun++;
  if (++done == pieces * sides.count) {
    done = 0;
    mask &= mask - 1;
  }
  if (mask != 0) executeAgain(warp, i, mask);
}

/// Moves 32 bytes of each lane to the lane below, within 32 lanes; the last keeps its own. That
/// lane 1 moves to lane 0 and not the other way is an assumption: the ISA says "down".
void executeShift(Warp& warp, const Instruction& i, LaneMask mask) {
  constexpr unsigned kColumns = 8;
  for (const unsigned thread : lanesIn(mask)) {
    const TensorPlace place(rowOf<std::uint32_t>(warp, i.a)[thread] +
                            static_cast<std::uint32_t>(i.offset));
    if (place.lane % 32 != 0 || place.lane >= TensorMemory::kLanes)
      failAt(warp, i, thread, "a shift from lane {} of tensor memory on; expected 0, 32, 64 or 96",
             place.lane);
    const TensorSides sides = tensorSides(warp, i, thread, i.tensor.pairs);
    for (unsigned s = 0; s < sides.count; ++s) {
      TensorMemory& memory = tensorColumns(warp, *sides.ctas[s], i, thread, place.column, kColumns);
      for (unsigned column = 0; column < kColumns; ++column) {
        std::uint32_t* const words = memory.column(place.column + column) + place.lane;
        std::memmove(words, words + 1, 31 * sizeof *words);
      }
    }
  }
}

/// Takes .b8x16.b6x16_p32 or .b8x16.b4x16_p64; returns the bits of an element, 0 without.
unsigned takeWidening(Decoding& d) {
  if (!d.take("b8x16")) return 0;
  if (d.take("b6x16_p32")) return 6;
  if (!d.take("b4x16_p64")) d.unsupported("expected .b8x16.b6x16_p32 or .b8x16.b4x16_p64");
  return 4;
}

}  // namespace

void decodeTensorCopyIn(Decoding& d) {
  const bool pairs = takeCtaGroup(d);
  std::size_t shape = 0;
  const auto fits = [&](const Shape& one) {
    return d.has(one.name) && (one.copies.empty() || d.has(one.copies));
  };
  while (shape < std::size(kShapes) && !fits(kShapes[shape])) ++shape;
  if (shape == std::size(kShapes))
    d.unsupported(
        "expected .128x256b, .128x128b, .4x256b, .64x128b.warpx2::02_13, .64x128b.warpx2::01_23 or "
        ".32x128b.warpx4");
  d.take(kShapes[shape].name);
  d.take(kShapes[shape].copies);
  const unsigned bits = takeWidening(d);
  d.finishModifiers();
  d.expectOperands(2);
  takeTensorAddress(d, 0);
  d.i.b = d.source(1, Type::B64);
  d.i.tensor = {};
  d.i.tensor.form = static_cast<std::uint8_t>(shape);
  d.i.tensor.scaling = static_cast<std::uint8_t>(bits);
  d.i.tensor.pairs = pairs;
  d.i.handler = &executeCopyIn;
  emitTensorWork(d, kCopyToTensor);
}

void decodeTensorShift(Decoding& d) {
  const bool pairs = takeCtaGroup(d);
  if (!d.take("down")) d.unsupported("expected .down");
  d.finishModifiers();
  d.expectOperands(1);
  takeTensorAddress(d, 0);
  d.i.tensor = {};
  d.i.tensor.pairs = pairs;
  d.i.handler = &executeShift;
  emitTensorAccess(d, 8);
}

}  // namespace fermata::ptx
