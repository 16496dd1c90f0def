// Heat on a plate: a 5-point stencil, plain and from shared tiles with a halo, coefficients in
// constant memory. Every fused multiply-add is written out: host and device round alike.
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>
#include <vector>

#define CUDA_CHECK(code) cudaAssert((code), __FILE__, __LINE__)
inline void cudaAssert(cudaError_t code, const char* file, int line, bool abort = true) {
  if (code != cudaSuccess) {
    fprintf(stderr, "CUDA: %s %s %d\n", cudaGetErrorString(code), file, line);
    if (abort) exit(code);
  }
}

struct Coefficients {
  float centre, side;
};
__constant__ Coefficients coefficients;

__host__ __device__ inline float point(Coefficients k, float c, float n, float s, float w,
                                       float e) {
  return fmaf(k.centre, c, k.side * ((n + s) + (w + e)));
}

__global__ void plain(const float* in, float* out, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  int at = y * width + x;
  if (x == 0 || y == 0 || x == width - 1 || y == height - 1)
    out[at] = in[at];
  else
    out[at] = point(coefficients, in[at], in[at - width], in[at + width], in[at - 1], in[at + 1]);
}

#define TILE_X 32
#define TILE_Y 8
__global__ void tiled(const float* __restrict__ in, float* __restrict__ out, int width,
                      int height) {
  __shared__ float tile[TILE_Y + 2][TILE_X + 2];
  const int x = blockIdx.x * TILE_X + threadIdx.x, y = blockIdx.y * TILE_Y + threadIdx.y;
  const int cx = min(x, width - 1), cy = min(y, height - 1);
  tile[threadIdx.y + 1][threadIdx.x + 1] = __ldg(&in[cy * width + cx]);
  if (threadIdx.x == 0) tile[threadIdx.y + 1][0] = in[cy * width + max(x - 1, 0)];
  if (threadIdx.x == TILE_X - 1)
    tile[threadIdx.y + 1][TILE_X + 1] = in[cy * width + min(x + 1, width - 1)];
  if (threadIdx.y == 0) tile[0][threadIdx.x + 1] = in[max(y - 1, 0) * width + cx];
  if (threadIdx.y == TILE_Y - 1)
    tile[TILE_Y + 1][threadIdx.x + 1] = in[min(y + 1, height - 1) * width + cx];
  __syncthreads();
  if (x >= width || y >= height) return;
  const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  const float c = tile[ty][tx];
  const bool edge = x == 0 || y == 0 || x == width - 1 || y == height - 1;
  out[y * width + x] = edge ? c
                            : point(coefficients, c, tile[ty - 1][tx], tile[ty + 1][tx],
                                    tile[ty][tx - 1], tile[ty][tx + 1]);
}

int main(int argc, char* argv[]) {
  int width = argc > 1 ? atoi(argv[1]) : 100, height = argc > 2 ? atoi(argv[2]) : 70;
  int steps = argc > 3 ? atoi(argv[3]) : 8;
  Coefficients k = {0.6f, 0.1f};
  CUDA_CHECK(cudaMemcpyToSymbol(coefficients, &k, sizeof k));

  std::vector<float> start(width * height), now, next;
  for (size_t i = 0; i < start.size(); ++i) start[i] = sinf(0.01f * i) * 50 + (i % 17);
  now = next = start;
  for (int s = 0; s < steps; ++s) {
    for (int y = 1; y < height - 1; ++y)
      for (int x = 1; x < width - 1; ++x) {
        const float* p = &now[y * width + x];
        next[y * width + x] = point(k, p[0], p[-width], p[width], p[-1], p[1]);
      }
    now.swap(next);
  }

  size_t bytes = start.size() * sizeof(float);
  float *a, *b;
  CUDA_CHECK(cudaMalloc((void**)&a, bytes));
  CUDA_CHECK(cudaMalloc((void**)&b, bytes));
  dim3 block(TILE_X, TILE_Y), grid((width + TILE_X - 1) / TILE_X, (height + TILE_Y - 1) / TILE_Y);
  int failures = 0;
  void (*kernels[])(const float*, float*, int, int) = {plain, tiled};
  const char* names[] = {"plain", "tiled"};
  for (int kernel = 0; kernel < 2; ++kernel) {
    CUDA_CHECK(cudaMemcpy(a, start.data(), bytes, cudaMemcpyHostToDevice));
    for (int s = 0; s < steps; ++s) {
      kernels[kernel]<<<grid, block>>>(a, b, width, height);
      CUDA_CHECK(cudaGetLastError());
      std::swap(a, b);
    }
    std::vector<float> got(start.size());
    CUDA_CHECK(cudaMemcpy(got.data(), a, bytes, cudaMemcpyDeviceToHost));
    for (size_t i = 0; i < got.size(); ++i) {
      if (memcmp(&got[i], &now[i], sizeof(float)) == 0) continue;
      printf("%s: (%zu, %zu) is %.9g, expected %.9g\n", names[kernel], i % width, i / width, got[i],
             now[i]);
      ++failures;
      break;
    }
  }
  CUDA_CHECK(cudaFree(a));
  CUDA_CHECK(cudaFree(b));
  puts(failures ? "FAIL: the plates differ" : "PASS");
  return failures ? 1 : 0;
}
