// Transposes an n x n matrix of halves; a block of four warps moves a tile of 64 x 64. A warp loads
// 16 rows as transposed matrices of 8 x 8 and stores them, two halves per lane, as columns of a
// second tile, whose rows go out whole.

constexpr unsigned kTile = 64;
constexpr unsigned kThreads = 128;

template <class Tile>
static __device__ __forceinline__ void transposeTile(const uint16_t* in, uint16_t* out,
                                                     unsigned n) {
  __shared__ __align__(1024) unsigned char tiles[2][kTile * Tile::kRowBytes];
  const unsigned from = fermataShared(tiles[0]);
  const unsigned row = blockIdx.y * kTile;
  const unsigned column = blockIdx.x * kTile;
  fermataFetchTile<Tile, kTile, kThreads>(from, in + row * n + column, 2 * n);
  fermataCommitCopies();
  fermataWaitForCopies<0>();
  __syncthreads();
  const unsigned warp = threadIdx.x / 32;
  const unsigned lane = threadIdx.x % 32;
#pragma unroll
  for (unsigned i = 0; i < 4; ++i) {
    unsigned part[4];  // 8 x 8 each: upper left, lower left, upper right, lower right
    fermataLdmatrixTrans(part, from + Tile::at(16 * warp + lane % 16, 2 * i + lane / 16));
#pragma unroll
    for (unsigned j = 0; j < 4; ++j) {
      const unsigned at = Tile::at(16 * i + j / 2 * 8 + lane / 4, 2 * warp + j % 2);
      *reinterpret_cast<unsigned*>(tiles[1] + at + lane % 4 * 4) = part[j];
    }
  }
  __syncthreads();
  fermataStoreTile<Tile, kTile, kThreads>(tiles[1], out + column * n + row, 2 * n);
}

extern "C" __global__ void ldtranspose_naive(const uint16_t* in, uint16_t* out, unsigned n) {
  transposeTile<NaiveTile>(in, out, n);
}
extern "C" __global__ void ldtranspose_padded(const uint16_t* in, uint16_t* out, unsigned n) {
  transposeTile<PaddedTile>(in, out, n);
}
extern "C" __global__ void ldtranspose_swizzled(const uint16_t* in, uint16_t* out, unsigned n) {
  transposeTile<SwizzledTile>(in, out, n);
}
