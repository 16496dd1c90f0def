// Products of a warp group (wgmma), for one of its warps. lane_matrix.cpp compiles this file for
// each instruction set.

#include <fermata/stimuli/ptx/lane_matrix_sparse.inl>

namespace fermata::ptx::FERMATA_LANES {
namespace {

inline constexpr unsigned kRegistersOfA = 4;

/// Reads the warp's 16 rows of a, as far as they are in shared memory.
void readGroupRows(const Warp& w, const Instruction& i, FactorWords (&words)[kRegistersOfA]) {
  const FactorTile tile = factorTile(w, i, i.a, (i.product.groupFlags & kTransposedA) != 0, 2);
  const unsigned first = w.indexInCta % kWarpsOfGroup * 2;
  for (unsigned r = 0; r < kRegistersOfA; ++r)
    readFactor(w, i, tile, first + r % 2, r / 2, words[r]);
}

template <Factor F, unsigned K>
void readGroupA(const Warp& w, const Instruction& i, RealOf<F> (&a)[16][K]) {
  const bool isSigned = (i.product.flags & kSignedA) != 0;
  if ((i.product.groupFlags & kFactorInRegisters) != 0)
    return readA<F>(RowWords{w, &w.machine->code->matrixRows[i.product.rows]}, isSigned, a);
  FactorWords words[kRegistersOfA];
  readGroupRows(w, i, words);
  readA<F>(words, isSigned, a);
}

/// Sets the registers of 8 columns of d to 0.
void clearSums(const Warp& w, const Row* d, unsigned registers) {
  for (unsigned r = 0; r < registers; ++r) __builtin_memset(rowBytes(w, d[r]), 0, kRowBytes);
}

/// Executes a wgmma product for one warp. With Sparse, b is twice as deep as a.
template <Factor F, Sum S, bool Sparse>
void groupProduct(Warp& w, const Instruction& i, LaneMask mask) {
  if (!isWholeWarp(w, i, mask)) return;
  constexpr unsigned kDepth = 2 * depthOf(F), kCoresOfB = Sparse ? 4 : 2;
  constexpr unsigned kDepthOfB = kCoresOfB * depthOf(F);
  constexpr MatrixForm kForm{F, S, S, 16, kDepth};
  alignas(64) RealOf<F> a[16][kDepth];
  alignas(64) RealOf<F> b[kDepthOfB][kColumns];
  alignas(64) RealOf<F> sum[16][kColumns];
  readGroupA<F>(w, i, a);
  if ((i.product.groupFlags & kNegatedProduct) != 0) {
    for (auto& row : a) {
      for (auto& value : row) value = -value;
    }
  }
  const FactorTile tile =
      factorTile(w, i, i.b, (i.product.groupFlags & kTransposedB) != 0, kCoresOfB);
  const bool adds = predicateValue(w, i.p) != 0;
  const Row* d = &w.machine->code->matrixRows[i.product.rows];
  if ((i.product.groupFlags & kFactorInRegisters) != 0) d += rowsOfA(kForm);
  [[maybe_unused]] std::uint8_t places[16][kDepth];
  if constexpr (Sparse)
    readPlaces<F, 16, kDepthOfB>(in<std::uint32_t>(w, *d++), i.product.selector, 0, places);
  for (unsigned n = 0; n < i.elements; ++n, d += rowsOfSum(kForm, S)) {
    FactorWords words[kCoresOfB];
    for (unsigned c = 0; c < kCoresOfB; ++c) readFactor(w, i, tile, n, c, words[c]);
    readB<F>(words, (i.product.flags & kSignedB) != 0, b);
    if (!adds) clearSums(w, d, rowsOfSum(kForm, S));
    if constexpr (Sparse) {
      accumulateSparse<S>(w, i, a, places, b, sum, d, d);
    } else {
      accumulate<F, S, S>(w, i, a, b, sum, d, d);
    }
  }
}

/// Executes a wgmma product of bits for one warp.
void groupProductOfBits(Warp& w, const Instruction& i, LaneMask mask) {
  if (!isWholeWarp(w, i, mask)) return;
  constexpr unsigned kSums = 4, kCoresOfB = 2;
  FactorWords a[kRegistersOfA], b[kCoresOfB];
  const Row* d = &w.machine->code->matrixRows[i.product.rows];
  if ((i.product.groupFlags & kFactorInRegisters) != 0) {
    for (FactorWords& words : a) __builtin_memcpy(words, rowBytes(w, *d++), sizeof words);
  } else {
    readGroupRows(w, i, a);
  }
  const FactorTile tile = factorTile(w, i, i.b, false, kCoresOfB);
  const bool adds = predicateValue(w, i.p) != 0;
  for (unsigned n = 0; n < i.elements; ++n, d += kSums) {
    for (unsigned c = 0; c < kCoresOfB; ++c) readFactor(w, i, tile, n, c, b[c]);
    if (!adds) clearSums(w, d, kSums);
    countBits<16>(w, i, a, b, kRegistersOfA, d, d);
  }
}

template <Factor F, Sum S, bool Sparse>
constexpr FormOfProduct groupForm() {
  return {{F, S, S, 16, 2 * depthOf(F)}, &groupProduct<F, S, Sparse>};
}
template <bool Sparse>
constexpr FormOfProduct kGroupProducts[] = {
    groupForm<Factor::F16, Sum::F32, Sparse>(),    groupForm<Factor::F16, Sum::F16, Sparse>(),
    groupForm<Factor::Bf16, Sum::F32, Sparse>(),   groupForm<Factor::Tf32, Sum::F32, Sparse>(),
    groupForm<Factor::Float8, Sum::F32, Sparse>(), groupForm<Factor::Float8, Sum::F16, Sparse>(),
    groupForm<Factor::Byte, Sum::S32, Sparse>(),
};

constexpr FormOfProduct kGroupProductsOfBits[] = {
    {{Factor::Bit, Sum::S32, Sum::S32, 16, 2 * depthOf(Factor::Bit)}, &groupProductOfBits}};

}  // namespace

Handler groupHandler(const MatrixForm& form, bool sparse) {
  if (form.factor == Factor::Bit) return sparse ? nullptr : among(kGroupProductsOfBits, form);
  return sparse ? among(kGroupProducts<true>, form) : among(kGroupProducts<false>, form);
}

}  // namespace fermata::ptx::FERMATA_LANES
