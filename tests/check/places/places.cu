#include "taps.h"
// Columns of a tile: every access except the first store takes 32 passes.
extern "C" __global__ void places(const float* in, float* out) {
  __shared__ float tile[32][32];
  const int x = threadIdx.x;
  const int row = threadIdx.y;
  tile[row][x] = in[row * 32 + x];
  __syncthreads();
  for (int y = row; y < 32; y += blockDim.y) {
    float left = y > 0 ? tile[x][y - 1] : 0.0f;
    float here = tile[x][y];
    float right = y < 31 ? tile[x][y + 1] : 0.0f;
    out[x * 32 + y] = left + here + right;
  }
  __syncthreads();
  float sum = column(tile, x, row);
  sum += TAP(tile, x, 31 - row);
  if (in[row] > 0.5f) {
    sum += tile[x][row ^ 5] * 2.0f;
  } else {
    sum -= tile[x][row ^ 5] + 3.0f;
  }
  out[x * 32 + row] += sum;
}
