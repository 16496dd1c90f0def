// Transposes through a table of kernels, timed by events: naive, tiles, padded tiles, diagonal
// order, int4.
#include <cuda_runtime.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TILE_DIM 32
#define BLOCK_ROWS 8

static inline cudaError_t checkCuda(cudaError_t result) {
  if (result != cudaSuccess) {
    fprintf(stderr, "CUDA Runtime Error: %s\n", cudaGetErrorString(result));
    exit(1);
  }
  return result;
}

__global__ void copy(float* odata, const float* idata) {
  int x = blockIdx.x * TILE_DIM + threadIdx.x, y = blockIdx.y * TILE_DIM + threadIdx.y;
  int width = gridDim.x * TILE_DIM;
  for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
    odata[(y + j) * width + x] = idata[(y + j) * width + x];
}

__global__ void naive(float* odata, const float* idata) {
  int x = blockIdx.x * TILE_DIM + threadIdx.x, y = blockIdx.y * TILE_DIM + threadIdx.y;
  int width = gridDim.x * TILE_DIM, height = gridDim.y * TILE_DIM;
  for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
    odata[x * height + (y + j)] = idata[(y + j) * width + x];
}

template <int PAD, bool DIAGONAL>
__global__ void tiled(float* odata, const float* idata) {
  __shared__ float tile[TILE_DIM][TILE_DIM + PAD];
  int bx = blockIdx.x, by = blockIdx.y;
  int width = gridDim.x * TILE_DIM, height = gridDim.y * TILE_DIM;
  if (DIAGONAL) {
    int id = blockIdx.x + gridDim.x * blockIdx.y;
    by = id % gridDim.y;
    bx = ((id / gridDim.y) + by) % gridDim.x;
  }
  int x = bx * TILE_DIM + threadIdx.x, y = by * TILE_DIM + threadIdx.y;
  for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
    tile[threadIdx.y + j][threadIdx.x] = idata[(y + j) * width + x];
  __syncthreads();
  x = by * TILE_DIM + threadIdx.x;
  y = bx * TILE_DIM + threadIdx.y;
  for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
    odata[(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];
}

__global__ void vectors(float* odata, const float* idata) {  // transposes 4x4 in registers
  int x = blockIdx.x * TILE_DIM + (threadIdx.x & 7) * 4,
      y = blockIdx.y * TILE_DIM + threadIdx.y * 4;
  int width = gridDim.x * TILE_DIM, height = gridDim.y * TILE_DIM;
  if (threadIdx.x >= 8) return;
  float4 r[4];
  for (int i = 0; i < 4; i++) r[i] = *(const float4*)&idata[(y + i) * width + x];
  *(float4*)&odata[(x + 0) * height + y] = make_float4(r[0].x, r[1].x, r[2].x, r[3].x);
  *(float4*)&odata[(x + 1) * height + y] = make_float4(r[0].y, r[1].y, r[2].y, r[3].y);
  *(float4*)&odata[(x + 2) * height + y] = make_float4(r[0].z, r[1].z, r[2].z, r[3].z);
  *(float4*)&odata[(x + 3) * height + y] = make_float4(r[0].w, r[1].w, r[2].w, r[3].w);
}

int main(int argc, char** argv) {
  const int nx = (argc > 1 ? atoi(argv[1]) : 3) * TILE_DIM,
            ny = (argc > 2 ? atoi(argv[2]) : 5) * TILE_DIM;
  const size_t bytes = nx * ny * sizeof(float);
  struct {
    const char* name;
    void (*kernel)(float*, const float*);
    bool transposes;
  } table[] = {{"copy", copy, false},
               {"naive", naive, true},
               {"tiles", tiled<0, false>, true},
               {"padded tiles", tiled<1, false>, true},
               {"diagonal", tiled<1, true>, true},
               {"vectors", vectors, true}};
  cudaDeviceProp prop;
  checkCuda(cudaGetDeviceProperties(&prop, 0));
  fprintf(stderr, "Device: %s, compute %d.%d\n", prop.name, prop.major, prop.minor);
  float *in = (float*)malloc(bytes), *out = (float*)malloc(bytes), *d_in, *d_out;
  for (int i = 0; i < nx * ny; i++) in[i] = (float)i;
  checkCuda(cudaMalloc((void**)&d_in, bytes));
  checkCuda(cudaMalloc((void**)&d_out, bytes));
  checkCuda(cudaMemcpy(d_in, in, bytes, cudaMemcpyHostToDevice));
  cudaEvent_t start, stop;
  checkCuda(cudaEventCreate(&start));
  checkCuda(cudaEventCreate(&stop));
  int failed = 0;
  for (const auto& entry : table) {
    float ms;
    checkCuda(cudaMemset(d_out, 0, bytes));
    checkCuda(cudaEventRecord(start, 0));
    entry.kernel<<<dim3(nx / TILE_DIM, ny / TILE_DIM), dim3(TILE_DIM, BLOCK_ROWS)>>>(d_out, d_in);
    checkCuda(cudaEventRecord(stop, 0));
    checkCuda(cudaEventSynchronize(stop));
    checkCuda(cudaEventElapsedTime(&ms, start, stop));
    checkCuda(cudaMemcpy(out, d_out, bytes, cudaMemcpyDeviceToHost));
    int wrong = ms < 0;
    for (int y = 0; y < ny; y++)
      for (int x = 0; x < nx; x++)
        wrong += out[entry.transposes ? x * ny + y : y * nx + x] != in[y * nx + x];
    fprintf(stderr, "%-14s %8.3f GB/s\n", entry.name, ms > 0 ? 2 * bytes * 1e-6 / ms : 0);
    if (wrong) printf("%s: %d elements are wrong\n", entry.name, wrong);
    failed += wrong != 0;
  }
  checkCuda(cudaEventDestroy(start));
  checkCuda(cudaEventDestroy(stop));
  checkCuda(cudaFree(d_in));
  checkCuda(cudaFree(d_out));
  free(in);
  free(out);
  puts(failed ? "FAIL: transposes are wrong" : "PASS");
  return failed != 0;
}
