// Tiles in the scratchpad with rows of 128 bytes (64 halves, 32 floats), in pieces of 16 bytes.
// at() returns the place of piece 0 to 7 of a row, in bytes from the start of the tile. With 32
// banks of 4 bytes, eight lanes that read one piece of eight rows conflict in NaiveTile and nowhere
// else.
#pragma once

/// A vector type of the compiler, because structs of 16 bytes are copied in halves.
typedef unsigned FermataPiece __attribute__((ext_vector_type(4)));

struct NaiveTile {
  static constexpr unsigned kRowBytes = 128;
  FERMATA_DEVICE unsigned at(unsigned row, unsigned piece) { return row * kRowBytes + piece * 16; }
};
/// Leaves a gap of one piece behind each row.
struct PaddedTile {
  static constexpr unsigned kRowBytes = 144;
  FERMATA_DEVICE unsigned at(unsigned row, unsigned piece) { return row * kRowBytes + piece * 16; }
};
/// Permutes the pieces of a row by its number: CUTLASS's Swizzle<3, 3, 3> on halves, or Swizzle<3,
/// 4, 3> on byte addresses if the tile is aligned to 1024 bytes.
struct SwizzledTile {
  static constexpr unsigned kRowBytes = 128;
  FERMATA_DEVICE unsigned at(unsigned row, unsigned piece) {
    return row * kRowBytes + (piece ^ (row & 7)) * 16;
  }
};

#if __CUDA_ARCH__ >= 800
/// Starts copying a tile; eight of a block's `Threads` threads copy one row. `pitch` is the bytes
/// between two rows in global memory. The copies (fermata_cuda_tensor.h) belong to no group until
/// fermataCommitCopies().
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
/// Stores a complete tile to global memory; the counterpart of fermataFetchTile().
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
