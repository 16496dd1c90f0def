// The two kernels of Needleman-Wunsch by blocks of 16x16 (see nw.cu), each its own workload: nw1
// fills the upper left triangle of blocks, nw2 the lower right one, with 16 threads per block.
//
// Shared memory holds the similarities s32[16][16], then the scores with their border, s32[17][17]
// (the 17th column is data, not padding). Along an anti-diagonal the scores have a net stride of
// -16 words, degree up to 8, the similarities one of -15. The similarities must lie first: this
// layout gives the published permutations and the Givargis pairs (van den Braak et al., table 5,
// NW-1 and NW-2); with the scores first, both would differ.

constexpr int kBlock = 16;

struct Tiles {
  int similarity[kBlock][kBlock];
  int scores[kBlock + 1][kBlock + 1];
};

/// Fills block (blockColumn, blockRow) of `scores`, which has `columns` columns and as many rows.
/// Row 0, column 0 and all blocks above and left of this one must be filled.
static __device__ __forceinline__ void fillBlock(const int* similarity, int* scores, int columns,
                                                 int penalty, int blockColumn, int blockRow) {
  __shared__ Tiles tiles;
  const int t = static_cast<int>(threadIdx.x);
  const int corner = blockRow * kBlock * columns + blockColumn * kBlock;
  const int inner = corner + columns + 1;

#pragma unroll
  for (int row = 0; row < kBlock; ++row)
    tiles.similarity[row][t] = similarity[inner + row * columns + t];
  if (t == 0) tiles.scores[0][0] = scores[corner];
  tiles.scores[t + 1][0] = scores[corner + (t + 1) * columns];
  tiles.scores[0][t + 1] = scores[corner + t + 1];
  __syncthreads();

  // Anti-diagonal m has the cells with x + y = m + 2; thread t takes the t-th of them.
#pragma unroll 1
  for (int m = 0; m < 2 * kBlock - 1; ++m) {
    const int x = t + 1 + max(m - kBlock + 1, 0);
    const int y = m - x + 2;
    if (x <= kBlock && y >= 1) {
      const int diagonal = tiles.scores[y - 1][x - 1] + tiles.similarity[y - 1][x - 1];
      const int gap = max(tiles.scores[y][x - 1], tiles.scores[y - 1][x]) - penalty;
      tiles.scores[y][x] = max(diagonal, gap);
    }
    __syncthreads();
  }
#pragma unroll
  for (int row = 0; row < kBlock; ++row)
    scores[inner + row * columns + t] = tiles.scores[row + 1][t + 1];
}

/// Fills a block anti-diagonal of the upper left triangle; the grid has its blocks (1 .. n/16).
extern "C" __global__ void needle_upper(const int* similarity, int* scores, int columns,
                                        int penalty) {
  const int column = static_cast<int>(blockIdx.x);
  const int row = static_cast<int>(gridDim.x) - 1 - column;
  fillBlock(similarity, scores, columns, penalty, column, row);
}

/// Fills a block anti-diagonal of the lower right triangle; the grid has n/16 - 1 .. 1 blocks.
extern "C" __global__ void needle_lower(const int* similarity, int* scores, int columns,
                                        int penalty) {
  const int last = (columns - 1) / kBlock - 1;
  const int row = last - static_cast<int>(blockIdx.x);
  const int column = last + 1 - static_cast<int>(gridDim.x - blockIdx.x);
  fillBlock(similarity, scores, columns, penalty, column, row);
}
