// Sparse matrix times vector: CSR by threads or warps, ELL; float values, sums in fixed order.
#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define gpuErrchk(ans) \
  { gpuAssert((ans), __FILE__, __LINE__); }
inline void gpuAssert(cudaError_t code, const char* file, int line) {
  if (code == cudaSuccess) return;
  fprintf(stderr, "GPUassert: %s %s %d\n", cudaGetErrorString(code), file, line);
  exit(code);
}

__global__ void csrScalar(int rows, const int* offsets, const int* columns, const float* values,
                          const float* x, float* y) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0;
  for (int i = offsets[row]; i < offsets[row + 1]; i++) sum = fmaf(values[i], x[columns[i]], sum);
  y[row] = sum;
}

// One warp per row: lane l sums elements l, l+32, ..; a butterfly adds the lanes' sums.
__global__ void csrVector(int rows, const int* offsets, const int* columns, const float* values,
                          const float* x, float* y) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x & 31;
  if (row >= rows) return;
  float sum = 0;
  for (int i = offsets[row] + lane; i < offsets[row + 1]; i += 32)
    sum = fmaf(values[i], x[columns[i]], sum);
#pragma unroll
  for (int mask = 16; mask > 0; mask >>= 1) sum += __shfl_xor_sync(0xffffffff, sum, mask);
  if (lane == 0) y[row] = sum;
}

__global__ void ell(int rows, int width, const int* columns, const float* values, const float* x,
                    float* y) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0;
  for (int k = 0; k < width; k++) {
    int column = columns[k * rows + row];
    if (column >= 0) sum = fmaf(values[k * rows + row], __ldg(x + column), sum);
  }
  y[row] = sum;
}

template <class T>
T* upload(const std::vector<T>& host) {
  T* device;
  gpuErrchk(cudaMalloc((void**)&device, host.size() * sizeof(T)));
  gpuErrchk(cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice));
  return device;
}

int main(int argc, char** argv) {
  const int rows = argc > 1 ? atoi(argv[1]) : 700;
  std::vector<int> offsets{0}, columns;
  std::vector<float> values, x(rows), y(rows);
  unsigned seed = 31;
  auto next = [&seed] { return (seed = seed * 22695477u + 1u) >> 16; };
  for (int r = 0; r < rows; r++) {
    int count = r % 50 == 7 ? 100 : int(next() % 12);
    for (int i = 0; i < count; i++) {
      columns.push_back(next() % rows);
      values.push_back(float(next() % 2000) / 1000 - 1);
    }
    offsets.push_back(int(columns.size()));
    x[r] = sinf(float(r));
  }
  int width = 0;
  for (int r = 0; r < rows; r++) width = std::max(width, offsets[r + 1] - offsets[r]);
  std::vector<int> ellColumns(width * rows, -1);
  std::vector<float> ellValues(width * rows);
  std::vector<float> serial(rows), lanes(rows);
  for (int r = 0; r < rows; r++) {
    float part[32] = {};
    for (int i = offsets[r]; i < offsets[r + 1]; i++) {
      int k = i - offsets[r];
      ellColumns[k * rows + r] = columns[i];
      ellValues[k * rows + r] = values[i];
      serial[r] = fmaf(values[i], x[columns[i]], serial[r]);
      part[k % 32] = fmaf(values[i], x[columns[i]], part[k % 32]);
    }
    for (int mask = 16; mask > 0; mask >>= 1) {
      float sum[32];
      for (int l = 0; l < 32; l++) sum[l] = part[l] + part[l ^ mask];
      std::copy(sum, sum + 32, part);
    }
    lanes[r] = part[0];
  }

  int *dOffsets = upload(offsets), *dColumns = upload(columns), *dEllColumns = upload(ellColumns);
  float *dValues = upload(values), *dEllValues = upload(ellValues), *dX = upload(x),
        *dY = upload(y);
  auto differs = [&](const char* name, const std::vector<float>& expected) {
    gpuErrchk(cudaPeekAtLastError());
    gpuErrchk(cudaDeviceSynchronize());
    gpuErrchk(cudaMemcpy(y.data(), dY, rows * sizeof(float), cudaMemcpyDeviceToHost));
    gpuErrchk(cudaMemset(dY, 0xff, rows * sizeof(float)));
    for (int r = 0; r < rows; r++)
      if (y[r] != expected[r]) {
        printf("FAIL: %s: row %d is %.9g, expected %.9g\n", name, r, y[r], expected[r]);
        return true;
      }
    return false;
  };
  csrScalar<<<(rows + 127) / 128, 128>>>(rows, dOffsets, dColumns, dValues, dX, dY);
  if (differs("CSR scalar", serial)) return 1;
  csrVector<<<(rows + 3) / 4, 128>>>(rows, dOffsets, dColumns, dValues, dX, dY);
  if (differs("CSR vector", lanes)) return 1;
  ell<<<(rows + 127) / 128, 128>>>(rows, width, dEllColumns, dEllValues, dX, dY);
  if (differs("ELL", serial)) return 1;
  for (void* p : {(void*)dOffsets, (void*)dColumns, (void*)dEllColumns, (void*)dValues,
                  (void*)dEllValues, (void*)dX, (void*)dY})
    gpuErrchk(cudaFree(p));
  printf("PASS: %zu elements\n", values.size());
  return 0;
}
