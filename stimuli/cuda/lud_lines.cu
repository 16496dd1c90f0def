// Two kernels of the LU factorisation by blocks of 16 (see lud.cu), each a workload of its own.
//
// lud1: the diagonal kernel, 16 threads, f32[16][16]; rows (stride 1) and columns (stride 16,
// degree 8) by 16 lanes.
//
// lud2: the perimeter kernel, 32 threads. A warp first solves 32 columns of the row panel, one per
// thread (f32[16][32], stride 1), then 32 rows of the column panel, one per thread (f32[32][16],
// stride 16, degree 16). No half of the warp idles, unlike in lud.cu, where each half has its own
// panel: table 5 of van den Braak et al. (LUD-2: 4, 0^5, 1^6, 2^7, 3^8) asks for 32 lanes at
// strides 1 and 16.

constexpr unsigned kBlock = 16;
constexpr unsigned kLines = 32;

/// Factors diagonal block blockIdx.x of the n x n matrix by itself, with 16 threads per block and
/// without pivoting (unit lower triangle).
extern "C" __global__ void lud_diagonal_blocks(float* m, unsigned n) {
  __shared__ float block[kBlock][kBlock];
  const unsigned t = threadIdx.x;
  float* corner = m + blockIdx.x * kBlock * (n + 1);
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

struct Perimeter {
  float diagonal[kBlock][kBlock];
  float right[kBlock][kLines];
  float below[kLines][kBlock];
};

/// Solves the first block row and block column of the n x n matrix, 32 lines of each per block,
/// with 32 threads per block. The diagonal block holds its factors.
extern "C" __global__ void lud_perimeter_lines(float* m, unsigned n) {
  __shared__ Perimeter p;
  const unsigned t = threadIdx.x;
  const unsigned first = kBlock + blockIdx.x * kLines;
  const unsigned half = t / kBlock;  // two rows of 16 words at a time
  const unsigned column = t % kBlock;
  for (unsigned i = 0; i < kBlock; i += 2)
    p.diagonal[i + half][column] = m[(i + half) * n + column];
  for (unsigned i = 0; i < kBlock; ++i) p.right[i][t] = first + t < n ? m[i * n + first + t] : 0.0f;
  for (unsigned i = 0; i < kLines; i += 2) {
    const unsigned row = first + i + half;
    p.below[i + half][column] = row < n ? m[row * n + column] : 0.0f;
  }
  __syncthreads();
#pragma unroll 1
  for (unsigned i = 1; i < kBlock; ++i) {
#pragma unroll 1
    for (unsigned j = 0; j < i; ++j) p.right[i][t] -= p.diagonal[i][j] * p.right[j][t];
  }
#pragma unroll 1
  for (unsigned i = 0; i < kBlock; ++i) {
#pragma unroll 1
    for (unsigned j = 0; j < i; ++j) p.below[t][i] -= p.below[t][j] * p.diagonal[j][i];
    p.below[t][i] /= p.diagonal[i][i];
  }
  __syncthreads();
  for (unsigned i = 0; i < kBlock; ++i) {
    if (first + t < n) m[i * n + first + t] = p.right[i][t];
  }
  for (unsigned i = 0; i < kLines; i += 2) {
    const unsigned row = first + i + half;
    if (row < n) m[row * n + column] = p.below[i + half][column];
  }
}
