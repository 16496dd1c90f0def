// Tiles in shared memory whose rows are 128 bytes (64 halves, 32 floats), in pieces of 16: where
// piece 0 to 7 of a row lies, in bytes from the start of the tile, for 32 banks of 4 bytes. Eight
// lanes that read one piece of eight rows meet in the banks of NaiveTile and in no bank of the
// others.
#pragma once

/// A vector of the compiler's: structs of 16 bytes are copied by halves.
typedef unsigned FermataPiece __attribute__((ext_vector_type(4)));

struct NaiveTile {
  static constexpr unsigned kRowBytes = 128;
  FERMATA_DEVICE unsigned at(unsigned row, unsigned piece) { return row * kRowBytes + piece * 16; }
};
/// A piece is left out behind each row.
struct PaddedTile {
  static constexpr unsigned kRowBytes = 144;
  FERMATA_DEVICE unsigned at(unsigned row, unsigned piece) { return row * kRowBytes + piece * 16; }
};
/// The pieces of a row change places by its number: of halves, CUTLASS's Swizzle<3, 3, 3>, and of
/// byte addresses Swizzle<3, 4, 3> where the tile is aligned to 1024.
struct SwizzledTile {
  static constexpr unsigned kRowBytes = 128;
  FERMATA_DEVICE unsigned at(unsigned row, unsigned piece) {
    return row * kRowBytes + (piece ^ (row & 7)) * 16;
  }
};

#if __CUDA_ARCH__ >= 800
/// Begins to copy a tile, eight of a block's `Threads` a row. `pitch`: bytes between two rows of
/// global memory. The copies are those of fermata_cuda_tensor.h, here of no group yet.
template <class Tile, unsigned Rows, unsigned Threads>
FERMATA_DEVICE void fermataFetchTile(unsigned tile, const void* global, size_t pitch) {
  const char* from = static_cast<const char*>(global);
#pragma unroll
  for (unsigned i = 0; i < Rows * 8 / Threads; ++i) {
    const unsigned row = (i * Threads + threadIdx.x) / 8;
    const unsigned piece = threadIdx.x % 8;
    fermataCopyAsync(tile + Tile::at(row, piece), from + row * pitch + piece * 16);
  }
}
#endif
/// Stores a tile that is complete, as it was copied.
template <class Tile, unsigned Rows, unsigned Threads>
FERMATA_DEVICE void fermataStoreTile(const unsigned char* tile, void* global, size_t pitch) {
  char* to = static_cast<char*>(global);
#pragma unroll
  for (unsigned i = 0; i < Rows * 8 / Threads; ++i) {
    const unsigned row = (i * Threads + threadIdx.x) / 8;
    const unsigned piece = threadIdx.x % 8;
    *reinterpret_cast<FermataPiece*>(to + row * pitch + piece * 16) =
        *reinterpret_cast<const FermataPiece*>(tile + Tile::at(row, piece));
  }
}
