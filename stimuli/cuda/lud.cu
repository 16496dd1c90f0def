// LU factorisation in place, without pivoting (unit lower triangle), by blocks of 16: for each step
// k the diagonal block is factored, the blocks right of it and below it are solved, and the rest is
// updated. Threads that walk columns of a 16-word-wide array conflict: degree 8.

constexpr unsigned kBlock = 16;

/// Factors diagonal block k with 16 threads.
extern "C" __global__ void lud_diagonal(float* m, unsigned n, unsigned k) {
  __shared__ float block[kBlock][kBlock];
  const unsigned t = threadIdx.x;
  float* corner = m + (k * n + k) * kBlock;
  for (unsigned i = 0; i < kBlock; ++i) block[i][t] = corner[i * n + t];
  __syncthreads();
#pragma unroll 1
  for (unsigned i = 0; i < kBlock - 1; ++i) {
    if (t > i) {  // column i of L, one row per thread
#pragma unroll 1
      for (unsigned j = 0; j < i; ++j) block[t][i] -= block[t][j] * block[j][i];
      block[t][i] /= block[i][i];
    }
    __syncthreads();
    if (t > i) {  // row i + 1 of U, one column per thread
#pragma unroll 1
      for (unsigned j = 0; j <= i; ++j) block[i + 1][t] -= block[i + 1][j] * block[j][t];
    }
    __syncthreads();
  }
  for (unsigned i = 1; i < kBlock; ++i) corner[i * n + t] = block[i][t];
}

/// Solves blocks with 32 threads: the first 16 a block of row k of U, one column each; the others a
/// block of column k of L, one row each. Block b of the grid takes the blocks at distance b + 1
/// from the diagonal.
extern "C" __global__ void lud_perimeter(float* m, unsigned n, unsigned k) {
  __shared__ float diagonal[kBlock][kBlock];
  __shared__ float right[kBlock][kBlock];
  __shared__ float below[kBlock][kBlock];
  const unsigned t = threadIdx.x & (kBlock - 1);
  const bool isRow = threadIdx.x < kBlock;
  float* corner = m + (k * n + k) * kBlock;
  float* rightCorner = corner + (blockIdx.x + 1) * kBlock;
  float* belowCorner = corner + (blockIdx.x + 1) * kBlock * n;
  // Halves branch: together they would store to two arrays, 256 words apart, whose banks meet.
  if (isRow) {
    for (unsigned i = 0; i < kBlock / 2; ++i) diagonal[i][t] = corner[i * n + t];
    for (unsigned i = 0; i < kBlock; ++i) right[i][t] = rightCorner[i * n + t];
    fermataForgetMemory();
  } else {
    for (unsigned i = kBlock / 2; i < kBlock; ++i) diagonal[i][t] = corner[i * n + t];
    for (unsigned i = 0; i < kBlock; ++i) below[i][t] = belowCorner[i * n + t];
  }
  __syncthreads();
  if (isRow) {
#pragma unroll 1
    for (unsigned i = 1; i < kBlock; ++i) {
#pragma unroll 1
      for (unsigned j = 0; j < i; ++j) right[i][t] -= diagonal[i][j] * right[j][t];
    }
  } else {
#pragma unroll 1
    for (unsigned i = 0; i < kBlock; ++i) {
#pragma unroll 1
      for (unsigned j = 0; j < i; ++j) below[t][i] -= below[t][j] * diagonal[j][i];
      below[t][i] /= diagonal[i][i];
    }
  }
  __syncthreads();
  if (isRow) {
    for (unsigned i = 1; i < kBlock; ++i) rightCorner[i * n + t] = right[i][t];
    fermataForgetMemory();
  } else {
    for (unsigned i = 0; i < kBlock; ++i) belowCorner[i * n + t] = below[i][t];
  }
}

/// Subtracts, by 16x16 threads, from each block behind step k its perimeter blocks' product.
extern "C" __global__ void lud_internal(float* m, unsigned n, unsigned k) {
  __shared__ float right[kBlock][kBlock];
  __shared__ float below[kBlock][kBlock];
  const unsigned x = threadIdx.x;
  const unsigned y = threadIdx.y;
  const unsigned row = (k + 1 + blockIdx.y) * kBlock + y;
  const unsigned column = (k + 1 + blockIdx.x) * kBlock + x;
  right[y][x] = m[(k * kBlock + y) * n + column];
  below[y][x] = m[row * n + k * kBlock + x];
  __syncthreads();
  float sum = 0;
#pragma unroll
  for (unsigned i = 0; i < kBlock; ++i) sum += below[y][i] * right[i][x];
  m[row * n + column] -= sum;
}
