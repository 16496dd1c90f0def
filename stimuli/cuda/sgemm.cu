// C = alpha A B^T + beta C, all stored by columns, after Parboil. A block of 16x8 threads makes 128
// rows and 16 columns of C; a thread makes a row, with its 16 sums in registers. Eight columns of
// B's tile are in shared memory at a time, and broadcast: no conflict.

constexpr unsigned kWidth = 16;  // columns of C per block
constexpr unsigned kDepth = 8;   // products between barriers
constexpr unsigned kRows = kWidth * kDepth;

/// Multiplies A (m x k) and B (n x k) into C (m x n).
extern "C" __global__ void sgemm(const float* a, const float* b, float* c, unsigned m, unsigned n,
                                 unsigned k, float alpha, float beta) {
  __shared__ float tile[kDepth][kWidth];
  const unsigned row = blockIdx.x * kRows + threadIdx.y * kWidth + threadIdx.x;
  const unsigned first = blockIdx.y * kWidth;
  float sums[kWidth];
#pragma unroll
  for (unsigned column = 0; column < kWidth; ++column) sums[column] = 0;
#pragma unroll 1
  for (unsigned step = 0; step < k; step += kDepth) {
    tile[threadIdx.y][threadIdx.x] = b[(step + threadIdx.y) * n + first + threadIdx.x];
    __syncthreads();
#pragma unroll
    for (unsigned i = 0; i < kDepth; ++i) {
      const float factor = a[(step + i) * m + row];
#pragma unroll
      for (unsigned column = 0; column < kWidth; ++column) sums[column] += factor * tile[i][column];
    }
    __syncthreads();
  }
#pragma unroll
  for (unsigned column = 0; column < kWidth; ++column) {
    float* place = c + (first + column) * m + row;
    *place = alpha * sums[column] + beta * *place;
  }
}
