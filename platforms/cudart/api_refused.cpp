// Calls that the model does not support: each answers cudaErrorNotSupported, and standard error
// names it and says what to use.
#include <fermata/platforms/cudart/driver.h>

namespace {

constexpr const char* kDevice = "there is one device";
constexpr const char* kLaunch = "expected cuLaunchKernel";
constexpr const char* kLevels = "textures have one level";
constexpr const char* kSurface = "expected a surface object";
constexpr const char* kStream = "no part of the L2 can be kept for data, and streams are equal";

}  // namespace

extern "C" {

// Defines a refused call: its name, why, the types of its parameters.
#define FERMATA_REFUSED(name, why, ...) \
  cudaError_t name(__VA_ARGS__) { return fermata::cudart::refused(#name, why); }
#define FERMATA_REFUSED_DRIVER(name, why, ...) \
  CUresult name(__VA_ARGS__) { return fermata::cudart::refusedByDriver(#name, why); }

// Arrays and textures of several levels, and surface references.
FERMATA_REFUSED(cudaMallocMipmappedArray, kLevels, cudaMipmappedArray_t*,
                const cudaChannelFormatDesc*, cudaExtent, unsigned int, unsigned int)
FERMATA_REFUSED(cudaGetMipmappedArrayLevel, kLevels, cudaArray_t*, cudaMipmappedArray_const_t,
                unsigned int)
FERMATA_REFUSED(cudaFreeMipmappedArray, kLevels, cudaMipmappedArray_t)
FERMATA_REFUSED(cudaBindSurfaceToArray, kSurface, const surfaceReference*, cudaArray_const_t,
                const cudaChannelFormatDesc*)
FERMATA_REFUSED(cudaGetSurfaceReference, kSurface, const surfaceReference**, const void*)

// A second device, other processes, and facts about memory.
FERMATA_REFUSED(cudaDeviceGetP2PAttribute, kDevice, int*, cudaDeviceP2PAttr, int, int)
FERMATA_REFUSED(cudaDeviceEnablePeerAccess, kDevice, int, unsigned int)
FERMATA_REFUSED(cudaDeviceDisablePeerAccess, kDevice, int)
FERMATA_REFUSED(cudaIpcGetMemHandle, "", cudaIpcMemHandle_t*, void*)
FERMATA_REFUSED(cudaIpcOpenMemHandle, "", void**, cudaIpcMemHandle_t, unsigned int)
FERMATA_REFUSED(cudaIpcCloseMemHandle, "", void*)
FERMATA_REFUSED(cudaIpcGetEventHandle, "", cudaIpcEventHandle_t*, cudaEvent_t)
FERMATA_REFUSED(cudaIpcOpenEventHandle, "", cudaEvent_t*, cudaIpcEventHandle_t)
FERMATA_REFUSED(cudaMemRangeGetAttribute, "", void*, size_t, cudaMemRangeAttribute, const void*,
                size_t)

// Attributes of streams.
FERMATA_REFUSED(cudaStreamSetAttribute, kStream, cudaStream_t, cudaLaunchAttributeID,
                const cudaLaunchAttributeValue*)
FERMATA_REFUSED(cudaStreamGetAttribute, kStream, cudaStream_t, cudaLaunchAttributeID,
                cudaLaunchAttributeValue*)

// The driver interface: launches in the form of CUDA 3, and texture references. There are texture
// objects.
FERMATA_REFUSED_DRIVER(cuModuleGetTexRef, "", CUtexref*, CUmodule, const char*)
FERMATA_REFUSED_DRIVER(cuModuleGetSurfRef, "", CUsurfref*, CUmodule, const char*)
FERMATA_REFUSED_DRIVER(cuFuncSetBlockShape, kLaunch, CUfunction, int, int, int)
FERMATA_REFUSED_DRIVER(cuFuncSetSharedSize, kLaunch, CUfunction, unsigned int)
FERMATA_REFUSED_DRIVER(cuParamSetSize, kLaunch, CUfunction, unsigned int)
FERMATA_REFUSED_DRIVER(cuParamSeti, kLaunch, CUfunction, int, unsigned int)
FERMATA_REFUSED_DRIVER(cuParamSetf, kLaunch, CUfunction, int, float)
FERMATA_REFUSED_DRIVER(cuParamSetv, kLaunch, CUfunction, int, void*, unsigned int)
FERMATA_REFUSED_DRIVER(cuLaunch, kLaunch, CUfunction)
FERMATA_REFUSED_DRIVER(cuLaunchGrid, kLaunch, CUfunction, int, int)
FERMATA_REFUSED_DRIVER(cuTexRefSetArray, "", CUtexref, CUarray, unsigned int)
FERMATA_REFUSED_DRIVER(cuTexRefSetAddress, "", size_t*, CUtexref, CUdeviceptr, size_t)
FERMATA_REFUSED_DRIVER(cuTexRefSetFormat, "", CUtexref, CUarray_format, int)
FERMATA_REFUSED_DRIVER(cuTexRefSetAddressMode, "", CUtexref, int, CUaddress_mode)
FERMATA_REFUSED_DRIVER(cuTexRefSetFilterMode, "", CUtexref, CUfilter_mode)
FERMATA_REFUSED_DRIVER(cuTexRefSetFlags, "", CUtexref, unsigned int)
FERMATA_REFUSED_DRIVER(cuParamSetTexRef, kLaunch, CUfunction, int, CUtexref)

// The driver interface: memory of other processes, contexts with parameters.
FERMATA_REFUSED_DRIVER(cuMemExportToShareableHandle, kDevice, void*, CUmemGenericAllocationHandle,
                       CUmemAllocationHandleType, unsigned long long)
FERMATA_REFUSED_DRIVER(cuMemImportFromShareableHandle, kDevice, CUmemGenericAllocationHandle*,
                       void*, CUmemAllocationHandleType)
// The driver interface: memory of several devices.
FERMATA_REFUSED_DRIVER(cuMulticastCreate, kDevice, CUmemGenericAllocationHandle*,
                       const CUmulticastObjectProp*)
FERMATA_REFUSED_DRIVER(cuMulticastAddDevice, kDevice, CUmemGenericAllocationHandle, CUdevice)
FERMATA_REFUSED_DRIVER(cuMulticastBindMem, kDevice, CUmemGenericAllocationHandle, size_t,
                       CUmemGenericAllocationHandle, size_t, size_t, unsigned long long)
FERMATA_REFUSED_DRIVER(cuMulticastBindAddr, kDevice, CUmemGenericAllocationHandle, size_t,
                       CUdeviceptr, size_t, unsigned long long)
FERMATA_REFUSED_DRIVER(cuMulticastUnbind, kDevice, CUmemGenericAllocationHandle, CUdevice, size_t,
                       size_t)
FERMATA_REFUSED_DRIVER(cuMulticastGetGranularity, kDevice, size_t*, const CUmulticastObjectProp*,
                       CUmulticastGranularity_flags)
CUresult cuCtxCreate_v4(CUcontext* context, CUctxCreateParams* parameters, unsigned int flags,
                        CUdevice device) {
  const bool plain = parameters == nullptr ||
                     (parameters->numExecAffinityParams == 0 && parameters->cigParams == nullptr);
  if (!plain) return fermata::cudart::refusedByDriver("cuCtxCreate", "expected no parameters");
  return cuCtxCreate(context, flags, device);
}

}  // extern "C"
