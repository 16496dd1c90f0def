// Handles that were never made or are destroyed: modules, functions, streams, events, contexts.
// Each call reports it, and the device stays usable.
#include <cuda.h>
#include <cuda_runtime.h>

#include <cstdio>

static int wrong = 0;
static void expect(const char* what, int got, int wanted, int line) {
  if (got == wanted) return;
  printf("line %d: %s gives %d, expected %d\n", line, what, got, wanted);
  ++wrong;
}
#define EXPECT(call, code) expect(#call, int(call), int(code), __LINE__)
#define FINE(call) EXPECT(call, 0)
#define NO_HANDLE(call) EXPECT(call, cudaErrorInvalidResourceHandle)

__global__ void count(int* data) {
  ++*data;
}

static const char* const ptx = R"(.version 7.0
.target sm_70
.address_size 64
.visible .entry store(.param .u64 to, .param .u32 what) {
  .reg .u64 %d<2>;
  .reg .u32 %r<2>;
  ld.param.u64 %d1, [to];
  ld.param.u32 %r1, [what];
  st.global.u32 [%d1], %r1;
  ret;
}
)";

int main() {
  CUcontext context;
  CUmodule module = nullptr;
  CUfunction function = nullptr;
  FINE(cuInit(0));
  FINE(cuCtxCreate(&context, 0, 0));
  FINE(cuModuleLoadData(&module, ptx));
  FINE(cuModuleGetFunction(&function, module, "store"));
  CUdeviceptr data = 0;
  FINE(cuMemAlloc(&data, 64));
  unsigned what = 7;
  void* parameters[] = {&data, &what};

  const CUfunction wildFunction = (CUfunction)0x1234;
  const CUstream wildStream = (CUstream)0x77;
  NO_HANDLE(cuLaunchKernel(wildFunction, 1, 1, 1, 1, 1, 1, 0, nullptr, parameters, nullptr));
  NO_HANDLE(cuLaunchKernel((CUfunction)module, 1, 1, 1, 1, 1, 1, 0, nullptr, parameters, nullptr));
  NO_HANDLE(cuLaunchKernel(nullptr, 1, 1, 1, 1, 1, 1, 0, nullptr, parameters, nullptr));
  NO_HANDLE(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, wildStream, parameters, nullptr));
  NO_HANDLE(cuLaunchCooperativeKernel(wildFunction, 1, 1, 1, 1, 1, 1, 0, nullptr, parameters));
  NO_HANDLE(cuLaunchCooperativeKernel(function, 1, 1, 1, 1, 1, 1, 0, wildStream, parameters));
  int answer = 0;
  NO_HANDLE(cuFuncGetAttribute(&answer, CU_FUNC_ATTRIBUTE_NUM_REGS, wildFunction));
  NO_HANDLE(cuFuncSetCacheConfig(wildFunction, CU_FUNC_CACHE_PREFER_L1));
  NO_HANDLE(cuOccupancyMaxActiveBlocksPerMultiprocessor(&answer, wildFunction, 32, 0));
  NO_HANDLE(cuModuleGetFunction(&function, (CUmodule)0x1234, "store"));
  NO_HANDLE(cuModuleUnload((CUmodule)0x1234));

  void* holes[] = {&data, nullptr};
  EXPECT(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, holes, nullptr),
         CUDA_ERROR_INVALID_VALUE);
  struct {
    CUdeviceptr to;
    unsigned what;
  } block = {data, 9};
  size_t size = 8;
  void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &block, CU_LAUNCH_PARAM_BUFFER_SIZE, &size,
                   CU_LAUNCH_PARAM_END};
  for (size_t bytes : {size_t(8), size_t(0), ~size_t(0), size_t(1) << 40}) {
    size = bytes;
    EXPECT(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, extra),
           CUDA_ERROR_INVALID_VALUE);
  }
  void* unknown[] = {(void*)55, &block, CU_LAUNCH_PARAM_END};
  EXPECT(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, unknown),
         CUDA_ERROR_INVALID_VALUE);

  // Streams and events of the runtime.
  int* const pointer = reinterpret_cast<int*>(data);
  const cudaStream_t wild = (cudaStream_t)0x77;
  int host[16] = {};
  count<<<1, 1, 0, wild>>>(pointer);
  NO_HANDLE(cudaGetLastError());
  NO_HANDLE(cudaMemcpyAsync(host, pointer, 64, cudaMemcpyDeviceToHost, wild));
  NO_HANDLE(cudaMemcpy2DAsync(host, 8, pointer, 8, 8, 2, cudaMemcpyDeviceToHost, wild));
  NO_HANDLE(cudaMemsetAsync(pointer, 0, 64, wild));
  NO_HANDLE(cudaStreamSynchronize(wild));
  NO_HANDLE(cudaStreamDestroy(wild));
  NO_HANDLE(cudaEventRecord((cudaEvent_t)0x99, nullptr));
  NO_HANDLE(cuMemcpyHtoDAsync(data, host, 64, wildStream));
  NO_HANDLE(cuMemsetD32Async(data, 1, 4, wildStream));
  void* made = nullptr;
  NO_HANDLE(cudaMallocAsync(&made, 64, wild));
  NO_HANDLE(cudaFreeAsync(pointer, wild));
  cudaStream_t gone;
  FINE(cudaStreamCreate(&gone));
  FINE(cudaMemsetAsync(pointer, 0, 64, gone));
  FINE(cudaMemsetAsync(pointer, 0, 64, cudaStreamPerThread));
  FINE(cudaStreamDestroy(gone));
  NO_HANDLE(cudaMemsetAsync(pointer, 0, 64, gone));

  // Unloading a module ends its handles; other handles go on.
  size = 12;
  FINE(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, extra));
  FINE(cuMemcpyDtoH(host, data, 4));
  if (host[0] != 9) printf("%d was stored, expected 9\n", host[0]), ++wrong;
  FINE(cuModuleUnload(module));
  NO_HANDLE(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, parameters, nullptr));
  NO_HANDLE(cuModuleGetFunction(&function, module, "store"));
  FINE(cuCtxDestroy(context));
  EXPECT(cuCtxDestroy(context), CUDA_ERROR_INVALID_CONTEXT);
  EXPECT(cuCtxSetCurrent((CUcontext)0x55), CUDA_ERROR_INVALID_CONTEXT);
  EXPECT(cuModuleLoad(&module, "/"), CUDA_ERROR_FILE_NOT_FOUND);
  cudaGetLastError();
  count<<<1, 1>>>(pointer);
  FINE(cudaDeviceSynchronize());
  FINE(cudaMemcpy(host, pointer, 4, cudaMemcpyDeviceToHost));
  if (host[0] != 10) printf("%d was counted, expected 10\n", host[0]), ++wrong;
  printf(wrong ? "FAIL: %d answers are wrong\n" : "PASS\n", wrong);
  return wrong != 0;
}
