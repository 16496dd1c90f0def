// The driver interface: modules of PTX text, functions and variables by name, launches; and handles
// that were never made or are destroyed.
#include <cuda.h>

#include <cstring>

#include "check.h"

static const char* const ptx = R"(
.version 6.0
.target sm_70
.address_size 64

.visible .global .align 4 .u32 launches;
.visible .const .align 4 .f32 factor = 0f40200000;  // 2.5

.visible .entry scale(.param .u64 data, .param .u32 count, .param .f32 shift)
{
  .reg .pred %p<3>;
  .reg .b32 %r<8>;
  .reg .f32 %f<5>;
  .reg .b64 %rd<8>;

  ld.param.u64 %rd1, [data];
  ld.param.u32 %r1, [count];
  ld.param.f32 %f1, [shift];
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %ntid.x;
  mov.u32 %r4, %tid.x;
  mad.lo.s32 %r5, %r2, %r3, %r4;
  setp.ge.u32 %p1, %r5, %r1;
  @%p1 bra DONE;
  cvta.to.global.u64 %rd2, %rd1;
  mul.wide.u32 %rd3, %r5, 4;
  add.s64 %rd4, %rd2, %rd3;
  ld.global.f32 %f2, [%rd4];
  ld.const.f32 %f3, [factor];
  fma.rn.f32 %f4, %f2, %f3, %f1;
  st.global.f32 [%rd4], %f4;
  setp.ne.u32 %p2, %r5, 0;
  @%p2 bra DONE;
  mov.u64 %rd5, launches;
  atom.global.add.u32 %r6, [%rd5], 1;
DONE:
  ret;
}

.visible .entry store(.param .u64 to, .param .u32 what)
{
  .reg .u64 %d<2>;
  .reg .u32 %r<2>;
  ld.param.u64 %d1, [to];
  ld.param.u32 %r1, [what];
  st.global.u32 [%d1], %r1;
  ret;
}
)";

// Two texts for cuLink*. Each has a variable of its own by the name `step`.
static const char* const caller = R"(
.version 6.0
.target sm_70
.address_size 64
.extern .func (.param .b32 result) next(.param .b32 of);
.global .align 4 .u32 step = 100;
.visible .entry both(.param .u64 to)
{
  .reg .b32 %r<4>;
  .reg .b64 %rd<2>;
  .param .b32 argument;
  .param .b32 answer;
  ld.param.u64 %rd1, [to];
  ld.global.u32 %r1, [step];
  st.param.b32 [argument], %r1;
  call.uni (answer), next, (argument);
  ld.param.b32 %r2, [answer];
  st.global.u32 [%rd1], %r2;
  ret;
}
)";
static const char* const callee = R"(
.version 6.3
.target sm_60
.address_size 64
.global .align 4 .u32 step = 3;
.visible .func (.param .b32 result) next(.param .b32 of)
{
  .reg .b32 %r<4>;
  ld.param.b32 %r1, [of];
  ld.global.u32 %r2, [step];
  add.u32 %r3, %r1, %r2;
  st.param.b32 [result], %r3;
  ret;
}
)";

__global__ void halve(float* data, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] *= 0.5f;
}

