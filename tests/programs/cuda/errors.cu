// Errors: sizes beyond any device or beyond 64 bits, bad arguments, and faults of kernels. Each
// gives its code, and whatever CUDA lets go on goes on.
#include <cuda.h>

#include <cstring>

#include "check.h"

__global__ void first(int* data) {
  *data = 1;
}

const size_t most = ~size_t(0);
constexpr size_t two(int power) {
  return size_t(1) << power;
}
const size_t huge[] = {most,          most - 1, most - 511,  most - 512, most - 513, two(63),
                       two(63) + 512, two(62),  two(62) + 1, two(40),    two(33)};
const size_t sides[] = {1, 2, 3, two(31), two(32), two(62), two(63), most};

static void allocations() {
  void* p = nullptr;
  size_t pitch = 7;
  for (size_t w : huge) {
    GIVES(cudaMalloc(&p, w), cudaErrorMemoryAllocation);
    GIVES(cudaMallocManaged(&p, w), cudaErrorMemoryAllocation);
    if (w > two(36)) GIVES(cudaMallocHost(&p, w), cudaErrorMemoryAllocation);
    for (size_t h : sides) {
      GIVES(cudaMallocPitch(&p, &pitch, w, h), cudaErrorMemoryAllocation);
      GIVES(cudaMallocPitch(&p, &pitch, h, w), cudaErrorMemoryAllocation);
      CUdeviceptr q = 0;
      GIVES(cuMemAllocPitch(&q, &pitch, w, h, 4), CUDA_ERROR_OUT_OF_MEMORY);
      for (size_t d : sides) {
        cudaPitchedPtr to;
        GIVES(cudaMalloc3D(&to, make_cudaExtent(w, h, d)), cudaErrorMemoryAllocation);
        GIVES(cudaMalloc3D(&to, make_cudaExtent(d, h, w)), cudaErrorMemoryAllocation);
      }
    }
  }
  if (p != nullptr || pitch != 7) fail("a refused allocation has a pointer or a pitch");
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
  cudaArray_t array;
  for (size_t w : huge) {
    GIVES(cudaMallocArray(&array, &format, w, 4), cudaErrorInvalidValue);
    GIVES(cudaMallocArray(&array, &format, 4, w), cudaErrorInvalidValue);
    GIVES(cudaMalloc3DArray(&array, &format, make_cudaExtent(4, 4, w)), cudaErrorInvalidValue);
  }
  GIVES(cudaMalloc3DArray(&array, &format, make_cudaExtent(131072, 131072, 16384)),
        cudaErrorMemoryAllocation);
  size_t left = 0, all = 0;
  CHECK(cudaMemGetInfo(&left, &all));
  if (left != all) fail("%zu bytes are taken", all - left);
}

