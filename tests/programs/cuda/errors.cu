// Deliberate mistakes: each must give CUDA's error code for it, and whatever CUDA lets go on must
// go on.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

static int wrong = 0;
static void expect(const char* what, cudaError_t got, cudaError_t wanted, int line) {
  if (got == wanted) return;
  printf("line %d: %s gives %s (%d), expected %s (%d)\n", line, what, cudaGetErrorName(got),
         int(got), cudaGetErrorName(wanted), int(wanted));
  ++wrong;
}
#define EXPECT(call, code) expect(#call, (call), code, __LINE__)
#define FINE(call) expect(#call, (call), cudaSuccess, __LINE__)

__global__ void write(int* data, int n) {
  if (threadIdx.x < n) data[threadIdx.x] = threadIdx.x;
}
__global__ void big(int* data) {
  extern __shared__ int shared[];
  shared[threadIdx.x] = 1;
  data[0] = shared[0];
}
__global__ void trap(int* data) {
  if (data[0] == 0) asm("trap;");
}

int main(int argc, char** argv) {
  int *data, host[64];
  FINE(cudaMalloc(&data, 64 * sizeof(int)));
  FINE(cudaMemset(data, 0, 64 * sizeof(int)));

  // A launch that fails to start leaves the device as it was.
  write<<<1, 4096>>>(data, 1);
  EXPECT(cudaPeekAtLastError(), cudaErrorInvalidConfiguration);
  EXPECT(cudaGetLastError(), cudaErrorInvalidConfiguration);
  EXPECT(cudaGetLastError(), cudaSuccess);
  write<<<0, 32>>>(data, 1);
  EXPECT(cudaGetLastError(), cudaErrorInvalidConfiguration);
  write<<<1, dim3(1, 1, 100)>>>(data, 1);
  EXPECT(cudaGetLastError(), cudaErrorInvalidConfiguration);
  write<<<1, 0>>>(data, 1);
  EXPECT(cudaGetLastError(), cudaErrorInvalidConfiguration);
  big<<<1, 32, 1 << 20>>>(data);
  EXPECT(cudaGetLastError(), cudaErrorInvalidValue);
  FINE(cudaDeviceSynchronize());

  // Bad arguments.
  void* p = nullptr;
  EXPECT(cudaMalloc(nullptr, 16), cudaErrorInvalidValue);
  EXPECT(cudaMalloc(&p, size_t(1) << 60), cudaErrorMemoryAllocation);
  EXPECT(cudaMemcpy(data, host, sizeof host, cudaMemcpyKind(9)), cudaErrorInvalidMemcpyDirection);
  EXPECT(cudaMemcpy(nullptr, host, sizeof host, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT(cudaMemcpy(host, data, 65 * sizeof(int), cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
  EXPECT(cudaMemset(data, 0, 65 * sizeof(int)), cudaErrorInvalidValue);
  EXPECT(cudaFree(data + 1), cudaErrorInvalidValue);
  EXPECT(cudaFree(host), cudaErrorInvalidValue);
  EXPECT(cudaFreeHost(host), cudaErrorInvalidValue);
  EXPECT(cudaSetDevice(99), cudaErrorInvalidDevice);
  cudaDeviceProp properties;
  EXPECT(cudaGetDeviceProperties(&properties, -1), cudaErrorInvalidDevice);
  EXPECT(cudaMemcpyToSymbol((const void*)host, host, 4), cudaErrorInvalidSymbol);
  EXPECT(cudaGetSymbolAddress(&p, (const void*)"nothing"), cudaErrorInvalidSymbol);
  EXPECT(cudaLaunchKernel((const void*)host, dim3(1), dim3(1), nullptr, 0, nullptr),
         cudaErrorInvalidDeviceFunction);
  cudaFuncAttributes attributes;
  EXPECT(cudaFuncGetAttributes(&attributes, (const void*)main), cudaErrorInvalidDeviceFunction);
  cudaTextureObject_t texture;
  cudaResourceDesc resource = {};
  cudaTextureDesc how = {};
  resource.resType = cudaResourceTypeArray;
  if (cudaCreateTextureObject(&texture, &resource, &how, nullptr) == cudaSuccess)
    puts("a texture of no array"), ++wrong;

  // cudaGetLastError returns the last error although calls have succeeded since.
  EXPECT(cudaMemset(data, 0, 65 * sizeof(int)), cudaErrorInvalidValue);
  FINE(cudaMemset(data, 0, 4));
  EXPECT(cudaGetLastError(), cudaErrorInvalidValue);
  if (strcmp(cudaGetErrorName(cudaErrorInvalidValue), "cudaErrorInvalidValue") ||
      strcmp(cudaGetErrorString(cudaErrorMemoryAllocation), "out of memory") ||
      strcmp(cudaGetErrorString(cudaErrorInvalidConfiguration), "invalid configuration argument") ||
      strcmp(cudaGetErrorString(cudaSuccess), "no error"))
    puts("the texts differ"), ++wrong;

  // After these errors the device still works.
  write<<<1, 64>>>(data, 64);
  FINE(cudaGetLastError());
  FINE(cudaMemcpy(host, data, sizeof host, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 64; ++i)
    if (host[i] != i) printf("element %d is %d\n", i, host[i]), ++wrong;

  // An error within a kernel stays until the device is reset.
  const bool trapping = argc > 1 && !strcmp(argv[1], "trap");
  if (trapping)
    trap<<<1, 32>>>(data);
  else
    write<<<1, 64>>>(data + (1 << 28), 64);
  cudaError_t error = cudaDeviceSynchronize();
  EXPECT(error, trapping ? cudaErrorLaunchFailure : cudaErrorIllegalAddress);
  EXPECT(cudaMemcpy(host, data, 4, cudaMemcpyDeviceToHost), error);
  EXPECT(cudaGetLastError(), error);
  FINE(cudaDeviceReset());
  printf(wrong ? "FAIL: %d answers are wrong\n" : "PASS\n", wrong);
  return wrong != 0;
}
