// Instructions of a whole warp on matrices: ldmatrix, stmatrix, and the products of mma, wmma and
// wgmma.
//
// All 32 lanes execute them together (.aligned). A warp that lacks lanes is refused, since the ISA
// leaves open what it would do.
#pragma once

#include <fermata/stimuli/ptx/instruction.h>

namespace fermata::ptx {

/// True if all 32 lanes are here. False if the warp must wait for lanes of other splits and execute
/// the instruction later. Throws InputError if lanes are missing.
bool isWholeWarp(Warp& warp, const Instruction& i, LaneMask mask);

// Parts of wmma.load and wmma.store.

/// Writes to d the address of each lane's element of a tile: a + (x * stride + y) * elementBits or,
/// with tile.lanesAcross, a + (x + y * stride) * elementBits. x = lane / 4, y = lane % 4 *
/// elements; tile.at is added to the factor of the stride. b: stride. Needs the whole warp.
void executeTileAddress(Warp& warp, const Instruction& i, LaneMask mask);
/// Loads one register (inner, vector[0]) and copies it to vector[1..copies].
void executeCopiedLoad(Warp& warp, const Instruction& i, LaneMask mask);

// Products d = a * b + c (lane_matrix.inl): a has m rows and k columns, b has k rows and 8 columns.

/// Type of an element of a and b. Float8 is e4m3 or e5m2, chosen for a and b by the flags.
enum class Factor : std::uint8_t { F16, Bf16, Tf32, F64, Byte, Nibble, Float8, Bit };
/// Type of an element of c and d.
enum class Sum : std::uint8_t { F32, F16, S32, F64 };
struct MatrixForm {
  Factor factor = Factor::F16;
  Sum sum = Sum::F32;     ///< type of c
  Sum result = Sum::F32;  ///< type of d; may differ from c only as F16 or F32
  std::uint8_t m = 16;
  std::uint16_t k = 16;
};
/// ProductOperands::flags of integers. For Float8 the first two mean e5m2.
inline constexpr std::uint8_t kSignedA = 1;
inline constexpr std::uint8_t kSignedB = 2;
inline constexpr std::uint8_t kClampSum = 4;
/// ProductOperands::flags of Bit: counts bits that differ, instead of bits that are both set.
inline constexpr std::uint8_t kDiffer = 8;

constexpr unsigned bitsOf(Factor factor) {
  constexpr unsigned kBits[] = {16, 16, 32, 64, 8, 4, 8, 1};  // order of Factor
  return kBits[static_cast<unsigned>(factor)];
}
/// Columns of a, and rows of b, that one register of a warp holds.
constexpr unsigned depthOf(Factor factor) {
  return factor == Factor::F64 ? 4 : 4 * 32 / bitsOf(factor);
}
/// Registers of the fragments of a, b, and c or d.
constexpr unsigned rowsOfA(const MatrixForm& f) {
  return f.m / 8 * (f.k / depthOf(f.factor));
}
constexpr unsigned rowsOfB(const MatrixForm& f) {
  return f.k / depthOf(f.factor);
}
constexpr unsigned rowsOfSum(const MatrixForm& f, Sum type) {
  return f.m / 8 * (type == Sum::F16 ? 1 : 2);
}

/// Returns the handler of a product, or nullptr if the ISA has no such form or it is not supported.
/// product.rows: rows of a, b, c, d. The second function returns that of the portable lanes, for
/// tests.
Handler matrixHandler(const MatrixForm& form);
Handler portableMatrixHandler(const MatrixForm& form);
/// Returns the handler of rows of a sparse product (mma.sp), or nullptr as matrixHandler() does.
/// form.k counts the columns that a lacks, too. product.rows: rows of a, b, c, d, then that of the
/// metadata.
Handler sparseMatrixHandler(const MatrixForm& form);

// Products of a warp group (wgmma): 16 rows per warp; c and d are the same registers. groupFlags:
// those below; a, b: matrix descriptors; elements: products, each of 8 columns; p: c counts;
// product.rows: rows of a (with kFactorInRegisters), that of metadata (if sparse), then of c.
inline constexpr std::uint8_t kTransposedA = 1;
inline constexpr std::uint8_t kTransposedB = 2;
inline constexpr std::uint8_t kNegatedProduct = 4;
inline constexpr std::uint8_t kFactorInRegisters = 8;
/// Returns the handler of products of 16 rows, or nullptr as matrixHandler() does. A row of a has
/// 32 bytes, the k of the form; with `sparse`, b has 64 bytes of k.
Handler groupProductHandler(const MatrixForm& form, bool sparse);

}  // namespace fermata::ptx
