// Sizes beyond any device, and sizes whose sums or products exceed 64 bits: each gives an error,
// and nothing is allocated, read or written.
#include <cuda.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>
#include <initializer_list>
#include <vector>

static int wrong = 0;
static void expect(const char* what, int got, int wanted, int line) {
  if (got == wanted) return;
  printf("line %d: %s gives %d, expected %d\n", line, what, got, wanted);
  ++wrong;
}
#define EXPECT(call, code) expect(#call, int(call), int(code), __LINE__)
#define FINE(call) EXPECT(call, cudaSuccess)

__global__ void first(int* data) {
  *data = 1;
}

const size_t most = ~size_t(0);
const size_t huge[] = {most,
                       most - 1,
                       most - 511,
                       most - 512,
                       most - 513,
                       size_t(1) << 63,
                       (size_t(1) << 63) + 512,
                       size_t(1) << 62,
                       (size_t(1) << 62) + 1,
                       size_t(1) << 40,
                       size_t(1) << 33};
const size_t sides[] = {
    1, 2, 3, size_t(1) << 31, size_t(1) << 32, size_t(1) << 62, size_t(1) << 63, most};

static void allocations() {
  void* p = nullptr;
  size_t pitch = 7;
  for (size_t w : huge) {
    EXPECT(cudaMalloc(&p, w), cudaErrorMemoryAllocation);
    EXPECT(cudaMallocManaged(&p, w), cudaErrorMemoryAllocation);
    if (w > size_t(1) << 36) EXPECT(cudaMallocHost(&p, w), cudaErrorMemoryAllocation);
    for (size_t h : sides) {
      EXPECT(cudaMallocPitch(&p, &pitch, w, h), cudaErrorMemoryAllocation);
      EXPECT(cudaMallocPitch(&p, &pitch, h, w), cudaErrorMemoryAllocation);
      CUdeviceptr q = 0;
      EXPECT(cuMemAllocPitch(&q, &pitch, w, h, 4), CUDA_ERROR_OUT_OF_MEMORY);
      for (size_t d : sides) {
        cudaPitchedPtr to;
        EXPECT(cudaMalloc3D(&to, make_cudaExtent(w, h, d)), cudaErrorMemoryAllocation);
        EXPECT(cudaMalloc3D(&to, make_cudaExtent(d, h, w)), cudaErrorMemoryAllocation);
      }
    }
  }
  if (p != nullptr || pitch != 7) puts("a refused allocation has a pointer or a pitch"), ++wrong;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
  cudaArray_t array;
  for (size_t w : huge) {
    EXPECT(cudaMallocArray(&array, &format, w, 4), cudaErrorInvalidValue);
    EXPECT(cudaMallocArray(&array, &format, 4, w), cudaErrorInvalidValue);
    EXPECT(cudaMalloc3DArray(&array, &format, make_cudaExtent(4, 4, w)), cudaErrorInvalidValue);
  }
  EXPECT(cudaMalloc3DArray(&array, &format, make_cudaExtent(131072, 131072, 16384)),
         cudaErrorMemoryAllocation);
  size_t left = 0, all = 0;
  FINE(cudaMemGetInfo(&left, &all));
  if (left != all) printf("%zu bytes are taken\n", all - left), ++wrong;
}

