// A Julia set with cuComplex on the device and the host, and polynomial roots by Newton's method in
// double.
#include <cuComplex.h>
#include <cuda_runtime.h>
#include <helper_cuda.h>
#include <helper_functions.h>

#include <cmath>
#include <cstdio>
#include <vector>

__host__ __device__ int escapes(cuFloatComplex z, cuFloatComplex c, int limit) {
  for (int i = 0; i < limit; ++i) {
    if (cuCabsf(z) > 2.0f) return i;
    z = cuCaddf(cuCmulf(z, z), c);
  }
  return limit;
}

__global__ void julia(int* out, int size, cuFloatComplex c, int limit) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= size || y >= size) return;
  out[y * size + x] =
      escapes(make_cuFloatComplex(3.0f * x / size - 1.5f, 3.0f * y / size - 1.5f), c, limit);
}

/// Replaces z by the point that Newton's steps for z^3 = 1 reach.
__global__ void newton(cuDoubleComplex* z, int n, int steps) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  cuDoubleComplex v = z[i];
  const cuDoubleComplex one = make_cuDoubleComplex(1, 0), three = make_cuDoubleComplex(3, 0);
  for (int s = 0; s < steps; ++s) {
    const cuDoubleComplex square = cuCmul(v, v), value = cuCsub(cuCmul(square, v), one);
    v = cuCsub(v, cuCdiv(value, cuCmul(three, square)));
  }
  z[i] = v;
}

int main(int argc, char** argv) {
  int size = 64;
  if (checkCmdLineFlag(argc, (const char**)argv, "size"))
    size = getCmdLineArgumentInt(argc, (const char**)argv, "size");
  const int device = findCudaDevice(argc, (const char**)argv), limit = 60;
  cudaDeviceProp properties;
  checkCudaErrors(cudaGetDeviceProperties(&properties, device));
  StopWatchInterface* timer = nullptr;
  sdkCreateTimer(&timer);
  sdkStartTimer(&timer);

  const cuFloatComplex c = make_cuFloatComplex(-0.8f, 0.156f);
  int* out;
  checkCudaErrors(cudaMalloc(&out, size * size * sizeof(int)));
  julia<<<dim3((size + 15) / 16, (size + 15) / 16), dim3(16, 16)>>>(out, size, c, limit);
  getLastCudaError("julia failed");
  std::vector<int> got(size * size);
  checkCudaErrors(cudaMemcpy(got.data(), out, got.size() * sizeof(int), cudaMemcpyDeviceToHost));
  checkCudaErrors(cudaFree(out));
  int different = 0;
  for (int y = 0; y < size; ++y)
    for (int x = 0; x < size; ++x)
      different +=
          got[y * size + x] !=
          escapes(make_cuFloatComplex(3.0f * x / size - 1.5f, 3.0f * y / size - 1.5f), c, limit);
  if (different > size * size / 20) {  // fused multiply-adds send chaotic points elsewhere
    printf("FAIL: %d of %d points escape otherwise\n", different, size * size);
    return EXIT_FAILURE;
  }

  const int n = 300;
  std::vector<cuDoubleComplex> z(n);
  for (int i = 0; i < n; ++i)
    z[i] = make_cuDoubleComplex(1.5 * cos(i * 0.7) + 0.01, 1.5 * sin(i * 0.7));
  cuDoubleComplex* dZ;
  checkCudaErrors(cudaMalloc(&dZ, n * sizeof(cuDoubleComplex)));
  checkCudaErrors(cudaMemcpy(dZ, z.data(), n * sizeof(cuDoubleComplex), cudaMemcpyHostToDevice));
  newton<<<(n + 63) / 64, 64>>>(dZ, n, 40);
  getLastCudaError("newton failed");
  checkCudaErrors(cudaMemcpy(z.data(), dZ, n * sizeof(cuDoubleComplex), cudaMemcpyDeviceToHost));
  checkCudaErrors(cudaFree(dZ));
  for (int i = 0; i < n; ++i) {
    const cuDoubleComplex cube = cuCmul(cuCmul(z[i], z[i]), z[i]);
    if (cuCabs(cuCsub(cube, make_cuDoubleComplex(1, 0))) > 1e-12) {
      printf("FAIL: root %d is %g %g\n", i, cuCreal(z[i]), cuCimag(z[i]));
      return EXIT_FAILURE;
    }
  }
  sdkStopTimer(&timer);
  fprintf(stderr, "%s: %f ms\n", properties.name, sdkGetTimerValue(&timer));
  sdkDeleteTimer(&timer);
  printf("PASS: %d points differ\n", different);
  return EXIT_SUCCESS;
}
