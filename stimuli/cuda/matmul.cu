// C = A B for n x n matrices, in 16x16 tiles held in shared memory. A row of A is broadcast, a row
// of B contiguous: no conflict.

constexpr unsigned kTile = 16;

extern "C" __global__ void matmul(const float* a, const float* b, float* c, unsigned n) {
  __shared__ float tileA[kTile][kTile];
  __shared__ float tileB[kTile][kTile];
  const unsigned x = threadIdx.x;
  const unsigned y = threadIdx.y;
  const unsigned row = blockIdx.y * kTile + y;
  const unsigned column = blockIdx.x * kTile + x;
  float sum = 0;
#pragma unroll 1
  for (unsigned first = 0; first < n; first += kTile) {
    tileA[y][x] = a[row * n + first + x];
    tileB[y][x] = b[(first + y) * n + column];
    __syncthreads();
#pragma unroll
    for (unsigned k = 0; k < kTile; ++k) sum += tileA[y][k] * tileB[k][x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}
