// CUDA 12's surface: what is not supported compiles, answers cudaErrorNotSupported, and leaves the
// rest of the program right.
#include <cuda.h>

#include <cstdint>

#include "check.h"

// A function of the program that has a name of the headers.
static __device__ __inline__ uint64_t __globaltimer() {
  return 7;
}
__global__ __block_size__((8, 4, 1)) void sized(uint64_t* to) {
  *to = 1;
}
__global__ void store(uint64_t* to) {
  *to = __globaltimer();
}

static void refusedCalls() {
  cudaStreamAttrValue value = {};
  value.accessPolicyWindow.num_bytes = 64;
  GIVES(cudaStreamSetAttribute(nullptr, cudaStreamAttributeAccessPolicyWindow, &value),
        cudaErrorNotSupported);
  CUmemGenericAllocationHandle handle = 0;
  GIVES(cuMemImportFromShareableHandle(&handle, nullptr, CU_MEM_HANDLE_TYPE_NONE),
        CUDA_ERROR_NOT_SUPPORTED);
  GIVES(cudaGetLastError(), cudaErrorNotSupported);
  const CUmulticastObjectProp devices = {};
  GIVES(cuMulticastCreate(&handle, &devices), CUDA_ERROR_NOT_SUPPORTED);
  int supported = 1;
  GIVES(cuDeviceGetAttribute(&supported, CU_DEVICE_ATTRIBUTE_MULTICAST_SUPPORTED, 0), CUDA_SUCCESS);
  EXPECT(supported == 0);
}

int main() {
  EXPECT(CUDART_VERSION == 12080 && CUDA_VERSION == 12080 && __CUDACC_VER_MAJOR__ == 12);
  refusedCalls();
  CUcontext context = nullptr;
  CUctxCreateParams parameters = {};
  GIVES(cuCtxCreate(&context, &parameters, 0, 0), CUDA_SUCCESS);
  cudaDeviceProp device;
  CHECK(cudaGetDeviceProperties(&device, 0));
  EXPECT(device.major == 7 && device.minor == 0 && device.concurrentKernels == 1);
  EXPECT(device.deviceOverlap == 1 && device.asyncEngineCount == 2);
  uint64_t* const to = newOnDevice<uint64_t>(1);
  cudaMemLocation place = {};
  place.type = cudaMemLocationTypeDevice;
  EXPECT(place.type == 1 && CU_COMPUTEMODE_PROHIBITED == 2);
  int* shared = nullptr;
  CHECK(cudaMallocManaged(&shared, 64));
  CHECK(cudaMemPrefetchAsync(shared, 64, place, 0));
  CHECK(cudaMemAdvise(shared, 64, cudaMemAdviseSetPreferredLocation, place));
  int maps = 0, decompresses = 1;
  GIVES(cuDeviceGetAttribute(&maps, CU_DEVICE_ATTRIBUTE_VIRTUAL_ADDRESS_MANAGEMENT_SUPPORTED, 0),
        CUDA_SUCCESS);
  GIVES(cuDeviceGetAttribute(&decompresses, CU_DEVICE_ATTRIBUTE_MEM_DECOMPRESS_ALGORITHM_MASK, 0),
        CUDA_SUCCESS);
  EXPECT(maps == 1 && decompresses == 0 && CU_LIMIT_SHMEM_SIZE == 7 && CUDA_R_8F_E4M3 == 28);
  sized<<<1, dim3(8, 4)>>>(to);
  CHECK(cudaGetLastError());
  sized<<<1, 31>>>(to);
  EXPECT(cudaGetLastError() != cudaSuccess);
  const float* numbers = nullptr;
  CHECK(cudaMalloc(&numbers, 64));
  store<<<1, 1>>>(to);
  EXPECT(toHost(to, 1)[0] == 7);
  std::puts("PASS");
}
