// Instructions of a whole warp on matrices: ldmatrix, stmatrix, and the products of mma and wmma.
//
// All 32 lanes execute them together (.aligned); a warp that lacks lanes is refused, since the ISA
// leaves open what it would do.
#pragma once

#include <fermata/stimuli/ptx/instruction.h>

namespace fermata::ptx {

/// False: not now, members of other splits are waited for. InputError where lanes are missing.
bool isWholeWarp(Warp& warp, const Instruction& i, LaneMask mask);

// Matrices of 8 rows of 16 bytes in shared memory (matrix_memory_ops.cpp). elements: matrices, 1, 2
// or 4; vector[0..elements): rows of 32-bit words; a, offset: lanes 8m to 8m+7 give the rows of
// matrix m, further lanes nothing; flags: kTransposed, kGenericAddress.
inline constexpr std::uint8_t kTransposed = 1;
inline constexpr std::uint8_t kGenericAddress = 2;
void executeLoadMatrix(Warp& warp, const Instruction& i, LaneMask mask);
void executeStoreMatrix(Warp& warp, const Instruction& i, LaneMask mask);

// Parts of wmma.load and wmma.store (wmma_ops.cpp).

/// d: addresses of elements of a tile: a + (x * stride + y) * mode bits, or, with kLanesAcross, of
/// x + y * stride; b: stride; x = lane / 4, y = lane % 4 * elements, and target is added to what is
/// times the stride. Of the whole warp.
inline constexpr std::uint8_t kLanesAcross = 1;
void executeTileAddress(Warp& warp, const Instruction& i, LaneMask mask);
/// inner: a load of one register, vector[0]; vector[1..target]: copies of it.
void executeCopiedLoad(Warp& warp, const Instruction& i, LaneMask mask);

// Products d = a * b + c (lane_matrix.inl): a of m rows and k columns, b of k rows and 8 columns.

/// Type of an element of a and b.
/// Float8: e4m3 or e5m2, as the flags say, each of a and b.
enum class Factor : std::uint8_t { F16, Bf16, Tf32, F64, Byte, Nibble, Float8, Bit };
/// Type of an element of c and d.
enum class Sum : std::uint8_t { F32, F16, S32, F64 };
struct MatrixForm {
  Factor factor = Factor::F16;
  Sum sum = Sum::F32;     ///< of c
  Sum result = Sum::F32;  ///< of d; another than of c only where both are F16 or F32
  std::uint8_t m = 16;
  std::uint16_t k = 16;
};
/// Instruction::flags of integers; of Float8 the first two mean e5m2.
inline constexpr std::uint8_t kSignedA = 1;
inline constexpr std::uint8_t kSignedB = 2;
inline constexpr std::uint8_t kClampSum = 4;
/// Of Bit: products are bits that differ, not bits that are both set.
inline constexpr std::uint8_t kDiffer = 8;

constexpr unsigned bitsOf(Factor factor) {
  switch (factor) {
    case Factor::F64:
      return 64;
    case Factor::Tf32:
      return 32;
    case Factor::Byte:
    case Factor::Float8:
      return 8;
    case Factor::Nibble:
      return 4;
    case Factor::Bit:
      return 1;
    default:
      return 16;
  }
}
/// Columns of a, and rows of b, that a register of a warp holds.
constexpr unsigned depthOf(Factor factor) {
  return factor == Factor::F64 ? 4 : 4 * 32 / bitsOf(factor);
}
/// Registers of the fragments.
constexpr unsigned rowsOfA(const MatrixForm& f) {
  return f.m / 8 * (f.k / depthOf(f.factor));
}
constexpr unsigned rowsOfB(const MatrixForm& f) {
  return f.k / depthOf(f.factor);
}
constexpr unsigned rowsOfSum(const MatrixForm& f, Sum type) {
  return f.m / 8 * (type == Sum::F16 ? 1 : 2);
}

/// Instruction::target: where its rows begin in KernelCode::matrixRows: those of a, b, c, d.
/// nullptr: the ISA has no such form, or none is here. The second one is for tests: of the portable
/// lanes.
Handler matrixHandler(const MatrixForm& form);
Handler portableMatrixHandler(const MatrixForm& form);

/// mma.m8n8k4 of f16 (quad_product_ops.cpp): four products 8 x 4 by 4 x 8, of all columns where
/// results are f16, else of the first or last four, to which c's and d's registers belong. target:
/// as above.
inline constexpr std::uint8_t kColumnsOfA = 1;  ///< a lane has those of a, not rows
inline constexpr std::uint8_t kRowsOfB = 2;     ///< a lane has those of b, not columns
inline constexpr std::uint8_t kHalfSum = 4;     ///< c is of f16
inline constexpr std::uint8_t kHalfResult = 8;  ///< and d
inline constexpr std::uint8_t kLastColumns = 16;
void executeQuadProducts(Warp& warp, const Instruction& i, LaneMask mask);

/// mma.sp (sparse_product_ops.cpp): of blocks of 8 rows, elements many, from mode on. target: as
/// above, then the metadata's row; reconverge: the sparsity selector. flags: kHalfSum (c and d) and
/// these.
inline constexpr std::uint8_t kBrainFactors = 1;  ///< a and b are bf16
inline constexpr std::uint8_t kDeep = 2;          ///< k is 32, not 16
void executeSparseProduct(Warp& warp, const Instruction& i, LaneMask mask);

// Products of a warp group (wgmma): 16 rows of each warp, c and d the same registers. mode: the
// flags below; a, b: matrix descriptors; elements: products, of 8 columns each; p: whether c counts;
// target: in KernelCode::matrixRows the rows of a, with kFactorInRegisters, and those of c.
inline constexpr std::uint8_t kTransposedA = 1;
inline constexpr std::uint8_t kTransposedB = 2;
inline constexpr std::uint8_t kNegatedProduct = 4;
inline constexpr std::uint8_t kFactorInRegisters = 8;
/// Of 16 rows and 32 bytes of k; nullptr: as above.
Handler groupProductHandler(const MatrixForm& form);

}  // namespace fermata::ptx
