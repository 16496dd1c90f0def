// The driver interface: contexts. All share the one device.
#include <fermata/platforms/cudart/driver.h>

#include <set>

using namespace fermata::cudart;

namespace {

CUctx_st primary;
std::set<CUcontext>& contexts() {
  static auto* const all = new std::set<CUcontext>{&primary};
  return *all;
}
CUcontext& current() {
  thread_local CUcontext context = nullptr;
  return context;
}

}  // namespace

extern "C" {

CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice device) {
  return driver("cuDevicePrimaryCtxRetain", [&] {
    requireDevice(device);
    requireValue(context != nullptr, "no place for the context");
    (void)session();
    *context = &primary;
  });
}
CUresult cuDevicePrimaryCtxRelease(CUdevice device) {
  return driver("cuDevicePrimaryCtxRelease", [&] { requireDevice(device); });
}
CUresult cuDevicePrimaryCtxReset(CUdevice device) {
  return device == 0 ? result(cudaDeviceReset()) : CUDA_ERROR_INVALID_DEVICE;
}
CUresult cuDevicePrimaryCtxSetFlags(CUdevice device, unsigned int flags) {
  return driver("cuDevicePrimaryCtxSetFlags", [&] {
    requireDevice(device);
    primary.flags = flags;
  });
}
CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned int* flags, int* active) {
  return driver("cuDevicePrimaryCtxGetState", [&] {
    requireDevice(device);
    if (flags != nullptr) *flags = primary.flags;
    if (active != nullptr) *active = 1;
  });
}
CUresult cuCtxCreate(CUcontext* context, unsigned int flags, CUdevice device) {
  return driver("cuCtxCreate", [&] {
    requireDevice(device);
    requireValue(context != nullptr, "no place for the context");
    (void)session();
    *context = new CUctx_st{flags};
    contexts().insert(*context);
    current() = *context;
  });
}
CUresult cuCtxDestroy(CUcontext context) {
  return driver("cuCtxDestroy", [&] {
    require(context != &primary && contexts().erase(context) != 0, cudaErrorDeviceUninitialized,
            "not a context that was created");
    if (current() == context) current() = nullptr;
    delete context;
  });
}
CUresult cuCtxDetach(CUcontext context) { return cuCtxDestroy(context); }
CUresult cuCtxSetCurrent(CUcontext context) {
  return driver("cuCtxSetCurrent", [&] {
    require(context == nullptr || contexts().count(context) != 0, cudaErrorDeviceUninitialized,
            "not a context");
    current() = context;
  });
}
CUresult cuCtxPushCurrent(CUcontext context) { return cuCtxSetCurrent(context); }
CUresult cuCtxPopCurrent(CUcontext* context) {
  if (context != nullptr) *context = current();
  current() = nullptr;
  return CUDA_SUCCESS;
}
CUresult cuCtxGetCurrent(CUcontext* context) {
  if (context == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *context = current();
  return CUDA_SUCCESS;
}
CUresult cuStreamGetCtx(CUstream, CUcontext* context) { return cuCtxGetCurrent(context); }
CUresult cuStreamGetCtx_v2(CUstream, CUcontext* context, CUgreenCtx* part) {
  if (part != nullptr) *part = nullptr;
  return cuCtxGetCurrent(context);
}
CUresult cuCtxGetDevice(CUdevice* device) {
  if (device == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *device = 0;
  return CUDA_SUCCESS;
}
CUresult cuCtxGetFlags(unsigned int* flags) {
  if (flags == nullptr) return CUDA_ERROR_INVALID_VALUE;
  return driver("cuCtxGetFlags", [&] {
    // Another thread may have destroyed the context.
    const bool known = contexts().count(current()) != 0;
    *flags = known ? current()->flags : 0;
  });
}
CUresult cuCtxGetApiVersion(CUcontext, unsigned int* version) {
  if (version == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *version = 3020;
  return CUDA_SUCCESS;
}
CUresult cuCtxSynchronize() { return result(cudaDeviceSynchronize()); }
CUresult cuCtxSetLimit(CUlimit limit, size_t value) {
  return result(cudaDeviceSetLimit(static_cast<cudaLimit>(limit), value));
}
CUresult cuCtxGetLimit(size_t* value, CUlimit limit) {
  return result(cudaDeviceGetLimit(value, static_cast<cudaLimit>(limit)));
}
CUresult cuCtxSetCacheConfig(CUfunc_cache config) {
  return result(cudaDeviceSetCacheConfig(static_cast<cudaFuncCache>(config)));
}
CUresult cuCtxGetCacheConfig(CUfunc_cache* config) {
  return result(cudaDeviceGetCacheConfig(reinterpret_cast<cudaFuncCache*>(config)));
}
CUresult cuCtxSetSharedMemConfig(CUsharedconfig config) {
  return result(cudaDeviceSetSharedMemConfig(static_cast<cudaSharedMemConfig>(config)));
}
CUresult cuCtxGetSharedMemConfig(CUsharedconfig* config) {
  return result(cudaDeviceGetSharedMemConfig(reinterpret_cast<cudaSharedMemConfig*>(config)));
}

}  // extern "C"
