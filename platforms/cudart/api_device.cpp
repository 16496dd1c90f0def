// The device, as the platform describes it.
#include <fermata/platforms/compose/parameters.h>
#include <fermata/platforms/cudart/arrays.h>
#include <fermata/platforms/cudart/session.h>
#include <fermata/platforms/cudart/sizes.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>

using namespace fermata::cudart;

namespace {

constexpr int kMajor = 7;  ///< compute capability 7.0: programs are compiled for sm_70 by default
constexpr int kMinor = 0;
constexpr const char* kBusId = "0000:00:00.0";

/// Settings that a program can set and read back; no other effect.
struct Choices {
  unsigned flags = 0;
  cudaFuncCache cache = cudaFuncCachePreferNone;
  cudaSharedMemConfig shared = cudaSharedMemBankSizeFourByte;
  std::size_t limits[7] = {1024, std::size_t{1} << 20, std::size_t{8} << 20, 2, 2048, 64, 0};
};

/// Clamps the stack size from below: the executor's default exceeds CUDA's, which programs raise.
std::uint32_t stackBytes(std::size_t value) {
  const std::size_t standard = fermata::ptx::ExecutorOptions().stackBytes;
  return static_cast<std::uint32_t>(std::clamp<std::size_t>(value, standard, std::size_t{1} << 24));
}

Choices& choices() {
  static Choices all;
  return all;
}

void requireDevice(int device) {
  require(device == 0, cudaErrorInvalidDevice, "there is one device, number 0");
}

template <class T>
void requirePlace(T* place) {
  requireValue(place != nullptr, "no place for the answer");
}

void setSizes(cudaDeviceProp& prop) {
  const int threads[] = {1024, 1024, 64};
  const int grid[] = {2147483647, 65535, 65535};
  std::copy(std::begin(threads), std::end(threads), prop.maxThreadsDim);
  std::copy(std::begin(grid), std::end(grid), prop.maxGridSize);
  prop.maxTexture1D = prop.maxTexture2D[0] = prop.maxTexture2D[1] = 65536;
  prop.maxTexture1DLinear = 1 << 27;
  prop.maxTexture2DLinear[0] = prop.maxTexture2DLinear[1] = 65536;
  prop.maxTexture2DLinear[2] = 1 << 20;
  std::fill(std::begin(prop.maxTexture3D), std::end(prop.maxTexture3D), 4096);
  prop.maxTexture1DLayered[0] = prop.maxTexture2DLayered[0] = prop.maxTexture2DLayered[1] = 16384;
  prop.maxTexture1DLayered[1] = prop.maxTexture2DLayered[2] = 2048;
  prop.maxSurface1D = prop.maxSurface2D[0] = prop.maxSurface2D[1] = 65536;
  std::fill(std::begin(prop.maxSurface3D), std::end(prop.maxSurface3D), 4096);
  prop.memPitch = kMostPitch;
  prop.textureAlignment = prop.surfaceAlignment = 512;
  prop.texturePitchAlignment = 32;
}

/// Describes the memory as GDDR5: data at twice the command clock, two bits per pin in each of its
/// cycles. So 2 * clock * width, which programs take for the peak bandwidth, is the platform's.
void setMemory(cudaDeviceProp& prop, const fermata::platforms::PlatformParameters& platform) {
  const auto& dram = platform.dram;
  const double bytesPerCommandClock = 1.0 * dram.channels * dram.burstBytes / dram.timing.ccd;
  prop.memoryClockRate = static_cast<int>(2 * platform.dramFrequencyMhz * 1000);
  prop.memoryBusWidth = static_cast<int>(bytesPerCommandClock * 8 / 4);
  prop.l2CacheSize = static_cast<int>(platform.l2.shape.bytes);
  prop.globalL1CacheSupported = prop.localL1CacheSupported = 1;
}

/// Returns the throughput of single relative to double precision.
int speedOfSingle(const fermata::PipelineParameters& pipelines) {
  using fermata::InstructionClass;
  const double single = 1.0 * pipelines.aluUnits / pipelines.of(InstructionClass::Float).interval;
  const double twice =
      1.0 * pipelines.doubleUnits / pipelines.of(InstructionClass::Double).interval;
  return std::max(1, static_cast<int>(std::lround(single / twice)));
}

cudaDeviceProp properties() {
  const auto& platform = session().launcher.platform();
  cudaDeviceProp prop = {};
  std::snprintf(prop.name, sizeof prop.name, "Fermata %s", platform.name.c_str());
  setSizes(prop);
  prop.major = kMajor;
  prop.minor = kMinor;
  prop.totalGlobalMem = DeviceHeap::kBytes;
  prop.totalConstMem = 65536;
  prop.sharedMemPerBlock = prop.sharedMemPerBlockOptin = mostSharedBytes();
  prop.reservedSharedMemPerBlock = platform.core.limits.sharedReserved;
  prop.sharedMemPerMultiprocessor = platform.scratchpad.bytes;
  prop.regsPerBlock = prop.regsPerMultiprocessor = static_cast<int>(platform.core.limits.registers);
  prop.warpSize = 32;
  prop.maxThreadsPerBlock = static_cast<int>(std::min(1024U, platform.core.limits.threads));
  prop.maxThreadsPerMultiProcessor = static_cast<int>(platform.core.limits.threads);
  prop.maxBlocksPerMultiProcessor = static_cast<int>(platform.core.limits.ctas);
  prop.multiProcessorCount = static_cast<int>(platform.sms);
  prop.clockRate = static_cast<int>(platform.clock.frequencyMhz * 1000);
  if (platform.globalMemory == fermata::platforms::GlobalMemory::Caches) setMemory(prop, platform);
  prop.canMapHostMemory = prop.unifiedAddressing = prop.managedMemory = 1;
  prop.concurrentManagedAccess = prop.canUseHostPointerForRegisteredMem = 1;
  prop.cooperativeLaunch = 1;
  prop.streamPrioritiesSupported = 1;
  prop.singleToDoublePrecisionPerfRatio = speedOfSingle(platform.core.issue.pipelines);
  return prop;
}

int attribute(const cudaDeviceProp& prop, cudaDeviceAttr attr) {
  switch (attr) {
    case cudaDevAttrMaxThreadsPerBlock:
      return prop.maxThreadsPerBlock;
    case cudaDevAttrMaxBlockDimX:
      return prop.maxThreadsDim[0];
    case cudaDevAttrMaxBlockDimY:
      return prop.maxThreadsDim[1];
    case cudaDevAttrMaxBlockDimZ:
      return prop.maxThreadsDim[2];
    case cudaDevAttrMaxGridDimX:
      return prop.maxGridSize[0];
    case cudaDevAttrMaxGridDimY:
      return prop.maxGridSize[1];
    case cudaDevAttrMaxGridDimZ:
      return prop.maxGridSize[2];
    case cudaDevAttrMaxSharedMemoryPerBlock:
    case cudaDevAttrMaxSharedMemoryPerBlockOptin:
      return static_cast<int>(prop.sharedMemPerBlock);
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
      return static_cast<int>(prop.sharedMemPerMultiprocessor);
    case cudaDevAttrReservedSharedMemoryPerBlock:
      return static_cast<int>(prop.reservedSharedMemPerBlock);
    case cudaDevAttrTotalConstantMemory:
      return static_cast<int>(prop.totalConstMem);
    case cudaDevAttrWarpSize:
      return prop.warpSize;
    case cudaDevAttrMaxPitch:
      return static_cast<int>(prop.memPitch);
    case cudaDevAttrMaxRegistersPerBlock:
    case cudaDevAttrMaxRegistersPerMultiprocessor:
      return prop.regsPerBlock;
    case cudaDevAttrClockRate:
      return prop.clockRate;
    case cudaDevAttrTextureAlignment:
      return static_cast<int>(prop.textureAlignment);
    case cudaDevAttrTexturePitchAlignment:
      return static_cast<int>(prop.texturePitchAlignment);
    case cudaDevAttrSurfaceAlignment:
      return static_cast<int>(prop.surfaceAlignment);
    case cudaDevAttrMultiProcessorCount:
      return prop.multiProcessorCount;
    case cudaDevAttrMemoryClockRate:
      return prop.memoryClockRate;
    case cudaDevAttrGlobalMemoryBusWidth:
      return prop.memoryBusWidth;
    case cudaDevAttrL2CacheSize:
      return prop.l2CacheSize;
    case cudaDevAttrMaxThreadsPerMultiProcessor:
      return prop.maxThreadsPerMultiProcessor;
    case cudaDevAttrMaxBlocksPerMultiprocessor:
      return prop.maxBlocksPerMultiProcessor;
    case cudaDevAttrComputeCapabilityMajor:
      return prop.major;
    case cudaDevAttrComputeCapabilityMinor:
      return prop.minor;
    case cudaDevAttrSingleToDoublePrecisionPerfRatio:
      return prop.singleToDoublePrecisionPerfRatio;
    case cudaDevAttrGlobalL1CacheSupported:
      return prop.globalL1CacheSupported;
    case cudaDevAttrLocalL1CacheSupported:
      return prop.localL1CacheSupported;
    case cudaDevAttrMaxTexture1DWidth:
      return prop.maxTexture1D;
    case cudaDevAttrMaxTexture1DLinearWidth:
      return prop.maxTexture1DLinear;
    case cudaDevAttrMaxTexture2DWidth:
    case cudaDevAttrMaxTexture2DHeight:
      return prop.maxTexture2D[0];
    case cudaDevAttrMaxTexture3DWidth:
    case cudaDevAttrMaxTexture3DHeight:
    case cudaDevAttrMaxTexture3DDepth:
      return prop.maxTexture3D[0];
    case cudaDevAttrMaxTexture2DLayeredWidth:
    case cudaDevAttrMaxTexture2DLayeredHeight:
      return prop.maxTexture2DLayered[0];
    case cudaDevAttrMaxTexture2DLayeredLayers:
      return prop.maxTexture2DLayered[2];
    case cudaDevAttrCanMapHostMemory:
    case cudaDevAttrUnifiedAddressing:
    case cudaDevAttrManagedMemory:
    case cudaDevAttrConcurrentManagedAccess:
    case cudaDevAttrCooperativeLaunch:
    case cudaDevAttrHostRegisterSupported:
    case cudaDevAttrCanUseHostPointerForRegisteredMem:
    case cudaDevAttrStreamPrioritiesSupported:
    case cudaDevAttrMemoryPoolsSupported:
      return 1;
    default:
      return 0;  // absent features
  }
}

}  // namespace