void testModule() {
  const int n = 500;
  CHECK(cuInit(0));
  int devices = 0, version = 0, major = 0, minor = 0;
  CHECK(cuDeviceGetCount(&devices));
  CHECK(cuDriverGetVersion(&version));
  CUdevice device;
  CHECK(cuDeviceGet(&device, 0));
  char name[100];
  size_t memory = 0;
  CHECK(cuDeviceGetName(name, sizeof name, device));
  CHECK(cuDeviceTotalMem(&memory, device));
  CHECK(cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device));
  CHECK(cuDeviceGetAttribute(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device));
  fprintf(stderr, "%d device(s), %s, %d.%d, %zu MiB, driver %d\n", devices, name, major, minor,
          memory >> 20, version);
  CUcontext context;
  CHECK(cuCtxCreate(&context, 0, device));

  CUmodule module;
  char log[512] = "";
  CUjit_option options[] = {CU_JIT_INFO_LOG_BUFFER, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES};
  void* values[] = {log, (void*)sizeof log};
  CHECK(cuModuleLoadDataEx(&module, ptx, 2, options, values));
  CUfunction function;
  CHECK(cuModuleGetFunction(&function, module, "scale"));
  GIVES(cuModuleGetFunction(&function, module, "nothing"), CUDA_ERROR_NOT_FOUND);
  CHECK(cuModuleGetFunction(&function, module, "scale"));
  int most = 0;
  CHECK(cuFuncGetAttribute(&most, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, function));
  if (most < 256) fail("blocks of %d threads at most", most);
  CUdeviceptr launches, factor;
  size_t bytes = 0;
  CHECK(cuModuleGetGlobal(&launches, &bytes, module, "launches"));
  if (bytes != 4) fail("a variable of %zu bytes", bytes);

  std::vector<float> host(n), got(n);
  for (int i = 0; i < n; ++i) host[i] = float(i);
  CUdeviceptr data;
  CHECK(cuMemAlloc(&data, n * sizeof(float)));
  CHECK(cuMemcpyHtoD(data, host.data(), n * sizeof(float)));
  CUstream stream;
  CUevent start, stop;
  CHECK(cuStreamCreate(&stream, CU_STREAM_DEFAULT));
  CHECK(cuEventCreate(&start, CU_EVENT_DEFAULT));
  CHECK(cuEventCreate(&stop, CU_EVENT_DEFAULT));
  CHECK(cuEventRecord(start, stream));
  unsigned count = n;
  float shift = 1;
  void* parameters[] = {&data, &count, &shift};
  CHECK(cuLaunchKernel(function, (n + 127) / 128, 1, 1, 128, 1, 1, 0, stream, parameters, nullptr));
  // A launch with its parameters in a buffer, and another factor and shift.
  float three = 3;
  CHECK(cuModuleGetGlobal(&factor, &bytes, module, "factor"));
  CHECK(cuMemcpyHtoD(factor, &three, bytes));
  struct {
    CUdeviceptr data;
    unsigned count;
    float shift;
  } buffer = {data, count, -4};
  size_t size = sizeof buffer;
  void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &buffer, CU_LAUNCH_PARAM_BUFFER_SIZE, &size,
                   CU_LAUNCH_PARAM_END};
  CHECK(cuLaunchKernel(function, (n + 127) / 128, 1, 1, 128, 1, 1, 0, stream, nullptr, extra));
  CHECK(cuEventRecord(stop, stream));
  CHECK(cuEventSynchronize(stop));
  float ms = -1;
  CHECK(cuEventElapsedTime(&ms, start, stop));
  CHECK(cuStreamSynchronize(stream));
  halve<<<(n + 127) / 128, 128>>>((float*)data, n);  // a runtime launch on the driver's memory
  CHECK(cudaGetLastError());
  CHECK(cuCtxSynchronize());
  CHECK(cuMemcpyDtoH(got.data(), data, n * sizeof(float)));
  unsigned times = 0;
  CHECK(cuMemcpyDtoH(&times, launches, sizeof times));
  for (int i = 0; i < n; ++i) {
    const float e = 0.5f * (3 * (2.5f * i + 1) - 4);
    if (got[i] != e) fail("element %d is %g, expected %g", i, got[i], e);
  }
  if (times != 2 || ms < 0) fail("%u launches in %g ms", times, ms);
  GIVES(cuModuleLoadData(&module, ".version 6.0\n.target sm_70\n.entry broken( {"),
        CUDA_ERROR_INVALID_PTX);
  CHECK(cuMemsetD32(data, 7, n));
  CHECK(cuMemcpyDtoH(got.data(), data, n * sizeof(float)));
  unsigned word;
  memcpy(&word, &got[n - 1], 4);
  if (word != 7) fail("the fill");
  CHECK(cuEventDestroy(start));
  CHECK(cuEventDestroy(stop));
  CHECK(cuStreamDestroy(stream));
  CHECK(cuMemFree(data));
  CHECK(cuModuleUnload(module));
  CHECK(cuCtxDestroy(context));
}

