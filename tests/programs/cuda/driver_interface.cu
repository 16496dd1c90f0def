// The driver interface: PTX text as a module, functions and variables by name, parameters in an
// array and in a buffer. Kernels of the runtime use the same memory.
#include <cuda.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#define CU(call)                                                             \
  do {                                                                       \
    CUresult r = (call);                                                     \
    if (r != CUDA_SUCCESS) {                                                 \
      const char* name = nullptr;                                            \
      cuGetErrorName(r, &name);                                              \
      printf("FAIL: line %d: %s: %s\n", __LINE__, #call, name ? name : "?"); \
      exit(1);                                                               \
    }                                                                        \
  } while (0)

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
)";

__global__ void halve(float* data, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] *= 0.5f;
}

int main(int argc, char** argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 500;
  CU(cuInit(0));
  int devices = 0, version = 0, major = 0, minor = 0;
  CU(cuDeviceGetCount(&devices));
  CU(cuDriverGetVersion(&version));
  CUdevice device;
  CU(cuDeviceGet(&device, 0));
  char name[100];
  size_t memory = 0;
  CU(cuDeviceGetName(name, sizeof name, device));
  CU(cuDeviceTotalMem(&memory, device));
  CU(cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device));
  CU(cuDeviceGetAttribute(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device));
  fprintf(stderr, "%d device(s), %s, %d.%d, %zu MiB, driver %d\n", devices, name, major, minor,
          memory >> 20, version);
  CUcontext context;
  CU(cuCtxCreate(&context, 0, device));

  CUmodule module;
  char log[512] = "";
  CUjit_option options[] = {CU_JIT_INFO_LOG_BUFFER, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES};
  void* values[] = {log, (void*)sizeof log};
  CU(cuModuleLoadDataEx(&module, ptx, 2, options, values));
  CUfunction function;
  CU(cuModuleGetFunction(&function, module, "scale"));
  if (cuModuleGetFunction(&function, module, "nothing") != CUDA_ERROR_NOT_FOUND)
    return puts("FAIL: a function that is not there is found"), 1;
  CU(cuModuleGetFunction(&function, module, "scale"));
  int most = 0;
  CU(cuFuncGetAttribute(&most, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, function));
  if (most < 256) return printf("FAIL: blocks of %d threads at most\n", most), 1;
  CUdeviceptr launches, factor;
  size_t bytes = 0;
  CU(cuModuleGetGlobal(&launches, &bytes, module, "launches"));
  if (bytes != 4) return printf("FAIL: a variable of %zu bytes\n", bytes), 1;

  std::vector<float> host(n), got(n);
  for (int i = 0; i < n; ++i) host[i] = float(i);
  CUdeviceptr data;
  CU(cuMemAlloc(&data, n * sizeof(float)));
  CU(cuMemcpyHtoD(data, host.data(), n * sizeof(float)));
  CUstream stream;
  CUevent start, stop;
  CU(cuStreamCreate(&stream, CU_STREAM_DEFAULT));
  CU(cuEventCreate(&start, CU_EVENT_DEFAULT));
  CU(cuEventCreate(&stop, CU_EVENT_DEFAULT));
  CU(cuEventRecord(start, stream));
  unsigned count = n;
  float shift = 1;
  void* parameters[] = {&data, &count, &shift};
  CU(cuLaunchKernel(function, (n + 127) / 128, 1, 1, 128, 1, 1, 0, stream, parameters, nullptr));
  // A launch with its parameters in a buffer, and another factor and shift.
  float three = 3;
  CU(cuModuleGetGlobal(&factor, &bytes, module, "factor"));
  CU(cuMemcpyHtoD(factor, &three, bytes));
  struct {
    CUdeviceptr data;
    unsigned count;
    float shift;
  } buffer = {data, count, -4};
  size_t size = sizeof buffer;
  void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &buffer, CU_LAUNCH_PARAM_BUFFER_SIZE, &size,
                   CU_LAUNCH_PARAM_END};
  CU(cuLaunchKernel(function, (n + 127) / 128, 1, 1, 128, 1, 1, 0, stream, nullptr, extra));
  CU(cuEventRecord(stop, stream));
  CU(cuEventSynchronize(stop));
  float ms = -1;
  CU(cuEventElapsedTime(&ms, start, stop));
  CU(cuStreamSynchronize(stream));
  halve<<<(n + 127) / 128, 128>>>((float*)data, n);  // a runtime launch on the driver's memory
  if (cudaGetLastError() != cudaSuccess) return puts("FAIL: the runtime's launch"), 1;
  CU(cuCtxSynchronize());
  CU(cuMemcpyDtoH(got.data(), data, n * sizeof(float)));
  unsigned times = 0;
  CU(cuMemcpyDtoH(&times, launches, sizeof times));
  for (int i = 0; i < n; ++i) {
    const float e = 0.5f * (3 * (2.5f * i + 1) - 4);
    if (got[i] != e) return printf("FAIL: element %d is %g, expected %g\n", i, got[i], e), 1;
  }
  if (times != 2 || ms < 0) return printf("FAIL: %u launches in %g ms\n", times, ms), 1;
  if (cuModuleLoadData(&module, ".version 6.0\n.target sm_70\n.entry broken( {") !=
      CUDA_ERROR_INVALID_PTX)
    return puts("FAIL: broken PTX is taken"), 1;
  CU(cuMemsetD32(data, 7, n));
  CU(cuMemcpyDtoH(got.data(), data, n * sizeof(float)));
  unsigned word;
  memcpy(&word, &got[n - 1], 4);
  if (word != 7) return puts("FAIL: the fill"), 1;
  CU(cuEventDestroy(start));
  CU(cuEventDestroy(stop));
  CU(cuStreamDestroy(stream));
  CU(cuMemFree(data));
  CU(cuModuleUnload(module));
  CU(cuCtxDestroy(context));
  puts("PASS");
  return 0;
}
