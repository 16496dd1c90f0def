// Calls of CUDA 11.2 to 13 that the model does not support: see api_refused.cpp.
#include <fermata/platforms/cudart/driver.h>

namespace {

constexpr const char* kPool = "there is one memory pool, which cudaMallocAsync uses";
constexpr const char* kVirtual = "expected cuMemAlloc";
constexpr const char* kLink = "expected cuModuleLoadData of one PTX text";
constexpr const char* kStream = "the L2 has no window, and streams run in the order of the calls";

}  // namespace

extern "C" {

#define FERMATA_REFUSED(name, why, ...) \
  cudaError_t name(__VA_ARGS__) { return fermata::cudart::refused(#name, why); }
#define FERMATA_REFUSED_DRIVER(name, why, ...) \
  CUresult name(__VA_ARGS__) { return fermata::cudart::refusedByDriver(#name, why); }

FERMATA_REFUSED(cudaMemPoolCreate, kPool, cudaMemPool_t*, const cudaMemPoolProps*)
FERMATA_REFUSED(cudaMemPoolDestroy, kPool, cudaMemPool_t)
FERMATA_REFUSED(cudaMemPoolSetAccess, kPool, cudaMemPool_t, const cudaMemAccessDesc*, size_t)
FERMATA_REFUSED(cudaMemPoolGetAccess, kPool, cudaMemAccessFlags*, cudaMemPool_t, cudaMemLocation*)
FERMATA_REFUSED(cudaMallocFromPoolAsync, kPool, void**, size_t, cudaMemPool_t, cudaStream_t)
FERMATA_REFUSED(cudaStreamSetAttribute, kStream, cudaStream_t, cudaLaunchAttributeID,
                const cudaLaunchAttributeValue*)
FERMATA_REFUSED(cudaStreamGetAttribute, kStream, cudaStream_t, cudaLaunchAttributeID,
                cudaLaunchAttributeValue*)
FERMATA_REFUSED(cudaGraphInstantiateWithFlags, "", cudaGraphExec_t*, cudaGraph_t,
                unsigned long long)

FERMATA_REFUSED_DRIVER(cuMemGetAllocationGranularity, kVirtual, size_t*, const CUmemAllocationProp*,
                       CUmemAllocationGranularity_flags)
FERMATA_REFUSED_DRIVER(cuMemCreate, kVirtual, CUmemGenericAllocationHandle*, size_t,
                       const CUmemAllocationProp*, unsigned long long)
FERMATA_REFUSED_DRIVER(cuMemRelease, kVirtual, CUmemGenericAllocationHandle)
FERMATA_REFUSED_DRIVER(cuMemAddressReserve, kVirtual, CUdeviceptr*, size_t, size_t, CUdeviceptr,
                       unsigned long long)
FERMATA_REFUSED_DRIVER(cuMemAddressFree, kVirtual, CUdeviceptr, size_t)
FERMATA_REFUSED_DRIVER(cuMemMap, kVirtual, CUdeviceptr, size_t, size_t,
                       CUmemGenericAllocationHandle, unsigned long long)
FERMATA_REFUSED_DRIVER(cuMemUnmap, kVirtual, CUdeviceptr, size_t)
FERMATA_REFUSED_DRIVER(cuMemSetAccess, kVirtual, CUdeviceptr, size_t, const CUmemAccessDesc*,
                       size_t)
FERMATA_REFUSED_DRIVER(cuLinkCreate, kLink, unsigned int, CUjit_option*, void**, CUlinkState*)
FERMATA_REFUSED_DRIVER(cuLinkAddData, kLink, CUlinkState, CUjitInputType, void*, size_t,
                       const char*, unsigned int, CUjit_option*, void**)
FERMATA_REFUSED_DRIVER(cuLinkAddFile, kLink, CUlinkState, CUjitInputType, const char*, unsigned int,
                       CUjit_option*, void**)
FERMATA_REFUSED_DRIVER(cuLinkComplete, kLink, CUlinkState, void**, size_t*)
FERMATA_REFUSED_DRIVER(cuLinkDestroy, kLink, CUlinkState)

CUresult cuCtxCreate_v4(CUcontext* context, CUctxCreateParams* parameters, unsigned int flags,
                        CUdevice device) {
  const bool plain = parameters == nullptr ||
                     (parameters->numExecAffinityParams == 0 && parameters->cigParams == nullptr);
  if (!plain) return fermata::cudart::refusedByDriver("cuCtxCreate", "expected no parameters");
  return cuCtxCreate(context, flags, device);
}

}  // extern "C"
