// Points of a Julia set with cuComplex on the device and the host, and polynomial roots by Newton's
// method in double; with the helpers of the samples.
#include <cuComplex.h>
#include <cuda_runtime.h>
#include <helper_cuda.h>
#include <helper_functions.h>

#include <cmath>
#include <cstdio>
#include <vector>

/// Returns the steps after which z -> z^2 + c leaves the circle of radius 2.
__host__ __device__ int escapes(cuFloatComplex z, cuFloatComplex c, int limit) {
  int steps = 0;
  for (; steps < limit && cuCabsf(z) <= 2.0f; ++steps) z = cuCaddf(cuCmulf(z, z), c);
  return steps;
}

__global__ void julia(int* out, cuFloatComplex c, int limit) {
  const int i = threadIdx.x;  // powers of two: the arithmetic is exact for the first steps
  out[i] = escapes(make_cuFloatComplex(i * 0.25f, 1.0f - i * 0.125f), c, limit);
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
  int points = 32;
  if (checkCmdLineFlag(argc, (const char**)argv, "points"))
    points = getCmdLineArgumentInt(argc, (const char**)argv, "points");
  const int device = findCudaDevice(argc, (const char**)argv), limit = 60;
  cudaDeviceProp properties;
  checkCudaErrors(cudaGetDeviceProperties(&properties, device));
  StopWatchInterface* timer = nullptr;
  sdkCreateTimer(&timer);
  sdkStartTimer(&timer);

  const cuFloatComplex c = make_cuFloatComplex(0.5f, 0.25f);  // every point leaves soon
  int* out;
  checkCudaErrors(cudaMallocManaged(&out, points * sizeof(int)));
  julia<<<1, points>>>(out, c, limit);
  getLastCudaError("julia failed");
  checkCudaErrors(cudaDeviceSynchronize());
  for (int i = 0; i < points; ++i)
    if (out[i] != escapes(make_cuFloatComplex(i * 0.25f, 1.0f - i * 0.125f), c, limit)) {
      printf("FAIL: point %d leaves after %d steps\n", i, out[i]);
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
  printf("PASS\n");
  return EXIT_SUCCESS;
}
