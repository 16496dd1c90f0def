// All shortest paths by Floyd and Warshall: three phases over tiles of a pitched matrix, with next
// hops.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CK(x)                                                            \
  do {                                                                   \
    cudaError_t e = x;                                                   \
    if (e != cudaSuccess) {                                              \
      fprintf(stderr, "%s: line %d\n", cudaGetErrorString(e), __LINE__); \
      exit(1);                                                           \
    }                                                                    \
  } while (0)

constexpr int kTile = 16, kFar = 1 << 28;

struct Matrix {  // pitched; holds distances or hops
  int* data;
  size_t pitch;
  __device__ int& operator()(int r, int c) const { return *((int*)((char*)data + r * pitch) + c); }
};

__device__ void relax(int (*d)[kTile], int (*a)[kTile], int (*b)[kTile], int (*h)[kTile],
                      int (*from)[kTile]) {
  const int x = threadIdx.x, y = threadIdx.y;
  for (int k = 0; k < kTile; k++) {
    __syncthreads();
    const int through = a[y][k] + b[k][x];
    if (through < d[y][x]) {
      d[y][x] = through;
      h[y][x] = from[y][k];
    }
  }
  __syncthreads();
}

template <int Phase>
__global__ void phase(Matrix distance, Matrix hop, int k) {
  __shared__ int d[kTile][kTile], h[kTile][kTile], left[kTile][kTile], top[kTile][kTile],
      from[kTile][kTile];
  int ty, tx;
  if (Phase == 1) {
    ty = tx = k;
  } else if (Phase == 2) {  // phase 2: the tile's row, then its column
    ty = blockIdx.y ? blockIdx.x : k;
    tx = blockIdx.y ? k : blockIdx.x;
    if (blockIdx.x == k) return;
  } else {
    ty = blockIdx.y;
    tx = blockIdx.x;
    if (ty == k || tx == k) return;
  }
  const int y = ty * kTile + threadIdx.y, x = tx * kTile + threadIdx.x,
            yk = k * kTile + threadIdx.y, xk = k * kTile + threadIdx.x;
  d[threadIdx.y][threadIdx.x] = distance(y, x);
  h[threadIdx.y][threadIdx.x] = hop(y, x);
  left[threadIdx.y][threadIdx.x] = distance(y, xk);
  from[threadIdx.y][threadIdx.x] = hop(y, xk);
  top[threadIdx.y][threadIdx.x] = distance(yk, x);
  __syncthreads();
  relax(d, Phase == 1 || (Phase == 2 && blockIdx.y) ? d : left,
        Phase == 1 || (Phase == 2 && !blockIdx.y) ? d : top, h,
        Phase == 1 || (Phase == 2 && blockIdx.y) ? h : from);
  distance(y, x) = d[threadIdx.y][threadIdx.x];
  hop(y, x) = h[threadIdx.y][threadIdx.x];
}

int main(int argc, char** argv) {
  const int tiles = argc > 1 ? atoi(argv[1]) : 4, n = tiles * kTile - 5, padded = tiles * kTile;
  std::vector<int> edges(padded * padded, kFar), hops(padded * padded, -1), got(padded * padded),
      gotHops(padded * padded);
  uint32_t s = 1;
  for (int i = 0; i < n; i++) {
    for (int e = 0; e < 4; e++) {
      s = s * 1103515245u + 12345u;
      edges[i * padded + (s >> 12) % n] = 1 + (s >> 24) % 50;
    }
    edges[i * padded + i] = 0;
  }
  for (int i = 0; i < padded * padded; i++)
    if (edges[i] < kFar) hops[i] = i % padded;
  std::vector<int> expected = edges;
  for (int k = 0; k < n; k++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        expected[i * padded + j] =
            std::min(expected[i * padded + j], expected[i * padded + k] + expected[k * padded + j]);

  Matrix distance, hop;
  const size_t row = padded * sizeof(int);
  CK(cudaMallocPitch(&distance.data, &distance.pitch, row, padded));
  CK(cudaMallocPitch(&hop.data, &hop.pitch, row, padded));
  CK(cudaMemcpy2D(distance.data, distance.pitch, edges.data(), row, row, padded,
                  cudaMemcpyHostToDevice));
  CK(cudaMemcpy2D(hop.data, hop.pitch, hops.data(), row, row, padded, cudaMemcpyHostToDevice));
  const dim3 block(kTile, kTile);
  for (int k = 0; k < tiles; k++) {
    phase<1><<<1, block>>>(distance, hop, k);
    phase<2><<<dim3(tiles, 2), block>>>(distance, hop, k);
    phase<3><<<dim3(tiles, tiles), block>>>(distance, hop, k);
    CK(cudaGetLastError());
  }
  CK(cudaMemcpy2D(got.data(), row, distance.data, distance.pitch, row, padded,
                  cudaMemcpyDeviceToHost));
  CK(cudaMemcpy2D(gotHops.data(), row, hop.data, hop.pitch, row, padded, cudaMemcpyDeviceToHost));
  CK(cudaFree(distance.data));
  CK(cudaFree(hop.data));
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      const int far = expected[i * padded + j];
      if (got[i * padded + j] < kFar ? got[i * padded + j] != far : far < kFar) {
        printf("FAIL: %d to %d is %d, expected %d\n", i, j, got[i * padded + j], far);
        return 1;
      }
      if (far >= kFar) continue;
      int length = 0, at = i, walked = 0;  // walks the path that the hops describe
      for (; at != j && walked < n; walked++) {
        const int next = gotHops[at * padded + j];
        if (next < 0) break;
        length += edges[at * padded + next];
        at = next;
      }
      if (at != j || length != far) {
        printf("FAIL: the path from %d to %d has length %d, expected %d\n", i, j, length, far);
        return 1;
      }
    }
  printf("PASS\n");
  return 0;
}