#define NO_HANDLE(call) GIVES(call, cudaErrorInvalidResourceHandle)

__global__ void count(int* data) {
  ++*data;
}

void testHandles() {
  CUcontext context;
  CUmodule module = nullptr;
  CUfunction function = nullptr;
  CHECK(cuInit(0));
  CHECK(cuCtxCreate(&context, 0, 0));
  CHECK(cuModuleLoadData(&module, ptx));
  CHECK(cuModuleGetFunction(&function, module, "store"));
  CUdeviceptr data = 0;
  CHECK(cuMemAlloc(&data, 64));
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
  GIVES(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, holes, nullptr),
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
    GIVES(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, extra),
          CUDA_ERROR_INVALID_VALUE);
  }
  void* unknown[] = {(void*)55, &block, CU_LAUNCH_PARAM_END};
  GIVES(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, unknown),
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
  CHECK(cudaStreamCreate(&gone));
  CHECK(cudaMemsetAsync(pointer, 0, 64, gone));
  CHECK(cudaMemsetAsync(pointer, 0, 64, cudaStreamPerThread));
  CHECK(cudaStreamDestroy(gone));
  NO_HANDLE(cudaMemsetAsync(pointer, 0, 64, gone));

  // Unloading a module ends its handles; other handles go on.
  size = 12;
  CHECK(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, extra));
  CHECK(cuMemcpyDtoH(host, data, 4));
  EXPECT(host[0] == 9);
  CHECK(cuModuleUnload(module));
  NO_HANDLE(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, parameters, nullptr));
  NO_HANDLE(cuModuleGetFunction(&function, module, "store"));
  CHECK(cuCtxDestroy(context));
  GIVES(cuCtxDestroy(context), CUDA_ERROR_INVALID_CONTEXT);
  GIVES(cuCtxSetCurrent((CUcontext)0x55), CUDA_ERROR_INVALID_CONTEXT);
  GIVES(cuModuleLoad(&module, "/"), CUDA_ERROR_FILE_NOT_FOUND);
  cudaGetLastError();
  count<<<1, 1>>>(pointer);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaMemcpy(host, pointer, 4, cudaMemcpyDeviceToHost));
  EXPECT(host[0] == 10);
}

static void testLink() {
  CUlinkState link;
  CHECK(cuLinkCreate(0, nullptr, nullptr, &link));
  CHECK(cuLinkAddData(link, CU_JIT_INPUT_PTX, (void*)caller, strlen(caller) + 1, "caller", 0,
                      nullptr, nullptr));
  void* image;
  size_t bytes;
  GIVES(cuLinkComplete(link, &image, &bytes), CUDA_ERROR_INVALID_PTX);  // `next` is missing
  CHECK(cuLinkAddData(link, CU_JIT_INPUT_PTX, (void*)callee, strlen(callee) + 1, "callee", 0,
                      nullptr, nullptr));
  GIVES(cuLinkAddData(link, CU_JIT_INPUT_CUBIN, (void*)callee, 4, "", 0, nullptr, nullptr),
        CUDA_ERROR_INVALID_IMAGE);
  CHECK(cuLinkComplete(link, &image, &bytes));
  CUmodule module;
  CHECK(cuModuleLoadData(&module, image));
  CHECK(cuLinkDestroy(link));
  NO_HANDLE(cuLinkDestroy(link));
  CUfunction both;
  CHECK(cuModuleGetFunction(&both, module, "both"));
  CUdeviceptr data;
  CHECK(cuMemAlloc(&data, 4));
  void* parameters[] = {&data};
  CHECK(cuLaunchKernel(both, 1, 1, 1, 1, 1, 1, 0, nullptr, parameters, nullptr));
  int host = 0;
  CHECK(cuMemcpyDtoH(&host, data, 4));
  EXPECT(host == 103);
  CHECK(cuModuleUnload(module));
}

int main() {
  testModule();
  testLink();
  testHandles();
  puts("PASS");
}
