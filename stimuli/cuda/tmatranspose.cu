// Transposes an n x n matrix of halves by tensor maps. A block of four warps moves a tile of 64 x
// 64: the engine copies it in, as boxes whose rows have the swizzle's bytes, and the transposed
// tile out. A warp loads 16 rows as transposed matrices of 8 x 8 and stores them as rows of the
// second tile.

#include "fermata_cuda_boxes.h"

constexpr unsigned kTile = 64;

template <class Tile>
static __device__ __forceinline__ void transposeTile(uint64_t in, uint64_t out) {
  __shared__ __align__(1024) unsigned char tiles[2][Tile::kBytes];
  __shared__ __align__(8) uint64_t arrival;
  const unsigned from = fermataShared(tiles[0]), to = fermataShared(tiles[1]);
  const unsigned barrier = fermataShared(&arrival);
  const unsigned row = blockIdx.y * kTile, column = blockIdx.x * kTile;
  if (threadIdx.x == 0) {
    fermataInitBarrier(barrier);
    fermataExpectBytes(barrier, Tile::kBytes);
    Tile::fetch(from, in, column, row, barrier);
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
    Tile::store(out, row, column, to);
    fermataCommitBulk();
    fermataAwaitBulk();
  }
}

#define TRANSPOSE(mode, span, swizzle)                                                 \
  extern "C" __global__ void tmatranspose_##mode(FermataTensorMap, FermataTensorMap) { \
    transposeTile<BoxTile<kTile, span, 0, swizzle>>(                                   \
        FERMATA_PARAMETER("tmatranspose_" #mode "_param_0"),                           \
        FERMATA_PARAMETER("tmatranspose_" #mode "_param_1"));                          \
  }
TRANSPOSE(none, 128, 0x00)
TRANSPOSE(32B, 32, 0x10)
TRANSPOSE(64B, 64, 0x30)
TRANSPOSE(128B, 128, 0x70)
