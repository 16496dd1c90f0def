// Factors of wgmma in shared memory, located by matrix descriptors (PTX ISA, "Asynchronous
// Warpgroup Level Matrix Shared Memory Layout").
#pragma once

#include <cstdint>

#include <fermata/stimuli/ptx/instruction.h>

namespace fermata::ptx {

/// Shape of a core matrix: 8 rows of 16 bytes.
inline constexpr unsigned kCoreRows = 8;
inline constexpr unsigned kCoreRowBytes = 16;
inline constexpr unsigned kWarpsOfGroup = 4;

/// A tile of n (or m) by 32 bytes of k, or 64 of a sparse product's b, cut into core matrices. `i`
/// counts them along n, 8 at a time; `c` counts them along k, from 0. Rows lie along k or, if
/// transposed, along n; transposed, the rows of a core matrix are 8 steps of k.
struct FactorTile {
  std::uint32_t start = 0;                ///< in bytes, like the two below
  std::uint32_t leading = 0, stride = 0;  ///< steps from core matrix to core matrix
  unsigned atom = 1;  ///< core matrices side by side that a swizzle mixes: 1 (none), 2, 4, 8
  bool transposed = false;

  /// Returns the address of row `r` of a core matrix in the CTA's window; the address may lie
  /// beyond the end of the window.
  std::uint32_t row(unsigned i, unsigned c, unsigned r) const {
    const std::uint32_t at = start + r * kCoreRowBytes * atom + step(i, c);
    return at ^ ((at >> 3) & (atom - 1) * kCoreRowBytes);
  }

 private:
  std::uint32_t step(unsigned i, unsigned c) const {
    if (!transposed) return i * stride + c * (atom == 1 ? leading : kCoreRowBytes);
    if (atom == 1) return i * stride + c * leading;
    return i / atom * leading + i % atom * kCoreRowBytes + c * stride;
  }
};

/// Returns the tile that the descriptor in a row of 64 bits describes, of `across` core matrices
/// along k. Throws InputError if lanes have different descriptors, if the base offset is not 0, or
/// if rows of 32 bytes would have to hold 64 bytes of k.
FactorTile factorTile(const Warp& warp, const Instruction& i, Row descriptor, bool transposed,
                      unsigned across);

/// A register of a fragment in mma's layout: a core matrix, its rows one after another.
using FactorWords = std::uint8_t[kRowBytes];
/// Reads core matrix (number, c) of the tile. Throws InputError if it is not within the CTA's
/// memory.
void readFactor(const Warp& warp, const Instruction& i, const FactorTile& tile, unsigned number,
                unsigned c, FactorWords& words);

/// Reads one warp's share of a factor: a quarter, rounded up, of its core matrices from number 16 *
/// part on, 16 at most (i = number / across, c = number % across). An access has 8 lanes per
/// matrix. i.a: descriptor; factorRead. For the timing model only: the product reads the matrices
/// again by itself, without time.
void executeFactorRead(Warp& warp, const Instruction& i, LaneMask mask);

}  // namespace fermata::ptx
