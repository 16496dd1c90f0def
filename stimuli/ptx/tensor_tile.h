// Factors of tcgen05 in shared memory, located by matrix descriptors (PTX ISA, "tcgen05 Shared
// Memory Descriptor"). Their layouts are those of wgmma (factor_tile.h) and one more, of 128 bytes
// whose swizzle moves 32 bytes. Other fields stand at other bits.
#pragma once

#include <cstdint>
#include <cstring>

#include <fermata/stimuli/ptx/warp.h>

namespace fermata::ptx {

/// A tile of `rows` rows (of m or n) by 32 bytes of k, or 64, as chunks of 16 bytes. Example: rows
/// of f16 along k have two chunks each, of eight steps of k.
struct TensorTile {
  static constexpr unsigned kBytes = 16;  ///< of a chunk
  /// A chunk and the element in its first bytes. Its other elements follow along k or, if the tile
  /// is transposed, along the rows.
  struct Chunk {
    std::uint32_t address;
    unsigned row, step;
  };

  std::uint32_t start = 0;                ///< in bytes, like the two below
  std::uint32_t leading = 0, stride = 0;  ///< see the ISA
  unsigned units = 1;      ///< chunks side by side that a swizzle mixes: 1 (none), 2, 4, 8
  bool wideAtoms = false;  ///< the swizzle moves 32 bytes
  bool transposed = false;
  unsigned rows = 0;
  unsigned perChunk = 0;  ///< elements of a chunk
  unsigned across = 2;    ///< chunks along k

  /// Number of chunks. Lanes of an access take them in order, eight for each core matrix.
  unsigned chunks() const;
  Chunk chunk(unsigned number) const;

 private:
  std::uint32_t swizzled(std::uint32_t address) const;
};

/// Returns the tile that a lane's descriptor describes; throws InputError for fields that are not
/// supported.
TensorTile tensorTile(const Warp& warp, const Instruction& i, unsigned lane, std::uint64_t bits,
                      bool transposed, unsigned rows, unsigned perChunk, unsigned across = 2);
/// Returns a chunk's bytes; throws Fault outside of shared memory.
const std::uint8_t* chunkBytes(const Warp& warp, const Instruction& i, unsigned lane,
                               std::uint32_t address);

/// Fills the warp's present access, a piece of the work of a tensor unit: addressOf(k) returns the
/// address of its chunk k. Precondition: 1 <= count <= 32.
template <class AddressOf>
void exposeChunks(const Warp& warp, const Instruction& i, unsigned lane, unsigned count,
                  AddressOf addressOf) {
  WarpInstruction& out = *warp.machine->out;
  out.active = kAllLanes >> (kWarpLanes - count);
  out.hasData = warp.machine->options.carryData;
  for (unsigned k = 0; k < count; ++k) {
    const std::uint32_t address = addressOf(k);
    out.address[k] = address;
    if (out.hasData)
      std::memcpy(out.data[k].data(), chunkBytes(warp, i, lane, address), TensorTile::kBytes);
  }
}

}  // namespace fermata::ptx
