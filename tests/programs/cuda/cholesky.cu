// Cholesky's factor of positive definite matrices, column by column within a block; one batch of
// matrices.
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                               \
  do {                                                                            \
    cudaError_t err = call;                                                       \
    if (err != cudaSuccess) {                                                     \
      fprintf(stderr, "%s(%d): %s\n", __FILE__, __LINE__, cudaGetErrorName(err)); \
      exit(1);                                                                    \
    }                                                                             \
  } while (0)

/// Factors one matrix per block in shared memory; info: 0, or the first pivot that is not positive.
template <typename Real>
__global__ void factor(Real* const* matrices, int* info, int n) {
  extern __shared__ unsigned char bytes[];
  Real* a = reinterpret_cast<Real*>(bytes);
  __shared__ int bad;
  Real* global = matrices[blockIdx.x];
  if (threadIdx.x == 0) bad = 0;
  for (int i = threadIdx.x; i < n * n; i += blockDim.x) a[i] = global[i];
  __syncthreads();
  for (int k = 0; k < n; ++k) {
    if (threadIdx.x == 0) {
      if (a[k * n + k] > 0)
        a[k * n + k] = sqrt(a[k * n + k]);
      else
        bad = k + 1;
    }
    __syncthreads();
    if (bad) break;
    for (int r = k + 1 + threadIdx.x; r < n; r += blockDim.x) a[r * n + k] /= a[k * n + k];
    __syncthreads();
    for (int c = k + 1; c < n; ++c)
      for (int r = c + threadIdx.x; r < n; r += blockDim.x)
        a[r * n + c] = fma(-a[r * n + k], a[c * n + k], a[r * n + c]);
    __syncthreads();
  }
  for (int i = threadIdx.x; i < n * n; i += blockDim.x) global[i] = i / n >= i % n ? a[i] : Real(0);
  if (threadIdx.x == 0) info[blockIdx.x] = bad;
}

template <typename Real>
bool run(int n, int batch) {
  std::vector<Real> all(batch * n * n), expected(batch * n * n), got(batch * n * n);
  std::vector<int> wantInfo(batch), gotInfo(batch);
  unsigned s = 17;
  for (int m = 0; m < batch; ++m) {
    Real* a = &all[m * n * n];
    for (int r = 0; r < n; ++r)
      for (int c = 0; c <= r; ++c) {
        s = s * 69069u + 1u;
        a[r * n + c] = a[c * n + r] =
            Real(s >> 8) / Real(1 << 24) - Real(0.5) + (r == c ? Real(n) / 2 : 0);
      }
    if (m % 4 == 3) a[(n / 2) * n + n / 2] = -1;  // not positive definite
    Real* l = &expected[m * n * n];
    for (int i = 0; i < n * n; ++i) l[i] = a[i];
    for (int k = 0; k < n && !wantInfo[m]; ++k) {
      if (!(l[k * n + k] > 0)) {
        wantInfo[m] = k + 1;
        break;
      }
      l[k * n + k] = std::sqrt(l[k * n + k]);
      for (int r = k + 1; r < n; ++r) l[r * n + k] /= l[k * n + k];
      for (int c = k + 1; c < n; ++c)
        for (int r = c; r < n; ++r)
          l[r * n + c] = std::fma(-l[r * n + k], l[c * n + k], l[r * n + c]);
    }
    for (int i = 0; i < n * n; ++i)
      if (i / n < i % n) l[i] = 0;
  }
  Real* memory;
  Real** pointers;
  int* info;
  CHECK(cudaMalloc(&memory, all.size() * sizeof(Real)));
  CHECK(cudaMalloc(&pointers, batch * sizeof(Real*)));
  CHECK(cudaMalloc(&info, batch * sizeof(int)));
  std::vector<Real*> list;
  for (int m = 0; m < batch; ++m) list.push_back(memory + m * n * n);
  CHECK(cudaMemcpy(memory, all.data(), all.size() * sizeof(Real), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(pointers, list.data(), batch * sizeof(Real*), cudaMemcpyHostToDevice));
  factor<Real><<<batch, 64, n * n * sizeof(Real)>>>(pointers, info, n);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(got.data(), memory, all.size() * sizeof(Real), cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(gotInfo.data(), info, batch * sizeof(int), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(memory));
  CHECK(cudaFree(pointers));
  CHECK(cudaFree(info));
  if (gotInfo != wantInfo) {
    printf("FAIL: info differs\n");
    return false;
  }
  for (size_t i = 0; i < got.size(); ++i)
    if (got[i] != expected[i]) {
      printf("FAIL: matrix %zu, element %zu is %.17g, expected %.17g\n", i / (n * n), i % (n * n),
             double(got[i]), double(expected[i]));
      return false;
    }
  return true;
}

int main(int argc, char** argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 24, batch = argc > 2 ? atoi(argv[2]) : 5;
  if (!run<float>(n, batch) || !run<double>(n, batch)) return 1;
  puts("PASS");
  return 0;
}
