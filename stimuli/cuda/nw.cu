// Needleman-Wunsch alignment scores: (n + 1) x (n + 1) integers, filled by blocks of 16x16 along
// block anti-diagonals, one launch each, with 16 threads per block. Inside a block the threads walk
// its anti-diagonals, with a net stride of 16 words: degree up to 8.

constexpr int kBlock = 16;

/// Fills block (blockColumn, blockRow). scores: row 0 and column 0 are given; similarity of row i
/// and column j (both from 1) at similarity[i * columns + j].
static __device__ __forceinline__ void fillBlock(const int* similarity, int* scores, int columns,
                                                 int penalty, int blockColumn, int blockRow) {
  __shared__ int temp[kBlock + 1][kBlock + 1];
  __shared__ int local[kBlock][kBlock];
  const int t = static_cast<int>(threadIdx.x);
  const int corner = blockRow * kBlock * columns + blockColumn * kBlock;
  const int inner = corner + columns + 1;

  if (t == 0) temp[0][0] = scores[corner];
#pragma unroll
  for (int row = 0; row < kBlock; ++row) local[row][t] = similarity[inner + row * columns + t];
  temp[t + 1][0] = scores[corner + (t + 1) * columns];
  temp[0][t + 1] = scores[corner + t + 1];
  __syncthreads();

#pragma unroll 1
  for (int m = 0; m < 2 * kBlock - 1; ++m) {
    const int x = (m < kBlock ? t : m - kBlock + 1 + t) + 1;
    const int y = m - x + 2;
    if (x <= kBlock && y >= 1) {
      const int diagonal = temp[y - 1][x - 1] + local[y - 1][x - 1];
      const int side = max(temp[y][x - 1], temp[y - 1][x]) - penalty;
      temp[y][x] = max(diagonal, side);
    }
    __syncthreads();
  }
#pragma unroll
  for (int row = 0; row < kBlock; ++row) scores[inner + row * columns + t] = temp[row + 1][t + 1];
}

/// Fills block anti-diagonal `diagonal` (1 .. n/16) of the upper left triangle: `diagonal` blocks.
extern "C" __global__ void nw_upper(const int* similarity, int* scores, int columns, int penalty,
                                    int diagonal) {
  const int b = static_cast<int>(blockIdx.x);
  fillBlock(similarity, scores, columns, penalty, b, diagonal - 1 - b);
}

/// Fills the lower right triangle's block anti-diagonal of `diagonal` blocks (n/16 - 1 .. 1).
extern "C" __global__ void nw_lower(const int* similarity, int* scores, int columns, int penalty,
                                    int diagonal) {
  const int b = static_cast<int>(blockIdx.x);
  const int width = (columns - 1) / kBlock;
  fillBlock(similarity, scores, columns, penalty, b + width - diagonal, width - 1 - b);
}