static void copiesAndFills() {
  std::vector<char> host(4096);
  char* device;
  FINE(cudaMalloc(&device, 4096));
  for (size_t pitch : {most, most - 63, size_t(1) << 63, size_t(1) << 62, size_t(1) << 32}) {
    EXPECT(cudaMemset2D(device, pitch, 1, 64, 2), cudaErrorInvalidPitchValue);
    EXPECT(cudaMemcpy2D(host.data(), 64, device, pitch, 64, 2, cudaMemcpyDeviceToHost),
           cudaErrorInvalidPitchValue);
    EXPECT(cudaMemcpy2D(device, 64, host.data(), pitch, 64, 2, cudaMemcpyHostToDevice),
           cudaErrorInvalidPitchValue);
    EXPECT(cudaMemcpy2D(host.data(), pitch, host.data(), 64, 64, 2, cudaMemcpyHostToHost),
           cudaErrorInvalidPitchValue);
  }
  EXPECT(cudaMemset2D(device, 63, 1, 64, 2), cudaErrorInvalidPitchValue);
  for (size_t rows : {size_t(65), size_t(1) << 58, (size_t(1) << 58) + 1, size_t(1) << 62, most}) {
    EXPECT(cudaMemset2D(device, 64, 1, 64, rows), cudaErrorInvalidValue);
    EXPECT(cudaMemcpy2D(host.data(), 64, device, 64, 64, rows, cudaMemcpyDeviceToHost),
           cudaErrorInvalidValue);
    EXPECT(cudaMemcpy2D(device, 64, host.data(), 64, 64, rows, cudaMemcpyHostToDevice),
           cudaErrorInvalidValue);
    const cudaPitchedPtr all = make_cudaPitchedPtr(device, 64, 64, 64);
    EXPECT(cudaMemset3D(all, 1, make_cudaExtent(64, 64, rows)), cudaErrorInvalidValue);
  }
  for (size_t count : {size_t(4097), most, most - 4095, size_t(1) << 63}) {
    EXPECT(cudaMemcpy(host.data(), device, count, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
    EXPECT(cudaMemset(device, 1, count), cudaErrorInvalidValue);
  }
  const CUdeviceptr q = reinterpret_cast<CUdeviceptr>(device);
  for (size_t count : {size_t(1025), size_t(1) << 62, (size_t(1) << 62) + 1, most})
    EXPECT(cuMemsetD32(q, 1, count), CUDA_ERROR_INVALID_VALUE);
  for (size_t count : {size_t(2049), size_t(1) << 63, (size_t(1) << 63) + 1})
    EXPECT(cuMemsetD16(q, 1, count), CUDA_ERROR_INVALID_VALUE);
  CUDA_MEMCPY2D c = {};
  c.srcMemoryType = CU_MEMORYTYPE_DEVICE, c.srcDevice = q, c.srcPitch = 64;
  c.dstMemoryType = CU_MEMORYTYPE_HOST, c.dstHost = host.data(), c.dstPitch = 64;
  c.WidthInBytes = 64, c.Height = 2;
  FINE(cuMemcpy2D(&c));
  for (size_t y : {size_t(63), size_t(1) << 58, (size_t(1) << 58) + 62, most}) {
    c.srcY = y;
    EXPECT(cuMemcpy2D(&c), CUDA_ERROR_INVALID_VALUE);
  }
  FINE(cudaFree(device));
}

static void arrays() {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
  std::vector<int> host(64 * 64, 5);
  cudaArray_t array;
  FINE(cudaMallocArray(&array, &format, 16, 4));
  FINE(cudaMemcpyToArray(array, 0, 0, host.data(), 256, cudaMemcpyHostToDevice));
  std::vector<int> other(64, 9), got(64);
  for (size_t count : {size_t(257), size_t(1) << 62, most}) {
    EXPECT(cudaMemcpyToArray(array, 0, 0, other.data(), count, cudaMemcpyHostToDevice),
           cudaErrorInvalidValue);
  }
  EXPECT(cudaMemcpyToArray(array, 64, 0, other.data(), 4, cudaMemcpyHostToDevice),
         cudaErrorInvalidValue);
  FINE(cudaMemcpyFromArray(got.data(), array, 0, 0, 256, cudaMemcpyDeviceToHost));
  for (int word : got)
    if (word != 5) ++wrong;  // a refused copy must write nothing
  for (size_t at : {size_t(1) << 62, (size_t(1) << 62) + 1, most, size_t(17)}) {
    cudaMemcpy3DParms p = {};
    p.srcPtr = make_cudaPitchedPtr(host.data(), 64, 16, 4);
    p.dstArray = array;
    p.extent = make_cudaExtent(1, 1, 1);
    p.kind = cudaMemcpyHostToDevice;
    FINE(cudaMemcpy3D(&p));
    p.dstPos.x = at;
    EXPECT(cudaMemcpy3D(&p), cudaErrorInvalidValue);
    p.dstPos.x = 0;
    p.extent.width = at;
    EXPECT(cudaMemcpy3D(&p), cudaErrorInvalidValue);
  }
  cudaMemcpy3DParms p = {};
  p.srcPtr = make_cudaPitchedPtr(host.data(), most, most, most);
  p.dstArray = array;
  p.extent = make_cudaExtent(1, 1, 1);
  p.kind = cudaMemcpyHostToDevice;
  EXPECT(cudaMemcpy3D(&p), cudaErrorInvalidValue);
  FINE(cudaFreeArray(array));
}

static void textures() {
  int* device;
  FINE(cudaMalloc(&device, 4096));
  cudaTextureObject_t texture;
  cudaTextureDesc how = {};
  cudaResourceDesc linear = {}, pitched = {};
  linear.resType = cudaResourceTypeLinear;
  linear.res.linear.devPtr = device;
  linear.res.linear.desc = cudaCreateChannelDesc<int>();
  for (size_t bytes : {size_t(4100), size_t(1) << 34, (size_t(1) << 34) + 4, most}) {
    linear.res.linear.sizeInBytes = bytes;
    EXPECT(cudaCreateTextureObject(&texture, &linear, &how, nullptr), cudaErrorInvalidValue);
  }
  pitched.resType = cudaResourceTypePitch2D;
  pitched.res.pitch2D.devPtr = device;
  pitched.res.pitch2D.desc = cudaCreateChannelDesc<int>();
  for (size_t side : {size_t(1025), (size_t(1) << 32) + 4, size_t(1) << 40, most}) {
    pitched.res.pitch2D.pitchInBytes = 64;
    pitched.res.pitch2D.width = side;
    pitched.res.pitch2D.height = 4;
    EXPECT(cudaCreateTextureObject(&texture, &pitched, &how, nullptr), cudaErrorInvalidValue);
    pitched.res.pitch2D.width = 4;
    pitched.res.pitch2D.height = side;
    EXPECT(cudaCreateTextureObject(&texture, &pitched, &how, nullptr), cudaErrorInvalidValue);
    pitched.res.pitch2D.pitchInBytes = side;
    EXPECT(cudaCreateTextureObject(&texture, &pitched, &how, nullptr), cudaErrorInvalidValue);
  }
  FINE(cudaFree(device));
}

static void hostMemory() {
  static char own[8192];
  for (size_t bytes : {size_t(1) << 40, size_t(1) << 46, most})
    EXPECT(cudaHostRegister(own, bytes, 0), cudaErrorInvalidValue);
  EXPECT(cudaHostRegister((void*)0x1000, 4096, 0), cudaErrorInvalidValue);
  FINE(cudaHostRegister(own + 4096, 4096, 0));
  EXPECT(cudaHostRegister(own, 8192, 0), cudaErrorHostMemoryAlreadyRegistered);
  FINE(cudaHostUnregister(own + 4096));
}

static void launches() {
  int* device;
  FINE(cudaMalloc(&device, 4));
  for (size_t shared : {size_t(1) << 20, size_t(1) << 32, (size_t(1) << 32) + 1, most}) {
    first<<<1, 1, shared>>>(device);
    EXPECT(cudaGetLastError(), cudaErrorInvalidValue);
    int blocks = 7;
    FINE(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, (const void*)first, 32, shared));
    EXPECT(blocks, 0);
  }
  first<<<1, 1>>>(device);
  FINE(cudaDeviceSynchronize());
  FINE(cudaFree(device));
}

int main() {
  allocations();
  copiesAndFills();
  arrays();
  textures();
  hostMemory();
  launches();
  printf(wrong ? "FAIL: %d answers are wrong\n" : "PASS\n", wrong);
  return wrong != 0;
}
