// Products with a sparse factor a (mma.sp and wgmma.mma_async.sp): of each chunk of a row, a holds
// half of the elements, and four bits of metadata say which (PTX ISA, "Sparse matrix storage").
// lane_matrix.cpp compiles this file for each instruction set.
//
// An absent element takes no part: infinity times an absent element adds nothing.

#include <fermata/stimuli/ptx/lane_matrix.inl>

namespace fermata::ptx::FERMATA_LANES {
namespace {

/// A chunk of a row: the width in elements, and the elements that stand together. Of pairs (4 bits)
/// both or neither are there; of tf32 one of two is.
template <Factor F>
inline constexpr unsigned kChunk = F == Factor::Tf32     ? 2
                                   : F == Factor::Nibble ? 8
                                                         : 4;
template <Factor F>
inline constexpr unsigned kTogether = F == Factor::Nibble ? 2 : 1;

/// Returns the four bits of a chunk. Lanes 4g to 4g + 3 hold the metadata of rows g and g + 8. With
/// 16 bits per lane and row a lane holds both rows, and the selector names the lane or the pair of
/// lanes; with 32 the upper row has a lane of its own, and the selector names the pair.
template <unsigned Chunks, bool Wide>
inline unsigned chunkBits(const std::uint32_t* metadata, unsigned selector, unsigned block,
                          unsigned row, unsigned chunk) {
  constexpr unsigned kPerLane = Wide ? 8 : 4;
  constexpr unsigned kLanes = Chunks / kPerLane * (Wide ? 2 : 1);  // that contribute, of four
  const unsigned lane =
      4 * row + kLanes * selector + (Wide ? 2 * (chunk / kPerLane) + block : chunk / kPerLane);
  return metadata[lane] >> ((Wide ? 0 : 16 * block) + 4 * (chunk % kPerLane)) & 0xfU;
}

/// Fills `places` with the column of each element that a holds. K: columns, most of them absent.
template <Factor F, unsigned M, unsigned K>
inline void readPlaces(const std::uint32_t* metadata, unsigned selector, unsigned firstBlock,
                       std::uint8_t (&places)[M][K / 2]) {
  constexpr bool kWide = bitsOf(F) <= 8;
  constexpr unsigned kWidth = kChunk<F>, kStored = kWidth / 2;
  for (unsigned m = 0; m < M; ++m) {
    for (unsigned s = 0; s < K / 2; ++s) {
      const unsigned chunk = s / kStored, e = s % kStored;
      const unsigned bits = chunkBits<K / kWidth, kWide>(
          metadata, selector, firstBlock + m / kGroups, m % kGroups, chunk);
      unsigned at = bits >> 2 * (e / kTogether<F>)&3U;
      if (F == Factor::Tf32) at /= 2;
      places[m][s] =
          static_cast<std::uint8_t>(chunk * kWidth + at * kTogether<F> + e % kTogether<F>);
    }
  }
}

/// Adds a * b to sum in order of the elements that a holds. Takes four rows at once, which do not
/// wait for one another.
template <class Real, unsigned M, unsigned S, unsigned K>
inline void multiplySparse(const Real (&a)[M][S], const std::uint8_t (&places)[M][S],
                           const Real (&b)[K][kColumns], Real (&sum)[M][kColumns]) {
  using Vector = typename VectorOf<Real>::Type;
  constexpr unsigned kRows = 4, kLength = sizeof(Vector) / sizeof(Real);
  constexpr unsigned kVectors = kColumns / kLength;
  for (unsigned m = 0; m < M; m += kRows) {
    Vector total[kRows][kVectors];
    __builtin_memcpy(total, sum[m], sizeof total);
    for (unsigned s = 0; s < S; ++s) {
#pragma GCC unroll 4
      for (unsigned r = 0; r < kRows; ++r) {
        for (unsigned v = 0; v < kVectors; ++v) {
          Vector factor;
          __builtin_memcpy(&factor, &b[places[m + r][s]][v * kLength], sizeof factor);
          multiplyAdd<false>(a[m + r][s], factor, total[r][v]);
        }
      }
    }
    __builtin_memcpy(sum[m], total, sizeof total);
  }
}

/// Computes d = a * b + c; `sum` is room for it.
template <Sum S, class Real, unsigned M, unsigned Stored, unsigned K>
inline void accumulateSparse(const Warp& w, const Instruction& i, const Real (&a)[M][Stored],
                             const std::uint8_t (&places)[M][Stored], const Real (&b)[K][kColumns],
                             Real (&sum)[M][kColumns], const Row* c, const Row* d) {
  if constexpr (S == Sum::S32) {
    __builtin_memset(sum, 0, sizeof sum);
    multiplySparse(a, places, b, sum);
    addIntegers(w, c, d, (i.product.flags & kClampSum) != 0, sum);
  } else {
    readSum<S>(w, c, sum);
    multiplySparse(a, places, b, sum);
    writeSum<S>(w, d, sum);
  }
}

/// Executes mma.sp for M of its 16 rows: those from 8 * firstBlock on.
template <Factor F, Sum S, unsigned M, unsigned K>
void sparseProduct(Warp& w, const Instruction& i, LaneMask mask) {
  if (!isWholeWarp(w, i, mask)) return;
  constexpr MatrixForm kForm{F, S, S, M, K};
  const Row* rows = &w.machine->code->matrixRows[i.product.rows];
  const Row* rowsB = rows + rowsOfA(kForm) / 2;
  const Row* c = rowsB + rowsOfB(kForm);
  const Row* d = c + rowsOfSum(kForm, S);
  alignas(64) RealOf<F> a[M][K / 2];
  alignas(64) RealOf<F> b[K][kColumns];
  alignas(64) RealOf<F> sum[M][kColumns];
  std::uint8_t places[M][K / 2];
  readA<F>(RowWords{w, rows}, (i.product.flags & kSignedA) != 0, a);
  readB<F>(RowWords{w, rowsB}, (i.product.flags & kSignedB) != 0, b);
  readPlaces<F, M, K>(in<std::uint32_t>(w, d[rowsOfSum(kForm, S)]), i.product.selector,
                      i.product.firstBlock, places);
  accumulateSparse<S>(w, i, a, places, b, sum, c, d);
}

template <Factor F, Sum S, unsigned M, unsigned K>
constexpr FormOfProduct sparseForm() {
  return {{F, S, S, M, K}, &sparseProduct<F, S, M, K>};
}
constexpr FormOfProduct kSparseProducts[] = {
    sparseForm<Factor::F16, Sum::F32, 16, 16>(),    sparseForm<Factor::F16, Sum::F32, 8, 32>(),
    sparseForm<Factor::F16, Sum::F16, 16, 16>(),    sparseForm<Factor::F16, Sum::F16, 8, 32>(),
    sparseForm<Factor::Bf16, Sum::F32, 16, 16>(),   sparseForm<Factor::Bf16, Sum::F32, 8, 32>(),
    sparseForm<Factor::Tf32, Sum::F32, 16, 8>(),    sparseForm<Factor::Tf32, Sum::F32, 8, 16>(),
    sparseForm<Factor::Byte, Sum::S32, 16, 32>(),   sparseForm<Factor::Byte, Sum::S32, 8, 64>(),
    sparseForm<Factor::Nibble, Sum::S32, 16, 64>(), sparseForm<Factor::Nibble, Sum::S32, 8, 128>(),
    sparseForm<Factor::Float8, Sum::F32, 8, 64>(),  sparseForm<Factor::Float8, Sum::F16, 8, 64>(),
};

}  // namespace

Handler sparseHandler(const MatrixForm& form) {
  return among(kSparseProducts, form);
}

}  // namespace fermata::ptx::FERMATA_LANES
