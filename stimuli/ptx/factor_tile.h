// Factors of wgmma in shared memory, as matrix descriptors say where they lie (PTX ISA,
// "Asynchronous Warpgroup Level Matrix Shared Memory Layout").
#pragma once

#include <cstdint>

#include <fermata/stimuli/ptx/instruction.h>

namespace fermata::ptx {

/// Of a core matrix: 8 rows of 16 bytes.
inline constexpr unsigned kCoreRows = 8;
inline constexpr unsigned kCoreRowBytes = 16;
inline constexpr unsigned kWarpsOfGroup = 4;

/// A tile of n (or m) by 32 bytes of k, cut into core matrices: `i` counts them along n, 8 at a
/// time, `c` along k (0 or 1). Rows lie along k, or, transposed, along n: then those of a core
/// matrix are 8 steps of k.
struct FactorTile {
  std::uint32_t start = 0;                ///< bytes, as the others
  std::uint32_t leading = 0, stride = 0;  ///< what steps from core matrix to core matrix
  unsigned atom = 1;  ///< core matrices side by side that a swizzle mixes: 1 (none), 2, 4, 8
  bool transposed = false;

  /// Address of row `r` of a core matrix, in the CTA's window; it may lie beyond its end.
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

/// What the descriptor in a row of 64 bits says. InputError: lanes have different ones, or its base
/// offset is not 0.
FactorTile factorTile(const Warp& warp, const Instruction& i, Row descriptor, bool transposed);

/// A register of a fragment, as mma has it: a core matrix, its rows one after another.
using FactorWords = std::uint8_t[kRowBytes];
/// Reads it; InputError where it is not in the CTA's memory.
void readFactor(const Warp& warp, const Instruction& i, const FactorTile& tile, unsigned number,
                unsigned c, FactorWords& words);

/// What one warp of the four reads of a factor: the core matrices 16 * mode + 4 * (warp % 4) and
/// the three behind it, of `target` (i = number / 2, c = number % 2). An access of 8 lanes a
/// matrix. a: descriptor; flags: kTransposed. The product itself reads them, too, without time.
void executeFactorRead(Warp& warp, const Instruction& i, LaneMask mask);

}  // namespace fermata::ptx