static void copiesAndFills() {
  std::vector<char> host(4096);
  char* device;
  CHECK(cudaMalloc(&device, 4096));
  for (size_t pitch : {most, most - 63, two(63), two(62), two(32)}) {
    GIVES(cudaMemset2D(device, pitch, 1, 64, 2), cudaErrorInvalidPitchValue);
    GIVES(cudaMemcpy2D(host.data(), 64, device, pitch, 64, 2, cudaMemcpyDeviceToHost),
          cudaErrorInvalidPitchValue);
    GIVES(cudaMemcpy2D(device, 64, host.data(), pitch, 64, 2, cudaMemcpyHostToDevice),
          cudaErrorInvalidPitchValue);
    GIVES(cudaMemcpy2D(host.data(), pitch, host.data(), 64, 64, 2, cudaMemcpyHostToHost),
          cudaErrorInvalidPitchValue);
  }
  GIVES(cudaMemset2D(device, 63, 1, 64, 2), cudaErrorInvalidPitchValue);
  for (size_t rows : {size_t(65), two(58), two(58) + 1, two(62), most}) {
    GIVES(cudaMemset2D(device, 64, 1, 64, rows), cudaErrorInvalidValue);
    GIVES(cudaMemcpy2D(host.data(), 64, device, 64, 64, rows, cudaMemcpyDeviceToHost),
          cudaErrorInvalidValue);
    GIVES(cudaMemcpy2D(device, 64, host.data(), 64, 64, rows, cudaMemcpyHostToDevice),
          cudaErrorInvalidValue);
    const cudaPitchedPtr all = make_cudaPitchedPtr(device, 64, 64, 64);
    GIVES(cudaMemset3D(all, 1, make_cudaExtent(64, 64, rows)), cudaErrorInvalidValue);
  }
  for (size_t count : {size_t(4097), most, most - 4095, two(63)}) {
    GIVES(cudaMemcpy(host.data(), device, count, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
    GIVES(cudaMemset(device, 1, count), cudaErrorInvalidValue);
  }
  const CUdeviceptr q = reinterpret_cast<CUdeviceptr>(device);
  for (size_t count : {size_t(1025), two(62), two(62) + 1, most})
    GIVES(cuMemsetD32(q, 1, count), CUDA_ERROR_INVALID_VALUE);
  for (size_t count : {size_t(2049), two(63), two(63) + 1})
    GIVES(cuMemsetD16(q, 1, count), CUDA_ERROR_INVALID_VALUE);
  CUDA_MEMCPY2D c = {};
  c.srcMemoryType = CU_MEMORYTYPE_DEVICE, c.srcDevice = q, c.srcPitch = 64;
  c.dstMemoryType = CU_MEMORYTYPE_HOST, c.dstHost = host.data(), c.dstPitch = 64;
  c.WidthInBytes = 64, c.Height = 2;
  CHECK(cuMemcpy2D(&c));
  for (size_t y : {size_t(63), two(58), two(58) + 62, most}) {
    c.srcY = y;
    GIVES(cuMemcpy2D(&c), CUDA_ERROR_INVALID_VALUE);
  }
  CHECK(cudaFree(device));
}

static void arrays() {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
  std::vector<int> host(64 * 64, 5);
  cudaArray_t array;
  CHECK(cudaMallocArray(&array, &format, 16, 4));
  CHECK(cudaMemcpyToArray(array, 0, 0, host.data(), 256, cudaMemcpyHostToDevice));
  std::vector<int> other(64, 9), got(64);
  for (size_t count : {size_t(257), two(62), most}) {
    GIVES(cudaMemcpyToArray(array, 0, 0, other.data(), count, cudaMemcpyHostToDevice),
          cudaErrorInvalidValue);
  }
  GIVES(cudaMemcpyToArray(array, 64, 0, other.data(), 4, cudaMemcpyHostToDevice),
        cudaErrorInvalidValue);
  CHECK(cudaMemcpyFromArray(got.data(), array, 0, 0, 256, cudaMemcpyDeviceToHost));
  for (int word : got)
    if (word != 5) fail("an array is written");  // a refused copy must write nothing
  for (size_t at : {two(62), two(62) + 1, most, size_t(17)}) {
    cudaMemcpy3DParms p = {};
    p.srcPtr = make_cudaPitchedPtr(host.data(), 64, 16, 4);
    p.dstArray = array;
    p.extent = make_cudaExtent(1, 1, 1);
    p.kind = cudaMemcpyHostToDevice;
    CHECK(cudaMemcpy3D(&p));
    p.dstPos.x = at;
    GIVES(cudaMemcpy3D(&p), cudaErrorInvalidValue);
    p.dstPos.x = 0;
    p.extent.width = at;
    GIVES(cudaMemcpy3D(&p), cudaErrorInvalidValue);
  }
  cudaMemcpy3DParms p = {};
  p.srcPtr = make_cudaPitchedPtr(host.data(), most, most, most);
  p.dstArray = array;
  p.extent = make_cudaExtent(1, 1, 1);
  p.kind = cudaMemcpyHostToDevice;
  GIVES(cudaMemcpy3D(&p), cudaErrorInvalidValue);
  CHECK(cudaFreeArray(array));
}

static void textures() {
  int* device;
  CHECK(cudaMalloc(&device, 4096));
  cudaTextureObject_t texture;
  cudaTextureDesc how = {};
  cudaResourceDesc linear = {}, pitched = {};
  linear.resType = cudaResourceTypeLinear;
  linear.res.linear.devPtr = device;
  linear.res.linear.desc = cudaCreateChannelDesc<int>();
  for (size_t bytes : {size_t(4100), two(34), two(34) + 4, most}) {
    linear.res.linear.sizeInBytes = bytes;
    GIVES(cudaCreateTextureObject(&texture, &linear, &how, nullptr), cudaErrorInvalidValue);
  }
  pitched.resType = cudaResourceTypePitch2D;
  pitched.res.pitch2D.devPtr = device;
  pitched.res.pitch2D.desc = cudaCreateChannelDesc<int>();
  for (size_t side : {size_t(1025), two(32) + 4, two(40), most}) {
    pitched.res.pitch2D.pitchInBytes = 64;
    pitched.res.pitch2D.width = side;
    pitched.res.pitch2D.height = 4;
    GIVES(cudaCreateTextureObject(&texture, &pitched, &how, nullptr), cudaErrorInvalidValue);
    pitched.res.pitch2D.width = 4;
    pitched.res.pitch2D.height = side;
    GIVES(cudaCreateTextureObject(&texture, &pitched, &how, nullptr), cudaErrorInvalidValue);
    pitched.res.pitch2D.pitchInBytes = side;
    GIVES(cudaCreateTextureObject(&texture, &pitched, &how, nullptr), cudaErrorInvalidValue);
  }
  CHECK(cudaFree(device));
}

static void hostMemory() {
  static char own[8192];
  for (size_t bytes : {two(40), two(46), most})
    GIVES(cudaHostRegister(own, bytes, 0), cudaErrorInvalidValue);
  GIVES(cudaHostRegister((void*)0x1000, 4096, 0), cudaErrorInvalidValue);
  CHECK(cudaHostRegister(own + 4096, 4096, 0));
  GIVES(cudaHostRegister(own, 8192, 0), cudaErrorHostMemoryAlreadyRegistered);
  CHECK(cudaHostUnregister(own + 4096));
}

static void launches() {
  int* device;
  CHECK(cudaMalloc(&device, 4));
  for (size_t shared : {two(20), two(32), two(32) + 1, most}) {
    first<<<1, 1, shared>>>(device);
    GIVES(cudaGetLastError(), cudaErrorInvalidValue);
    int blocks = 7;
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, (const void*)first, 32, shared));
    GIVES(blocks, 0);
  }
  first<<<1, 1>>>(device);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(device));
}

