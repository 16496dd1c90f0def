// Attention of one head of 64 numbers: for each query, the mean of the values weighted by exp(q
// k / 8). The weights are never all in memory (FlashAttention: Dao, Fu, Ermon, Rudra and Re
// 2022). A block has 64 queries, a warp 16 of them; keys and values come in tiles of 64. For
// each tile a warp computes q k on tensor units, updates the largest score of each row, scales
// its sums to it, and adds the weights times the values. Weights stay in their registers,
// rounded to halves.

#include "fermata_cuda_softmax.h"

constexpr unsigned kTile = 64;
constexpr unsigned kThreads = 128;

template <class Tile>
static __device__ __forceinline__ void loadQueries(unsigned (&queries)[4][4], unsigned tile,
                                                   const uint16_t* q) {
  const unsigned lane = threadIdx.x % 32;
  fermataFetchTile<Tile, kTile, kThreads>(tile, q, 2 * kTile);
  fermataCommitCopies();
  fermataWaitForCopies<0>();
  __syncthreads();
#pragma unroll
  for (unsigned k = 0; k < 4; ++k) {
    fermataLdmatrix(queries[k],
                    tile + Tile::at(threadIdx.x / 32 * 16 + lane % 16, 2 * k + lane / 16));
  }
}

/// Computes scores = q k', with the keys of 16 columns at a time.
template <class Tile>
static __device__ __forceinline__ void score(Rows& scores, const unsigned (&queries)[4][4],
                                             unsigned keys) {
  const unsigned lane = threadIdx.x % 32;
#pragma unroll
  for (unsigned j = 0; j < 4; ++j) {
#pragma unroll
    for (unsigned k = 0; k < 4; ++k) {
      unsigned b[4];
      fermataLdmatrix(b, keys + Tile::at(16 * j + lane / 16 * 8 + lane % 8, 2 * k + lane / 8 % 2));
      fermataMma(scores[2 * j], queries[k], b[0], b[1]);
      fermataMma(scores[2 * j + 1], queries[k], b[2], b[3]);
    }
  }
}

template <class Tile>
static __device__ __forceinline__ void addValues(Rows& sums, const Rows& weights, unsigned values) {
  const unsigned lane = threadIdx.x % 32;
#pragma unroll
  for (unsigned k = 0; k < 4; ++k) {
    const unsigned a[4] = {fermataHalves(weights[2 * k][0], weights[2 * k][1]),
                           fermataHalves(weights[2 * k][2], weights[2 * k][3]),
                           fermataHalves(weights[2 * k + 1][0], weights[2 * k + 1][1]),
                           fermataHalves(weights[2 * k + 1][2], weights[2 * k + 1][3])};
#pragma unroll
    for (unsigned j = 0; j < 4; ++j) {
      unsigned b[4];
      fermataLdmatrixTrans(b, values + Tile::at(16 * k + lane % 16, 2 * j + lane / 16));
      fermataMma(sums[2 * j], a, b[0], b[1]);
      fermataMma(sums[2 * j + 1], a, b[2], b[3]);
    }
  }
}

/// Stores a warp's means in place of its queries.
template <class Tile>
static __device__ __forceinline__ void keepMeans(unsigned char* tile, const Rows& sums,
                                                 const RowState& state) {
  const unsigned lane = threadIdx.x % 32;
#pragma unroll
  for (unsigned row = 0; row < 2; ++row) {
    float weight = state.sum[row];
    weight += __shfl_xor_sync(kWarp, weight, 1);
    weight += __shfl_xor_sync(kWarp, weight, 2);
    const float scale = 1 / weight;
    const unsigned at = threadIdx.x / 32 * 16 + lane / 4 + 8 * row;
#pragma unroll
    for (unsigned j = 0; j < 8; ++j) {
      *reinterpret_cast<unsigned*>(tile + Tile::at(at, j) + lane % 4 * 4) =
          fermataHalves(sums[j][2 * row] * scale, sums[j][2 * row + 1] * scale);
    }
  }
}

template <class Tile>
static __device__ __forceinline__ void attend(const uint16_t* q, const uint16_t* k,
                                              const uint16_t* v, uint16_t* out, unsigned n) {
  __shared__ __align__(1024) unsigned char tiles[3][kTile * Tile::kRowBytes];
  const unsigned first = blockIdx.x * kTile * kTile;
  const unsigned tileK = fermataShared(tiles[1]);
  const unsigned tileV = fermataShared(tiles[2]);
  unsigned queries[4][4];
  Rows sums = {};
  RowState state = {{-1e30f, -1e30f}, {0, 0}};
  loadQueries<Tile>(queries, fermataShared(tiles[0]), q + first);
#pragma unroll 1
  for (unsigned key = 0; key < n; key += kTile) {
    fermataFetchTile<Tile, kTile, kThreads>(tileK, k + key * kTile, 2 * kTile);
    fermataFetchTile<Tile, kTile, kThreads>(tileV, v + key * kTile, 2 * kTile);
    fermataCommitCopies();
    fermataWaitForCopies<0>();
    __syncthreads();
    Rows scores = {};
    score<Tile>(scores, queries, tileK);
    weigh(scores, sums, state);
    addValues<Tile>(sums, scores, tileV);
    __syncthreads();
  }
  keepMeans<Tile>(tiles[0], sums, state);
  __syncthreads();
  fermataStoreTile<Tile, kTile, kThreads>(tiles[0], out + first, 2 * kTile);
}

extern "C" __global__ void attention_naive(const uint16_t* q, const uint16_t* k, const uint16_t* v,
                                           uint16_t* out, unsigned n) {
  attend<NaiveTile>(q, k, v, out, n);
}
extern "C" __global__ void attention_padded(const uint16_t* q, const uint16_t* k, const uint16_t* v,
                                            uint16_t* out, unsigned n) {
  attend<PaddedTile>(q, k, v, out, n);
}
extern "C" __global__ void attention_swizzled(const uint16_t* q, const uint16_t* k,
                                              const uint16_t* v, uint16_t* out, unsigned n) {
  attend<SwizzledTile>(q, k, v, out, n);
}
