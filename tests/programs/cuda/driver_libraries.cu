// Libraries of the driver interface, several attributes of a pointer at once, contexts of streams,
// and functions found by name as CCCL finds them.
#include <cuda.h>

#include <cstring>

#include "check.h"

#define DRIVER(call) GIVES(call, CUDA_SUCCESS)

const char* const kPtx = R"(
.version 7.0
.target sm_70
.address_size 64
.visible .global .align 4 .u32 factor = 3;
.visible .entry times(.param .u64 at) {
  .reg .b64 %rd<4>;
  .reg .b32 %r<5>;
  ld.param.u64 %rd1, [at];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd2, %r1, 4;
  add.s64 %rd3, %rd1, %rd2;
  ld.global.u32 %r2, [factor];
  mul.lo.u32 %r3, %r1, %r2;
  st.global.u32 [%rd3], %r3;
  ret;
}
)";

static void libraries() {
  CUlibrary library, other;
  CUkernel kernel;
  CUfunction function;
  DRIVER(cuLibraryLoadData(&library, kPtx, nullptr, nullptr, 0, nullptr, nullptr, 0));
  GIVES(cuLibraryGetKernel(&kernel, library, "nothing"), CUDA_ERROR_NOT_FOUND);
  DRIVER(cuLibraryGetKernel(&kernel, library, "times"));
  DRIVER(cuKernelGetFunction(&function, kernel));
  DRIVER(cuKernelGetLibrary(&other, kernel));
  EXPECT(other == library);
  const char* name = nullptr;
  DRIVER(cuKernelGetName(&name, kernel));
  EXPECT(!strcmp(name, "times"));
  int threads = 0;
  DRIVER(cuKernelGetAttribute(&threads, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, kernel, 0));
  EXPECT(threads == 1024);
  CUdeviceptr factor = 0;
  size_t bytes = 0;
  DRIVER(cuLibraryGetGlobal(&factor, &bytes, library, "factor"));
  EXPECT(bytes == 4);
  const unsigned five = 5;
  DRIVER(cuMemcpyHtoD(factor, &five, 4));
  int* out = newOnDevice<int>(32);
  void* parameters[] = {&out};
  DRIVER(cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, nullptr, parameters, nullptr));
  EXPECT(toHost(out, 32)[31] == 155);
  DRIVER(cuLibraryUnload(library));
  GIVES(cuKernelGetFunction(&function, kernel), CUDA_ERROR_INVALID_HANDLE);
}

static void pointers() {
  CUpointer_attribute asked[] = {CU_POINTER_ATTRIBUTE_MEMORY_TYPE, CU_POINTER_ATTRIBUTE_IS_MANAGED,
                                 CU_POINTER_ATTRIBUTE_HOST_POINTER,
                                 CU_POINTER_ATTRIBUTE_DEVICE_POINTER,
                                 CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL};
  unsigned type = 7, managed = 7;
  void *host = &type, *device = &type;
  int ordinal = 7;
  void* places[] = {&type, &managed, &host, &device, &ordinal};
  int *both, *only = newOnDevice<int>(8);
  CHECK(cudaMallocManaged(&both, 64));
  DRIVER(cuPointerGetAttributes(5, asked, places, CUdeviceptr(both + 2)));
  EXPECT(type == CU_MEMORYTYPE_DEVICE && managed == 1 && host == both + 2 && device == both + 2);
  DRIVER(cuPointerGetAttributes(5, asked, places, CUdeviceptr(only)));
  EXPECT(managed == 0 && host == nullptr && device == only && ordinal == 0);
  DRIVER(cuPointerGetAttributes(5, asked, places, CUdeviceptr(&ordinal)));
  EXPECT(type == 0 && managed == 0 && host == nullptr && device == nullptr && ordinal == -2);
}

static void streams() {
  CUcontext context = nullptr, current = nullptr;
  CUgreenCtx part = reinterpret_cast<CUgreenCtx>(&context);
  CUstream stream, second;
  DRIVER(cuStreamCreateWithPriority(&stream, CU_STREAM_NON_BLOCKING, -1));
  DRIVER(cuStreamCreate(&second, 0));
  DRIVER(cuCtxGetCurrent(&current));
  DRIVER(cuStreamGetCtx(stream, &context));
  EXPECT(context == current);
  DRIVER(cuStreamGetCtx_v2(stream, &context, &part));
  EXPECT(context == current && part == nullptr);
  int priority = 5;
  unsigned long long first = 0, other = 0;
  DRIVER(cuStreamGetPriority(stream, &priority));
  DRIVER(cuStreamGetId(stream, &first));
  DRIVER(cuStreamGetId(second, &other));
  EXPECT(priority == -1 && first != other);
  GIVES(cuGreenCtxCreate(&part, nullptr, 0, CU_GREEN_CTX_DEFAULT_STREAM), CUDA_ERROR_NOT_SUPPORTED);
}

static void names() {
  decltype(cuGetProcAddress)* const find = cuGetProcAddress;
  void* function = nullptr;
  CUdriverProcAddressQueryResult found;
  DRIVER(find("cuStreamGetCtx", &function, 12000, CU_GET_PROC_ADDRESS_DEFAULT, &found));
  EXPECT(function == reinterpret_cast<void*>(cuStreamGetCtx));
  DRIVER(find("cuStreamGetCtx", &function, 12050, CU_GET_PROC_ADDRESS_DEFAULT, &found));
  EXPECT(function == reinterpret_cast<void*>(cuStreamGetCtx_v2));
  CUmemoryPool pool;
  CUmemAccess_flags access;
  CUmemLocation location = {};
  location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  DRIVER(cuDeviceGetDefaultMemPool(&pool, 0));
  DRIVER(cuMemPoolGetAccess(&access, pool, &location));
  EXPECT(access == CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
}

int main() {
  DRIVER(cuInit(0));
  CHECK(cudaFree(nullptr));
  libraries();
  pointers();
  streams();
  names();
  puts("PASS");
}
