// Transposes an n x n matrix of halves by tensor maps. A block of four warps moves a tile of 64 x
// 64: the engine copies it in, as boxes whose rows have the swizzle's bytes, and the transposed
// tile out. A warp loads 16 rows as transposed matrices of 8 x 8 and stores them as rows of the
// second tile.

constexpr unsigned kTile = 64;
constexpr unsigned kTileBytes = 2 * kTile * kTile;

/// A tile of boxes of kTile rows of `Span` bytes, side by side. `Swizzle`: bits of an address that
/// are exchanged by the bits three above them.
template <unsigned Span, unsigned Swizzle>
struct BoxTile {
  static constexpr unsigned kBoxes = 2 * kTile / Span;
  static constexpr unsigned kColumns = kTile / kBoxes;
  static constexpr unsigned kBoxBytes = kTile * Span;
  /// Returns the place of piece 0 to 7 of a row, in bytes.
  FERMATA_DEVICE unsigned at(unsigned row, unsigned piece) {
    const unsigned inside = row * Span + piece * 16 % Span;
    return piece * 16 / Span * kBoxBytes + (inside ^ (inside >> 3 & Swizzle));
  }
};

template <class Tile>
static __device__ __forceinline__ void transposeTile(uint64_t in, uint64_t out) {
  __shared__ __align__(1024) unsigned char tiles[2][kTileBytes];
  __shared__ __align__(8) uint64_t arrival;
  const unsigned from = fermataShared(tiles[0]), to = fermataShared(tiles[1]);
  const unsigned barrier = fermataShared(&arrival);
  const unsigned row = blockIdx.y * kTile, column = blockIdx.x * kTile;
  if (threadIdx.x == 0) {
    fermataInitBarrier(barrier);
    fermataExpectBytes(barrier, kTileBytes);
#pragma unroll
    for (unsigned b = 0; b < Tile::kBoxes; ++b)
      fermataFetchBox(from + b * Tile::kBoxBytes, in, column + b * Tile::kColumns, row, barrier);
  }
  __syncthreads();
  fermataAwaitPhase(barrier, 0);
  const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
#pragma unroll
  for (unsigned i = 0; i < 4; ++i) {
    unsigned part[4];  // 8 x 8 each: upper left, lower left, upper right, lower right
    fermataLdmatrixTrans(part, from + Tile::at(16 * warp + lane % 16, 2 * i + lane / 16));
    fermataStmatrix(to + Tile::at(16 * i + lane / 16 * 8 + lane % 8, 2 * warp + lane / 8 % 2),
                    part);
  }
  fermataFenceEngine();
  __syncthreads();
  if (threadIdx.x == 0) {
#pragma unroll
    for (unsigned b = 0; b < Tile::kBoxes; ++b)
      fermataStoreBox(out, row + b * Tile::kColumns, column, to + b * Tile::kBoxBytes);
    fermataCommitBulk();
    fermataAwaitBulk();
  }
}

#define TRANSPOSE(mode, span, swizzle)                                                          \
  extern "C" __global__ void tmatranspose_##mode(FermataTensorMap, FermataTensorMap) {          \
    transposeTile<BoxTile<span, swizzle>>(FERMATA_PARAMETER("tmatranspose_" #mode "_param_0"),  \
                                          FERMATA_PARAMETER("tmatranspose_" #mode "_param_1")); \
  }
TRANSPOSE(none, 128, 0x00)
TRANSPOSE(32B, 32, 0x10)
TRANSPOSE(64B, 64, 0x30)
TRANSPOSE(128B, 128, 0x70)
