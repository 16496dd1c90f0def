// C = alpha A B + beta C of any size, in float and double: naive, by tiles, and by tiles with 4
// results per thread.
#include <cuda_runtime.h>

#include <cmath>
#include <iomanip>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

#define CHECK(expression)                                                                   \
  do {                                                                                      \
    if (cudaError_t e = (expression); e != cudaSuccess)                                     \
      throw std::runtime_error(std::string(#expression ": ") + cudaGetErrorName(e) + ", " + \
                               cudaGetErrorString(e));                                      \
  } while (0)

__host__ __device__ inline float mad(float a, float b, float c) {
  return fmaf(a, b, c);
}
__host__ __device__ inline double mad(double a, double b, double c) {
  return fma(a, b, c);
}

template <typename T>
__global__ void naive(int m, int n, int k, T alpha, const T* a, const T* b, T beta, T* c) {
  int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= m || col >= n) return;
  T sum = 0;
  for (int i = 0; i < k; i++) sum = mad(a[row * k + i], b[i * n + col], sum);
  c[row * n + col] = mad(alpha, sum, beta * c[row * n + col]);
}

template <typename T, int TILE>
__global__ void tiled(int m, int n, int k, T alpha, const T* a, const T* b, T beta, T* c) {
  __shared__ T as[TILE][TILE], bs[TILE][TILE + 1];
  int tx = threadIdx.x, ty = threadIdx.y, col = blockIdx.x * TILE + tx,
      row = blockIdx.y * TILE + ty;
  T sum = 0;
  for (int t = 0; t < k; t += TILE) {
    as[ty][tx] = row < m && t + tx < k ? a[row * k + t + tx] : T(0);
    bs[ty][tx] = t + ty < k && col < n ? b[(t + ty) * n + col] : T(0);
    __syncthreads();
#pragma unroll
    for (int i = 0; i < TILE; i++) sum = mad(as[ty][i], bs[i][tx], sum);
    __syncthreads();
  }
  if (row < m && col < n) c[row * n + col] = mad(alpha, sum, beta * c[row * n + col]);
}

template <typename T, int TILE, int EACH>
__global__ void blocked(int m, int n, int k, T alpha, const T* a, const T* b, T beta, T* c) {
  __shared__ T as[TILE][TILE + 1], bs[TILE][TILE];
  int tx = threadIdx.x, ty = threadIdx.y, col = blockIdx.x * TILE + tx, top = blockIdx.y * TILE;
  T sum[EACH] = {};
  for (int t = 0; t < k; t += TILE) {
    for (int e = 0; e < EACH; e++) {
      int r = ty + e * (TILE / EACH);
      as[r][tx] = top + r < m && t + tx < k ? a[(top + r) * k + t + tx] : T(0);
      bs[r][tx] = t + r < k && col < n ? b[(t + r) * n + col] : T(0);
    }
    __syncthreads();
    for (int i = 0; i < TILE; i++) {
      T right = bs[i][tx];
#pragma unroll
      for (int e = 0; e < EACH; e++) sum[e] = mad(as[ty + e * (TILE / EACH)][i], right, sum[e]);
    }
    __syncthreads();
  }
  for (int e = 0; e < EACH; e++) {
    int row = top + ty + e * (TILE / EACH);
    if (row < m && col < n) c[row * n + col] = mad(alpha, sum[e], beta * c[row * n + col]);
  }
}

template <typename T>
bool test(int m, int n, int k) {
  std::vector<T> a(m * k), b(k * n), c(m * n), expected(m * n), got(m * n);
  for (size_t i = 0; i < a.size(); i++) a[i] = T(std::sin(double(i)));
  for (size_t i = 0; i < b.size(); i++) b[i] = T(std::cos(double(i) * 0.7));
  for (size_t i = 0; i < c.size(); i++) c[i] = T(i % 23) - 11;
  T alpha = T(1.25), beta = T(-0.3);
  for (int row = 0; row < m; row++)
    for (int col = 0; col < n; col++) {
      T sum = 0;
      for (int i = 0; i < k; i++) sum = mad(a[row * k + i], b[i * n + col], sum);
      expected[row * n + col] = mad(alpha, sum, beta * c[row * n + col]);
    }
  T *da, *db, *dc;
  CHECK(cudaMalloc(&da, a.size() * sizeof(T)));
  CHECK(cudaMalloc(&db, b.size() * sizeof(T)));
  CHECK(cudaMalloc(&dc, c.size() * sizeof(T)));
  CHECK(cudaMemcpy(da, a.data(), a.size() * sizeof(T), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(db, b.data(), b.size() * sizeof(T), cudaMemcpyHostToDevice));
  cudaEvent_t start, stop;
  CHECK(cudaEventCreate(&start));
  CHECK(cudaEventCreate(&stop));
  bool fine = true;
  for (int kernel = 0; kernel < 3; kernel++) {
    CHECK(cudaMemcpy(dc, c.data(), c.size() * sizeof(T), cudaMemcpyHostToDevice));
    dim3 tiles((n + 15) / 16, (m + 15) / 16);
    CHECK(cudaEventRecord(start));
    if (kernel == 0)
      naive<T><<<dim3((n + 31) / 32, (m + 3) / 4), dim3(32, 4)>>>(m, n, k, alpha, da, db, beta, dc);
    if (kernel == 1) tiled<T, 16><<<tiles, dim3(16, 16)>>>(m, n, k, alpha, da, db, beta, dc);
    if (kernel == 2) blocked<T, 16, 4><<<tiles, dim3(16, 4)>>>(m, n, k, alpha, da, db, beta, dc);
    CHECK(cudaGetLastError());
    CHECK(cudaEventRecord(stop));
    CHECK(cudaEventSynchronize(stop));
    float ms = 0;
    CHECK(cudaEventElapsedTime(&ms, start, stop));
    std::cerr << "kernel " << kernel << ": " << std::fixed << std::setprecision(4) << ms << " ms\n";
    CHECK(cudaMemcpy(got.data(), dc, got.size() * sizeof(T), cudaMemcpyDeviceToHost));
    for (size_t i = 0; i < got.size() && fine; i++)
      if (got[i] != expected[i]) {
        std::cout << "kernel " << kernel << " of " << sizeof(T) << " bytes: element " << i << " is "
                  << std::setprecision(17) << got[i] << ", expected " << expected[i] << "\n";
        fine = false;
      }
  }
  CHECK(cudaEventDestroy(start));
  CHECK(cudaEventDestroy(stop));
  for (T* p : {da, db, dc}) CHECK(cudaFree(p));
  return fine;
}

int main(int argc, char** argv) try {
  int m = 50, n = 45, k = 70;
  if (argc == 4) m = std::stoi(argv[1]), n = std::stoi(argv[2]), k = std::stoi(argv[3]);
  bool fine = test<float>(m, n, k);
  fine = test<double>(m, n, k) && fine;
  std::cout << (fine ? "PASS" : "FAIL: products differ") << std::endl;
  return !fine;
} catch (const std::exception& e) {
  std::cout << "FAIL: " << e.what() << std::endl;
  return 1;
}
