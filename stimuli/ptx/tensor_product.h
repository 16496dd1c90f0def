// Products of tcgen05.mma: d = a * b + d, where a has m rows and k columns and b has k rows and n
// columns. The sums d lie in tensor memory, b in shared memory, a in either.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include <fermata/stimuli/ptx/instruction.h>
#include <fermata/stimuli/ptx/tensor_memory.h>
#include <fermata/stimuli/ptx/tensor_tile.h>

namespace fermata::ptx {

/// Kinds of products, in the order of their names.
enum class TensorKind : std::uint8_t { F16, Tf32, I8, F8f6f4, Mxf8f6f4, Mxf4, Mxf4nvf4 };
inline constexpr std::string_view kTensorKinds[] = {"kind::f16",     "kind::tf32",     "kind::i8",
                                                    "kind::f8f6f4",  "kind::mxf8f6f4", "kind::mxf4",
                                                    "kind::mxf4nvf4"};
constexpr bool isScaled(TensorKind kind) {
  return kind >= TensorKind::Mxf8f6f4;
}

/// Types of factors. Nibble is e2m1, two per byte; the others of 4 and 6 bits take a byte each in
/// tensor memory, and 16 of them take 16 bytes in shared memory, with a gap behind.
enum class TensorElement : std::uint8_t {
  F16,
  Bf16,
  Tf32,
  E4m3,
  E5m2,
  E2m3,
  E3m2,
  E2m1,
  Nibble,
  U8,
  S8
};
enum class TensorSum : std::uint8_t { F16, F32, S32 };

/// Contents of an instruction descriptor.
struct TensorProduct {
  static constexpr unsigned kMostRows = 128;
  static constexpr unsigned kMostColumns = 256;
  static constexpr unsigned kMostSteps = 64;  ///< of k; of b in a sparse product, twice as many
  TensorElement a = TensorElement::F16, b = TensorElement::F16;
  TensorSum sum = TensorSum::F32;
  unsigned m = 0, n = 0, k = 0;  ///< of a pair, each CTA has m rows
  unsigned folds = 1;            ///< parts of the columns, each in m lanes behind those of the last
  bool negatedA = false, negatedB = false;
  bool transposedA = false, transposedB = false;
  bool clamps = false;
  bool sparse = false;       ///< a holds half of its elements, and metadata say where they stand
  unsigned selector = 0;     ///< sparse: column of the metadata, counted from their address
  bool wholeScales = false;  ///< scales are e8m0, not e4m3
  unsigned firstScaleA = 0, firstScaleB = 0;  ///< byte of a word of scales

  unsigned stepsOfA() const { return sparse ? k / 2 : k; }
};

/// Handler of tcgen05.mma.
void executeTensorProduct(Warp& warp, const Instruction& i, LaneMask mask);

/// Elements of a chunk of 16 bytes.
unsigned perChunk(TensorElement element);
/// Returns the number that a scale of a block stands for.
double scaleValue(std::uint32_t byte, bool whole);

/// Values of both factors. Those of k stand apart by kMostRows in a, side by side in b.
struct TensorFactors {
  std::array<double, std::size_t{TensorProduct::kMostSteps} * TensorProduct::kMostRows> a;
  std::array<double, std::size_t{2 * TensorProduct::kMostSteps} * TensorProduct::kMostColumns> b;
  /// Sparse: the step of k at which an element of a stands, ordered as a.
  std::array<std::uint8_t, std::size_t{TensorProduct::kMostSteps} * TensorProduct::kMostRows> place;
  unsigned steps = 0;  ///< of k, in b

  static std::size_t indexA(unsigned row, unsigned step) {
    return std::size_t{step} * TensorProduct::kMostRows + row;
  }
  double& atA(unsigned row, unsigned step) { return a[indexA(row, step)]; }
  double& atB(unsigned column, unsigned step) { return b[std::size_t{column} * steps + step]; }
};

/// Reads where the elements of a sparse a stand (tensor_sparsity.cpp). Throws InputError for
/// metadata that the ISA does not define.
void readPlaces(const Warp& warp, Cta& cta, const Instruction& i, unsigned lane,
                const TensorProduct& product, TensorFactors& factors);
/// Adds the products of a sparse a with a column of b to the column's sums.
void addSparseColumn(const TensorFactors& factors, const double* b, const TensorProduct& product,
                     double* sums);
/// Moves each row of a to the one before, but for the first; the last stays, too.
void shiftRows(const TensorProduct& product, TensorFactors& factors);

/// True if each 32 lanes of tensor memory hold 16 of 64 rows.
inline bool isSpread(const TensorProduct& p) {
  return p.m == 64 && p.folds == 1;
}
/// Returns the lane of tensor memory that holds a row, beyond that of the address.
inline unsigned laneOf(const TensorProduct& p, unsigned row) {
  return isSpread(p) ? row / 16 * 32 + row % 16 : row;
}
/// Checks the lane of an address in tensor memory.
void checkLane(const Warp& warp, const Instruction& i, unsigned lane, const TensorProduct& p,
               const TensorPlace& place);

/// Calls put(row, step, value) for each element of a tile in shared memory.
template <class Put>
void eachElement(const Warp& warp, const Instruction& i, unsigned lane, const TensorTile& tile,
                 TensorElement element, Put put);
/// Returns element `number` of a chunk in shared memory, or of 16 bytes of tensor memory.
double sharedElement(TensorElement element, const std::uint8_t* chunk, unsigned number);
double tensorElement(TensorElement element, const std::uint8_t* chunk, unsigned number);
/// Returns the bits of element `number` of a chunk of packed elements.
unsigned packedElement(const std::uint8_t* chunk, unsigned number, unsigned bits);

/// Adds products to the sums of one column: sums[row] += a(row, step) * b(step), in order of steps.
/// It is compiled for each instruction set (tensor_sums.cpp).
using AddColumn = void (*)(const double* a, const double* b, unsigned steps, unsigned rows,
                           double* sums);
AddColumn addColumn();
AddColumn portableAddColumn();
/// Return the sum that a word of tensor memory holds, and the word of a sum: rounded once.
double sumOf(TensorSum type, std::uint32_t word);
std::uint32_t wordOf(TensorSum type, double sum, bool clamps);

template <class Put>
void eachElement(const Warp& warp, const Instruction& i, unsigned lane, const TensorTile& tile,
                 TensorElement element, Put put) {
  for (unsigned number = 0; number < tile.chunks(); ++number) {
    const TensorTile::Chunk chunk = tile.chunk(number);
    const std::uint8_t* const bytes = chunkBytes(warp, i, lane, chunk.address);
    for (unsigned e = 0; e < tile.perChunk; ++e) {
      const unsigned row = chunk.row + (tile.transposed ? e : 0);
      const unsigned step = chunk.step + (tile.transposed ? 0 : e);
      if (row < tile.rows) put(row, step, sharedElement(element, bytes, e));
    }
  }
}

}  // namespace fermata::ptx