extern "C" {

cudaError_t cudaGetDeviceCount(int* count) {
  return api("cudaGetDeviceCount", [&] {
    requirePlace(count);
    (void)session();
    *count = 1;
  });
}
cudaError_t cudaGetDevice(int* device) {
  return api("cudaGetDevice", [&] {
    requirePlace(device);
    *device = 0;
  });
}
cudaError_t cudaSetDevice(int device) {
  return api("cudaSetDevice", [&] {
    requireDevice(device);
    (void)session();
  });
}
cudaError_t cudaSetValidDevices(int*, int) {
  return cudaSuccess;
}
cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp*) {
  return cudaGetDevice(device);
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* prop, int device) {
  return api("cudaGetDeviceProperties", [&] {
    requirePlace(prop);
    requireDevice(device);
    *prop = properties();
  });
}
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attr, int device) {
  return api("cudaDeviceGetAttribute", [&] {
    requirePlace(value);
    requireDevice(device);
    requireValue(attr >= 1 && attr <= cudaDevAttrMemoryPoolsSupported, "no such attribute");
    *value = attribute(properties(), attr);
  });
}
cudaError_t cudaDeviceReset() {
  return api("cudaDeviceReset", [] {
    forgetTextures();
    forgetArrays();
    session().reset();
    lastError() = cudaSuccess;
  });
}
cudaError_t cudaThreadExit() {
  return cudaDeviceReset();
}
cudaError_t cudaDeviceSynchronize() {
  return api("cudaDeviceSynchronize", [] { session().requireSound(); });
}
cudaError_t cudaThreadSynchronize() {
  return cudaDeviceSynchronize();
}

cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value) {
  return api("cudaDeviceSetLimit", [&] {
    require(limit >= 0 && limit <= cudaLimitPersistingL2CacheSize, cudaErrorUnsupportedLimit,
            "no such limit");
    if (limit == cudaLimitMallocHeapSize) session().launcher.executor().setHeapBytes(value);
    if (limit == cudaLimitStackSize) session().launcher.executor().setStackBytes(stackBytes(value));
    choices().limits[limit] = value;
  });
}
cudaError_t cudaDeviceGetLimit(size_t* value, cudaLimit limit) {
  return api("cudaDeviceGetLimit", [&] {
    requirePlace(value);
    require(limit >= 0 && limit <= cudaLimitPersistingL2CacheSize, cudaErrorUnsupportedLimit,
            "no such limit");
    *value = choices().limits[limit];
  });
}
cudaError_t cudaThreadSetLimit(cudaLimit limit, size_t value) {
  return cudaDeviceSetLimit(limit, value);
}
cudaError_t cudaThreadGetLimit(size_t* value, cudaLimit limit) {
  return cudaDeviceGetLimit(value, limit);
}
cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* config) {
  return api("cudaDeviceGetCacheConfig", [&] {
    requirePlace(config);
    *config = choices().cache;
  });
}
cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache config) {
  return api("cudaDeviceSetCacheConfig", [&] { choices().cache = config; });
}
cudaError_t cudaThreadGetCacheConfig(cudaFuncCache* config) {
  return cudaDeviceGetCacheConfig(config);
}
cudaError_t cudaThreadSetCacheConfig(cudaFuncCache config) {
  return cudaDeviceSetCacheConfig(config);
}
cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* config) {
  return api("cudaDeviceGetSharedMemConfig", [&] {
    requirePlace(config);
    *config = choices().shared;
  });
}
cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig config) {
  return api("cudaDeviceSetSharedMemConfig", [&] { choices().shared = config; });
}
cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  if (least != nullptr) *least = 0;
  if (greatest != nullptr) *greatest = -5;
  return cudaSuccess;
}
cudaError_t cudaDeviceGetByPCIBusId(int* device, const char* pciBusId) {
  return api("cudaDeviceGetByPCIBusId", [&] {
    requirePlace(device);
    require(pciBusId != nullptr && std::strcmp(pciBusId, kBusId) == 0, cudaErrorInvalidDevice,
            "no device there");
    *device = 0;
  });
}
cudaError_t cudaDeviceGetPCIBusId(char* pciBusId, int length, int device) {
  return api("cudaDeviceGetPCIBusId", [&] {
    requirePlace(pciBusId);
    requireDevice(device);
    requireValue(length > 0, "no place for the answer");
    std::snprintf(pciBusId, static_cast<std::size_t>(length), "%s", kBusId);
  });
}
cudaError_t cudaDeviceGetP2PAttribute(int*, cudaDeviceP2PAttr, int, int) {
  return refused("cudaDeviceGetP2PAttribute", "there is one device");
}
cudaError_t cudaGetDeviceFlags(unsigned int* flags) {
  return api("cudaGetDeviceFlags", [&] {
    requirePlace(flags);
    *flags = choices().flags;
  });
}
cudaError_t cudaSetDeviceFlags(unsigned int flags) {
  return api("cudaSetDeviceFlags", [&] { choices().flags = flags; });
}
cudaError_t cudaDeviceCanAccessPeer(int* can, int, int) {
  return api("cudaDeviceCanAccessPeer", [&] {
    requirePlace(can);
    *can = 0;
  });
}
cudaError_t cudaDeviceEnablePeerAccess(int, unsigned int) {
  return refused("cudaDeviceEnablePeerAccess", "there is one device");
}
cudaError_t cudaDeviceDisablePeerAccess(int) {
  return refused("cudaDeviceDisablePeerAccess", "there is one device");
}
cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t*, void*) {
  return refused("cudaIpcGetMemHandle");
}
cudaError_t cudaIpcOpenMemHandle(void**, cudaIpcMemHandle_t, unsigned int) {
  return refused("cudaIpcOpenMemHandle");
}
cudaError_t cudaIpcCloseMemHandle(void*) {
  return refused("cudaIpcCloseMemHandle");
}
cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t*, cudaEvent_t) {
  return refused("cudaIpcGetEventHandle");
}
cudaError_t cudaIpcOpenEventHandle(cudaEvent_t*, cudaIpcEventHandle_t) {
  return refused("cudaIpcOpenEventHandle");
}
cudaError_t cudaProfilerStart() {
  return cudaSuccess;
}
cudaError_t cudaProfilerStop() {
  return cudaSuccess;
}
cudaError_t cudaCtxResetPersistingL2Cache() {
  return cudaSuccess;
}

}  // extern "C"
