// Computes C = A B for n x n matrices of halves on tensor units. Four warps, each for 32 x 32 of C,
// load matrices of 8 x 8 from tiles of 64 x 64 in shared memory. A warp's rows of A and B, 16 bytes
// each, are 128 bytes apart in a naive tile: eight meet in the same banks. So do the sums of C,
// which go through shared memory to be stored by whole rows.

constexpr unsigned kTile = 64;
constexpr unsigned kThreads = 128;

/// Adds to sums[i][j]: 16 rows of A from `row` + 16 i, 8 columns of B from 8 (`piece` + j).
template <class Tile>
static __device__ __forceinline__ void multiplyTiles(float (&sums)[2][4][4], unsigned tileA,
                                                     unsigned tileB, unsigned row, unsigned piece) {
  const unsigned lane = threadIdx.x % 32;
#pragma unroll
  for (unsigned k = 0; k < kTile / 16; ++k) {
    unsigned a[2][4];
    unsigned b[2][4];
#pragma unroll
    for (unsigned i = 0; i < 2; ++i) {
      fermataLdmatrix(a[i], tileA + Tile::at(row + 16 * i + lane % 16, 2 * k + lane / 16));
      fermataLdmatrixTrans(b[i], tileB + Tile::at(16 * k + lane % 16, piece + 2 * i + lane / 16));
    }
#pragma unroll
    for (unsigned i = 0; i < 2; ++i) {
#pragma unroll
      for (unsigned j = 0; j < 4; ++j)
        fermataMma(sums[i][j], a[i], b[j / 2][j % 2 * 2], b[j / 2][j % 2 * 2 + 1]);
    }
  }
}

template <class Tile>
static __device__ __forceinline__ void keepSums(unsigned char* tile, const float (&sums)[2][4][4],
                                                unsigned row, unsigned piece) {
  const unsigned lane = threadIdx.x % 32;
#pragma unroll
  for (unsigned i = 0; i < 2; ++i) {
#pragma unroll
    for (unsigned j = 0; j < 4; ++j) {
      const unsigned at = row + 16 * i + lane / 4;
      const auto place = [&](unsigned r) {
        return reinterpret_cast<unsigned*>(tile + Tile::at(r, piece + j) + lane % 4 * 4);
      };
      *place(at) = fermataHalves(sums[i][j][0], sums[i][j][1]);
      *place(at + 8) = fermataHalves(sums[i][j][2], sums[i][j][3]);
    }
  }
}

template <class Tile>
static __device__ __forceinline__ void multiply(const uint16_t* a, const uint16_t* b, uint16_t* c,
                                                unsigned n) {
  __shared__ __align__(1024) unsigned char tiles[2][kTile * Tile::kRowBytes];
  const unsigned tileA = fermataShared(tiles[0]);
  const unsigned tileB = fermataShared(tiles[1]);
  const unsigned warp = threadIdx.x / 32;
  const unsigned row = warp / 2 * 32;
  const unsigned piece = warp % 2 * 4;
  const unsigned firstRow = blockIdx.y * kTile;
  const unsigned firstColumn = blockIdx.x * kTile;
  float sums[2][4][4] = {};
#pragma unroll 1
  for (unsigned k = 0; k < n; k += kTile) {
    fermataFetchTile<Tile, kTile, kThreads>(tileA, a + firstRow * n + k, 2 * n);
    fermataFetchTile<Tile, kTile, kThreads>(tileB, b + k * n + firstColumn, 2 * n);
    fermataCommitCopies();
    fermataWaitForCopies<0>();
    __syncthreads();
    multiplyTiles<Tile>(sums, tileA, tileB, row, piece);
    __syncthreads();
  }
  keepSums<Tile>(tiles[0], sums, row, piece);
  __syncthreads();
  fermataStoreTile<Tile, kTile, kThreads>(tiles[0], c + firstRow * n + firstColumn, 2 * n);
}

extern "C" __global__ void hgemm_naive(const uint16_t* a, const uint16_t* b, uint16_t* c,
                                       unsigned n) {
  multiply<NaiveTile>(a, b, c, n);
}
extern "C" __global__ void hgemm_padded(const uint16_t* a, const uint16_t* b, uint16_t* c,
                                        unsigned n) {
  multiply<PaddedTile>(a, b, c, n);
}
extern "C" __global__ void hgemm_swizzled(const uint16_t* a, const uint16_t* b, uint16_t* c,
                                          unsigned n) {
  multiply<SwizzledTile>(a, b, c, n);
}
