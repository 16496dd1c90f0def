// LU decomposition with partial pivoting in double precision, and a linear system solved by
// it.
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <vector>

#define CUDA_SAFE_CALL(call)                                                            \
  {                                                                                     \
    cudaError err = call;                                                               \
    if (cudaSuccess != err) {                                                           \
      fprintf(stderr, "Cuda error in file '%s' in line %i : %s.\n", __FILE__, __LINE__, \
              cudaGetErrorString(err));                                                 \
      exit(EXIT_FAILURE);                                                               \
    }                                                                                   \
  }

// Finds the first row with the largest magnitude in column k.
__global__ void findPivot(const double* a, int n, int k, int* pivot) {
  __shared__ double best[128];
  __shared__ int row[128];
  int t = threadIdx.x;
  best[t] = -1;
  row[t] = n;
  for (int r = k + t; r < n; r += blockDim.x) {
    double v = fabs(a[r * n + k]);
    if (v > best[t]) {
      best[t] = v;
      row[t] = r;
    }
  }
  __syncthreads();
  for (int s = blockDim.x / 2; s > 0; s >>= 1) {
    if (t < s && (best[t + s] > best[t] || (best[t + s] == best[t] && row[t + s] < row[t]))) {
      best[t] = best[t + s];
      row[t] = row[t + s];
    }
    __syncthreads();
  }
  if (t == 0) pivot[k] = row[0];
}

__global__ void swapRows(double* a, int n, int k, const int* pivot) {
  int c = blockIdx.x * blockDim.x + threadIdx.x, p = pivot[k];
  if (c >= n || p == k) return;
  double t = a[k * n + c];
  a[k * n + c] = a[p * n + c];
  a[p * n + c] = t;
}

__global__ void scaleColumn(double* a, int n, int k) {
  int r = k + 1 + blockIdx.x * blockDim.x + threadIdx.x;
  if (r < n) a[r * n + k] /= a[k * n + k];
}

__global__ void update(double* a, int n, int k) {
  __shared__ double left[8], top[16];
  int c = k + 1 + blockIdx.x * 16 + threadIdx.x, r = k + 1 + blockIdx.y * 8 + threadIdx.y;
  if (threadIdx.x == 0 && r < n) left[threadIdx.y] = a[r * n + k];
  if (threadIdx.y == 0 && c < n) top[threadIdx.x] = a[k * n + c];
  __syncthreads();
  if (r < n && c < n) a[r * n + c] = fma(-left[threadIdx.y], top[threadIdx.x], a[r * n + c]);
}

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 40;
  std::vector<double> a(n * n), lu(n * n), got(n * n), b(n), x(n);
  std::vector<int> pivots(n), gotPivots(n), order(n);
  srand(11);
  for (double& v : a) v = double(rand()) / RAND_MAX * 2 - 1;
  for (double& v : b) v = double(rand()) / RAND_MAX;

  double* d;
  int* dPivot;
  CUDA_SAFE_CALL(cudaMalloc((void**)&d, n * n * sizeof(double)));
  CUDA_SAFE_CALL(cudaMalloc((void**)&dPivot, n * sizeof(int)));
  CUDA_SAFE_CALL(cudaMemcpy(d, a.data(), n * n * sizeof(double), cudaMemcpyHostToDevice));
  for (int k = 0; k < n; k++) {
    int rest = n - k - 1;
    findPivot<<<1, 128>>>(d, n, k, dPivot);
    swapRows<<<(n + 63) / 64, 64>>>(d, n, k, dPivot);
    if (rest == 0) break;
    scaleColumn<<<(rest + 63) / 64, 64>>>(d, n, k);
    update<<<dim3((rest + 15) / 16, (rest + 7) / 8), dim3(16, 8)>>>(d, n, k);
    CUDA_SAFE_CALL(cudaGetLastError());
  }
  CUDA_SAFE_CALL(cudaMemcpy(got.data(), d, n * n * sizeof(double), cudaMemcpyDeviceToHost));
  CUDA_SAFE_CALL(cudaMemcpy(gotPivots.data(), dPivot, n * sizeof(int), cudaMemcpyDeviceToHost));
  CUDA_SAFE_CALL(cudaFree(d));
  CUDA_SAFE_CALL(cudaFree(dPivot));

  lu = a;
  for (int k = 0; k < n; k++) {
    int p = k;
    for (int r = k + 1; r < n; r++)
      if (fabs(lu[r * n + k]) > fabs(lu[p * n + k])) p = r;
    pivots[k] = p;
    for (int c = 0; c < n; c++) std::swap(lu[k * n + c], lu[p * n + c]);
    for (int r = k + 1; r < n; r++) {
      lu[r * n + k] /= lu[k * n + k];
      for (int c = k + 1; c < n; c++)
        lu[r * n + c] = fma(-lu[r * n + k], lu[k * n + c], lu[r * n + c]);
    }
  }
  int wrong = 0;
  for (int i = 0; i < n; i++) wrong += pivots[i] != gotPivots[i];
  for (int i = 0; i < n * n; i++) wrong += lu[i] != got[i];
  if (wrong) {
    printf("FAIL: %d values differ from the host's\n", wrong);
    return 1;
  }
  // The solution by these factors must have a residue near rounding.
  std::iota(order.begin(), order.end(), 0);
  for (int k = 0; k < n; k++) std::swap(order[k], order[gotPivots[k]]);
  for (int r = 0; r < n; r++) {
    x[r] = b[order[r]];
    for (int c = 0; c < r; c++) x[r] -= got[r * n + c] * x[c];
  }
  for (int r = n - 1; r >= 0; r--) {
    for (int c = r + 1; c < n; c++) x[r] -= got[r * n + c] * x[c];
    x[r] /= got[r * n + r];
  }
  double worst = 0;
  for (int r = 0; r < n; r++) {
    double sum = -b[r];
    for (int c = 0; c < n; c++) sum += a[r * n + c] * x[c];
    worst = fmax(worst, fabs(sum));
  }
  printf(worst < 1e-9 ? "PASS, residue %g\n" : "FAIL: residue %g\n", worst);
  return worst < 1e-9 ? 0 : 1;
}
