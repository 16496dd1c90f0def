// The driver interface as programs load it at run time: by the name of the library, then each
// function by its name, plain or with CUDA's suffixes.
#include <cuda.h>
#include <dlfcn.h>

#include "check.h"

__global__ void count(int* sum) {
  atomicAdd(sum, 1);
}

template <class Function>
static Function* symbol(void* library, const char* name) {
  void* const found = dlsym(library, name);
  if (found == nullptr) fail("no function %s", name);
  return reinterpret_cast<Function*>(found);
}
static void* address(const char* name, int version = CUDA_VERSION) {
  void* found = nullptr;
  CUdriverProcAddressQueryResult status;
  GIVES(cuGetProcAddress(name, &found, version, CU_GET_PROC_ADDRESS_DEFAULT, &status), 0);
  EXPECT(found != nullptr && status == CU_GET_PROC_ADDRESS_SUCCESS);
  return found;
}

static void useDriver(void* library) {
  GIVES(symbol<decltype(cuInit)>(library, "cuInit")(0), 0);
  CUdeviceptr memory = 0;
  GIVES(symbol<decltype(cuMemAlloc)>(library, "cuMemAlloc_v2")(&memory, 64), 0);
  GIVES(symbol<decltype(cuMemsetD32)>(library, "cuMemsetD32_v2_ptds")(memory, 5, 16), 0);
  int sum = 0;
  GIVES(symbol<decltype(cuMemcpyDtoH)>(library, "cuMemcpyDtoH_v2")(&sum, memory, 4), 0);
  EXPECT(sum == 5);
  GIVES(symbol<decltype(cuStreamSynchronize)>(library, "cuStreamSynchronize_ptsz")(nullptr), 0);
  GIVES(symbol<decltype(cuMemFree)>(library, "cuMemFree_v2")(memory), 0);
}

int main() {
  for (const char* name : {"libcuda.so.1", "libcuda.so"}) {
    void* const library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) fail("%s: %s", name, dlerror());
    useDriver(library);
    dlclose(library);
  }
  void* const runtime = dlopen("libcudart.so.12", RTLD_LAZY);
  EXPECT(runtime != nullptr);
  void* memory = nullptr;
  CHECK(symbol<cudaError_t(void**, size_t)>(runtime, "cudaMalloc")(&memory, 4));
  CHECK(cudaMemset(memory, 0, 4));
  count<<<2, 64>>>(static_cast<int*>(memory));
  EXPECT(toHost(static_cast<int*>(memory), 1)[0] == 128);

  void* const library = dlopen("libcuda.so.1", RTLD_NOW);
  EXPECT(address("cuMemAlloc_v2") == dlsym(library, "cuMemAlloc_v2"));
  EXPECT(address("cuMemcpyHtoDAsync_v2_ptsz") == dlsym(library, "cuMemcpyHtoDAsync_v2_ptsz"));
  EXPECT(address("cuLaunchKernel") != nullptr && address("cuTensorMapEncodeTiled") != nullptr);
  // Functions whose arguments changed with a version.
  EXPECT(address("cuGetProcAddress", 11030) == dlsym(library, "cuGetProcAddress"));
  EXPECT(address("cuGetProcAddress") == dlsym(library, "cuGetProcAddress_v2"));
  EXPECT(address("cuCtxCreate", 13000) != address("cuCtxCreate", 12000));
  void* found = nullptr;
  GIVES(cuGetProcAddress("cuNoSuchFunction", &found, CUDA_VERSION, 0, nullptr),
        CUDA_ERROR_NOT_FOUND);
  GIVES(cuGetProcAddress("cudaMalloc", &found, CUDA_VERSION, 0), CUDA_ERROR_NOT_FOUND);
  cudaDriverEntryPointQueryResult status;
  CHECK(cudaGetDriverEntryPointByVersion("cuMemFree", &found, 12000, cudaEnableDefault, &status));
  EXPECT(status == cudaDriverEntryPointSuccess && found != nullptr);
  puts("PASS");
}