void testSizes() {
  allocations();
  copiesAndFills();
  arrays();
  textures();
  hostMemory();
  launches();
}

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

void testErrors() {
  int *data, host[64];
  CHECK(cudaMalloc(&data, 64 * sizeof(int)));
  CHECK(cudaMemset(data, 0, 64 * sizeof(int)));

  // A launch that fails to start leaves the device as it was.
  write<<<1, 4096>>>(data, 1);
  GIVES(cudaPeekAtLastError(), cudaErrorInvalidConfiguration);
  GIVES(cudaGetLastError(), cudaErrorInvalidConfiguration);
  GIVES(cudaGetLastError(), cudaSuccess);
  write<<<0, 32>>>(data, 1);
  GIVES(cudaGetLastError(), cudaErrorInvalidConfiguration);
  write<<<1, dim3(1, 1, 100)>>>(data, 1);
  GIVES(cudaGetLastError(), cudaErrorInvalidConfiguration);
  write<<<1, 0>>>(data, 1);
  GIVES(cudaGetLastError(), cudaErrorInvalidConfiguration);
  big<<<1, 32, 1 << 20>>>(data);
  GIVES(cudaGetLastError(), cudaErrorInvalidValue);
  CHECK(cudaDeviceSynchronize());

  // Bad arguments.
  void* p = nullptr;
  GIVES(cudaMalloc(nullptr, 16), cudaErrorInvalidValue);
  GIVES(cudaMalloc(&p, two(60)), cudaErrorMemoryAllocation);
  GIVES(cudaMemcpy(data, host, sizeof host, cudaMemcpyKind(9)), cudaErrorInvalidMemcpyDirection);
  GIVES(cudaMemcpy(nullptr, host, sizeof host, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  GIVES(cudaMemcpy(host, data, 65 * sizeof(int), cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
  GIVES(cudaMemset(data, 0, 65 * sizeof(int)), cudaErrorInvalidValue);
  GIVES(cudaFree(data + 1), cudaErrorInvalidValue);
  GIVES(cudaFree(host), cudaErrorInvalidValue);
  GIVES(cudaFreeHost(host), cudaErrorInvalidValue);
  GIVES(cudaSetDevice(99), cudaErrorInvalidDevice);
  cudaDeviceProp properties;
  GIVES(cudaGetDeviceProperties(&properties, -1), cudaErrorInvalidDevice);
  GIVES(cudaMemcpyToSymbol((const void*)host, host, 4), cudaErrorInvalidSymbol);
  GIVES(cudaGetSymbolAddress(&p, (const void*)"nothing"), cudaErrorInvalidSymbol);
  GIVES(cudaLaunchKernel((const void*)host, dim3(1), dim3(1), nullptr, 0, nullptr),
        cudaErrorInvalidDeviceFunction);
  cudaFuncAttributes attributes;
  GIVES(cudaFuncGetAttributes(&attributes, (const void*)testSizes), cudaErrorInvalidDeviceFunction);
  cudaTextureObject_t texture;
  cudaResourceDesc resource = {};
  cudaTextureDesc how = {};
  resource.resType = cudaResourceTypeArray;
  if (cudaCreateTextureObject(&texture, &resource, &how, nullptr) == cudaSuccess)
    fail("a texture of no array");

  // cudaGetLastError returns the last error although calls have succeeded since.
  GIVES(cudaMemset(data, 0, 65 * sizeof(int)), cudaErrorInvalidValue);
  CHECK(cudaMemset(data, 0, 4));
  GIVES(cudaGetLastError(), cudaErrorInvalidValue);
  if (strcmp(cudaGetErrorName(cudaErrorInvalidValue), "cudaErrorInvalidValue") ||
      strcmp(cudaGetErrorString(cudaErrorMemoryAllocation), "out of memory") ||
      strcmp(cudaGetErrorString(cudaErrorInvalidConfiguration), "invalid configuration argument") ||
      strcmp(cudaGetErrorString(cudaSuccess), "no error"))
    fail("the texts differ");

  // After these errors the device still works.
  write<<<1, 64>>>(data, 64);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(host, data, sizeof host, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 64; ++i)
    if (host[i] != i) fail("element %d is %d", i, host[i]);
}

/// An error within a kernel stays until the device is reset.
void testFault(bool trapping) {
  int *data = newOnDevice<int>(64), host = 0;
  CHECK(cudaMemset(data, 0, 64 * sizeof(int)));
  if (trapping)
    trap<<<1, 32>>>(data);
  else
    write<<<1, 64>>>(data + (1 << 28), 64);
  const cudaError_t error = trapping ? cudaErrorLaunchFailure : cudaErrorIllegalAddress;
  GIVES(cudaDeviceSynchronize(), error);
  GIVES(cudaMemcpy(&host, data, 4, cudaMemcpyDeviceToHost), error);
  GIVES(cudaGetLastError(), error);
  CHECK(cudaDeviceReset());
}

int main() {
  testSizes();
  testErrors();
  testFault(false);
  testFault(true);
  puts("PASS");
}
