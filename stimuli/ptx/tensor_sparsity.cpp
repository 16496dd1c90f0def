// Sparse products of tcgen05 (PTX ISA, "Sparse Matrices"): of each chunk of k, a holds half of the
// elements, and four bits of metadata in tensor memory say which. The layouts of the metadata are
// those of NVIDIA CUTLASS (tmem_e_frg, for 128 rows).
#include <fermata/stimuli/ptx/tensor_product.h>

#include <fermata/stimuli/ptx/tensor_memory.h>

namespace fermata::ptx {
namespace {

constexpr unsigned kBitsOfChunk = 4;

/// A chunk of k: `width` elements, of which a holds the first `group` at each place.
struct Chunk {
  unsigned width, places, group;
};
Chunk chunkOf(const Instruction& i) {
  const auto kind = static_cast<TensorKind>(i.tensor.form);
  if (kind == TensorKind::Tf32) return {2, 1, 1};
  if (kind >= TensorKind::Mxf4) return {8, 2, 2};  // pairs stand together
  return {4, 2, 1};
}

/// Returns the metadata of a row. With 32 bits per row (f16, tf32) eight rows share lanes with the
/// eight behind: bit b of row r is bit 16 (r / 8 % 2) + b % 16 of a word of lane r % 8 + 8 (b / 16)
/// of the 16 rows. With 64 bits each row has its lane.
std::uint64_t metadataOf(TensorMemory& memory, const TensorPlace& place, const TensorProduct& p,
                         unsigned bits, unsigned row) {
  if (bits == 64) {
    const unsigned lane = place.lane + laneOf(p, row);
    return memory.column(place.column)[lane] | std::uint64_t{memory.column(place.column + 1)[lane]}
                                                   << 32;
  }
  const std::uint32_t* const words = memory.column(place.column + p.selector) + place.lane;
  const unsigned lane = laneOf(p, row / 16 * 16) + row % 8, shift = row / 8 % 2 * 16;
  return (words[lane] >> shift & 0xffffU) | (words[lane + 8] >> shift & 0xffffU) << 16;
}

/// Returns the place of the first or second part of a chunk. Throws InputError for bits without a
/// meaning.
unsigned placeIn(const Warp& warp, const Instruction& i, unsigned lane, const Chunk& chunk,
                 unsigned row, unsigned number, unsigned bits, unsigned part) {
  constexpr unsigned kOfPairs =
      1U << 0x4 | 1U << 0x8 | 1U << 0xc | 1U << 0x9 | 1U << 0xd | 1U << 0x6 | 1U << 0xe;
  constexpr unsigned kOfOne = 1U << 0x4 | 1U << 0xe;
  const unsigned defined = chunk.places == 1 ? kOfOne : kOfPairs;
  if ((defined >> bits & 1U) == 0)
    failAt(
        warp, i, lane, "metadata {:#06b} of chunk {} of row {} of a; expected {}", bits, number,
        row,
        chunk.places == 1 ? "0b0100 or 0b1110" : "two different places, such as 0b0100 or 0b1110");
  if (chunk.places == 1) return bits == 0xe ? 1 : 0;
  return bits >> 2 * part & 3U;
}

}  // namespace

void readPlaces(const Warp& warp, Cta& cta, const Instruction& i, unsigned lane,
                const TensorProduct& product, TensorFactors& factors) {
  const Chunk chunk = chunkOf(i);
  const unsigned chunks = product.k / chunk.width, bits = chunks * kBitsOfChunk;
  const TensorPlace place(rowOf<std::uint32_t>(warp, i.vector[2])[lane]);
  checkLane(warp, i, lane, product, place);
  TensorMemory& memory =
      tensorColumns(warp, cta, i, lane, place.column + product.selector, bits / 32);
  for (unsigned row = 0; row < product.m; ++row) {
    const std::uint64_t metadata = metadataOf(memory, place, product, bits, row);
    unsigned stored = 0;
    for (unsigned c = 0; c < chunks; ++c) {
      const auto four = static_cast<unsigned>(metadata >> kBitsOfChunk * c & 0xfU);
      for (unsigned part = 0; part < chunk.places; ++part) {
        const unsigned at = placeIn(warp, i, lane, chunk, row, c, four, part) * chunk.group;
        for (unsigned e = 0; e < chunk.group; ++e)
          factors.place[TensorFactors::indexA(row, stored++)] =
              static_cast<std::uint8_t>(c * chunk.width + at + e);
      }
    }
  }
}

void addSparseColumn(const TensorFactors& factors, const double* b, const TensorProduct& product,
                     double* sums) {
  for (unsigned step = 0; step < product.stepsOfA(); ++step) {
    const std::size_t first = TensorFactors::indexA(0, step);
    for (unsigned row = 0; row < product.m; ++row)
      sums[row] += factors.a[first + row] * b[factors.place[first + row]];
  }
}

void shiftRows(const TensorProduct& product, TensorFactors& factors) {
  for (unsigned step = 0; step < product.stepsOfA(); ++step) {
    for (unsigned row = 0; row + 1 < product.m; ++row) {
      const std::size_t at = TensorFactors::indexA(row, step);
      factors.a[at] = factors.a[at + 1];
      if (product.sparse) factors.place[at] = factors.place[at + 1];
    }
  }
}

}  // namespace fermata::ptx
