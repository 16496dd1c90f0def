// The device, as the platform describes it.
#include <fermata/platforms/compose/parameters.h>
#include <fermata/platforms/cudart/arrays.h>
#include <fermata/platforms/cudart/graphs/capture.h>
#include <fermata/platforms/cudart/graphs/executable.h>
#include <fermata/platforms/cudart/pools.h>
#include <fermata/platforms/cudart/session.h>
#include <fermata/platforms/cudart/sizes.h>
#include <fermata/platforms/cudart/virtual_memory.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>

using namespace fermata::cudart;

namespace {

constexpr int kCopyEngines = 2;  ///< an assumption: programs ask whether there is one
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

/// Answers a call with one value.
template <class T>
cudaError_t answer(const char* name, T* place, const T& value) {
  return api(name, [&] {
    requirePlace(place);
    *place = value;
  });
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

/// Returns ten times the compute capability that programs see: the platform's, and at least that
/// for which they are compiled by default.
int capabilityOf(const fermata::platforms::PlatformParameters& platform) {
  constexpr int kCompiledFor = 70;
  return std::max(kCompiledFor, static_cast<int>(std::lround(platform.capability * 10)));
}

cudaDeviceProp properties() {
  const auto& platform = session().launcher.platform();
  cudaDeviceProp prop = {};
  std::snprintf(prop.name, sizeof prop.name, "Fermata %s", platform.name.c_str());
  setSizes(prop);
  prop.major = capabilityOf(platform) / 10;
  prop.minor = capabilityOf(platform) % 10;
  prop.deviceOverlap = prop.concurrentKernels = 1;
  prop.asyncEngineCount = kCopyEngines;
  prop.totalGlobalMem = session().heap.capacity();
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
  prop.clusterLaunch = platform.capability >= 9 ? 1 : 0;
  prop.streamPrioritiesSupported = 1;
  prop.singleToDoublePrecisionPerfRatio = speedOfSingle(platform.core.issue.pipelines);
  return prop;
}

/// Returns an attribute; 0 for absent features.
int attribute(const cudaDeviceProp& prop, cudaDeviceAttr attr) {
  const std::pair<cudaDeviceAttr, int> known[] = {
      {cudaDevAttrMaxThreadsPerBlock, prop.maxThreadsPerBlock},
      {cudaDevAttrMaxBlockDimX, prop.maxThreadsDim[0]},
      {cudaDevAttrMaxBlockDimY, prop.maxThreadsDim[1]},
      {cudaDevAttrMaxBlockDimZ, prop.maxThreadsDim[2]},
      {cudaDevAttrMaxGridDimX, prop.maxGridSize[0]},
      {cudaDevAttrMaxGridDimY, prop.maxGridSize[1]},
      {cudaDevAttrMaxGridDimZ, prop.maxGridSize[2]},
      {cudaDevAttrMaxSharedMemoryPerBlock, int(prop.sharedMemPerBlock)},
      {cudaDevAttrMaxSharedMemoryPerBlockOptin, int(prop.sharedMemPerBlock)},
      {cudaDevAttrMaxSharedMemoryPerMultiprocessor, int(prop.sharedMemPerMultiprocessor)},
      {cudaDevAttrReservedSharedMemoryPerBlock, int(prop.reservedSharedMemPerBlock)},
      {cudaDevAttrTotalConstantMemory, int(prop.totalConstMem)},
      {cudaDevAttrWarpSize, prop.warpSize},
      {cudaDevAttrMaxPitch, int(prop.memPitch)},
      {cudaDevAttrMaxRegistersPerBlock, prop.regsPerBlock},
      {cudaDevAttrMaxRegistersPerMultiprocessor, prop.regsPerBlock},
      {cudaDevAttrClockRate, prop.clockRate},
      {cudaDevAttrTextureAlignment, int(prop.textureAlignment)},
      {cudaDevAttrTexturePitchAlignment, int(prop.texturePitchAlignment)},
      {cudaDevAttrSurfaceAlignment, int(prop.surfaceAlignment)},
      {cudaDevAttrMultiProcessorCount, prop.multiProcessorCount},
      {cudaDevAttrMemoryClockRate, prop.memoryClockRate},
      {cudaDevAttrGlobalMemoryBusWidth, prop.memoryBusWidth},
      {cudaDevAttrL2CacheSize, prop.l2CacheSize},
      {cudaDevAttrMaxThreadsPerMultiProcessor, prop.maxThreadsPerMultiProcessor},
      {cudaDevAttrMaxBlocksPerMultiprocessor, prop.maxBlocksPerMultiProcessor},
      {cudaDevAttrComputeCapabilityMajor, prop.major},
      {cudaDevAttrComputeCapabilityMinor, prop.minor},
      {cudaDevAttrSingleToDoublePrecisionPerfRatio, prop.singleToDoublePrecisionPerfRatio},
      {cudaDevAttrGlobalL1CacheSupported, prop.globalL1CacheSupported},
      {cudaDevAttrLocalL1CacheSupported, prop.localL1CacheSupported},
      {cudaDevAttrMaxTexture1DWidth, prop.maxTexture1D},
      {cudaDevAttrMaxTexture1DLinearWidth, prop.maxTexture1DLinear},
      {cudaDevAttrMaxTexture2DWidth, prop.maxTexture2D[0]},
      {cudaDevAttrMaxTexture2DHeight, prop.maxTexture2D[0]},
      {cudaDevAttrMaxTexture3DWidth, prop.maxTexture3D[0]},
      {cudaDevAttrMaxTexture3DHeight, prop.maxTexture3D[0]},
      {cudaDevAttrMaxTexture3DDepth, prop.maxTexture3D[0]},
      {cudaDevAttrMaxTexture2DLayeredWidth, prop.maxTexture2DLayered[0]},
      {cudaDevAttrMaxTexture2DLayeredHeight, prop.maxTexture2DLayered[0]},
      {cudaDevAttrMaxTexture2DLayeredLayers, prop.maxTexture2DLayered[2]},
      {cudaDevAttrGpuOverlap, 1},
      {cudaDevAttrConcurrentKernels, 1},
      {cudaDevAttrAsyncEngineCount, prop.asyncEngineCount},
      {cudaDevAttrCanMapHostMemory, 1},
      {cudaDevAttrUnifiedAddressing, 1},
      {cudaDevAttrManagedMemory, 1},
      {cudaDevAttrConcurrentManagedAccess, 1},
      {cudaDevAttrCooperativeLaunch, 1},
      {cudaDevAttrClusterLaunch, prop.clusterLaunch},
      {cudaDevAttrHostRegisterSupported, 1},
      {cudaDevAttrCanUseHostPointerForRegisteredMem, 1},
      {cudaDevAttrStreamPrioritiesSupported, 1},
      {cudaDevAttrMemoryPoolsSupported, 1},
  };
  const auto* const found = std::find_if(std::begin(known), std::end(known),
                                         [&](const auto& one) { return one.first == attr; });
  return found == std::end(known) ? 0 : found->second;
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
cudaError_t cudaGetDevice(int* device) { return answer("cudaGetDevice", device, 0); }
cudaError_t cudaSetDevice(int device) {
  return api("cudaSetDevice", [&] {
    requireDevice(device);
    (void)session();
  });
}
cudaError_t cudaSetValidDevices(int*, int) { return cudaSuccess; }
cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp*) { return cudaGetDevice(device); }
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
    requireValue(attr >= 1 && attr <= cudaDevAttrHostNumaId, "no such attribute");
    *value = attribute(properties(), attr);
  });
}
cudaError_t cudaDeviceReset() {
  return api("cudaDeviceReset", [] {
    forgetCaptures();
    forgetExecutables();
    forgetGraphs();
    forgetTextures();
    forgetArrays();
    forgetPools();
    session().reset();
    forgetVirtualMemory(session());
    lastError() = cudaSuccess;
  });
}
cudaError_t cudaThreadExit() { return cudaDeviceReset(); }
cudaError_t cudaDeviceSynchronize() {
  return api("cudaDeviceSynchronize", [] {
    requireNoCapture();
    session().requireSound();
  });
}
cudaError_t cudaThreadSynchronize() { return cudaDeviceSynchronize(); }

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
  return answer("cudaDeviceGetCacheConfig", config, choices().cache);
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
  return answer("cudaDeviceGetSharedMemConfig", config, choices().shared);
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
cudaError_t cudaGetDeviceFlags(unsigned int* flags) {
  return answer("cudaGetDeviceFlags", flags, choices().flags);
}
cudaError_t cudaSetDeviceFlags(unsigned int flags) {
  return api("cudaSetDeviceFlags", [&] { choices().flags = flags; });
}
cudaError_t cudaDeviceCanAccessPeer(int* can, int, int) {
  return answer("cudaDeviceCanAccessPeer", can, 0);
}
cudaError_t cudaProfilerStart() { return cudaSuccess; }
cudaError_t cudaProfilerStop() { return cudaSuccess; }
cudaError_t cudaCtxResetPersistingL2Cache() { return cudaSuccess; }

}  // extern "C"
