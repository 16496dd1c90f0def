// The driver interface: devices, modules and kernels.
#include <fermata/platforms/cudart/driver.h>
#include <fermata/platforms/cudart/graphs/capture.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

using namespace fermata::cudart;

namespace {

constexpr std::size_t kMostParameterBytes = 32764;

std::set<CUmodule>& modules() {
  static auto* const all = new std::set<CUmodule>;
  return *all;
}
std::set<CUfunction>& functions() {
  static auto* const all = new std::set<CUfunction>;
  return *all;
}
CUmod_st& requireModule(CUmodule module) {
  require(modules().count(module) != 0, cudaErrorInvalidResourceHandle, "not a module");
  return *module;
}
const DeviceFunction& functionOf(CUfunction function) {
  require(functions().count(function) != 0, cudaErrorInvalidResourceHandle, "not a function");
  return function->function;
}

KernelWork kernelOf(CUfunction function, fermata::ptx::Dim3 grid, fermata::ptx::Dim3 block) {
  KernelWork work;
  work.handle = function;
  work.function = functionOf(function);
  work.grid = grid;
  work.block = block;
  return work;
}

CUmodule load(std::string text, const std::string& name) {
  (void)soundSession();
  require(text.find(".version") != std::string::npos, cudaErrorInvalidKernelImage,
          "no PTX; expected its text");
  auto module = std::make_unique<CUmod_st>();
  module->program = &programs().add(Program::copyOf(std::move(text), name));
  try {
    (void)module->program->module();
  } catch (const fermata::BadInput& error) {
    throw ApiError(cudaErrorInvalidPtx, error.what());
  }
  modules().insert(module.get());
  return module.release();
}

}  // namespace

std::vector<std::uint8_t> fermata::cudart::blockOf(void** extra) {
  const void* data = nullptr;
  std::size_t bytes = 0;
  for (; *extra != CU_LAUNCH_PARAM_END; extra += 2) {
    const bool isData = *extra == CU_LAUNCH_PARAM_BUFFER_POINTER;
    requireValue((isData || *extra == CU_LAUNCH_PARAM_BUFFER_SIZE) && extra[1] != nullptr,
                 "an entry of `extra` that is none");
    if (isData)
      data = extra[1];
    else
      bytes = *static_cast<std::size_t*>(extra[1]);
  }
  requireValue(data != nullptr && bytes <= kMostParameterBytes, "no parameters in `extra`");
  const auto* const first = static_cast<const std::uint8_t*>(data);
  return {first, first + bytes};
}

const DeviceFunction* fermata::cudart::driverFunction(const void* handle) {
  const auto function = static_cast<CUfunction>(const_cast<void*>(handle));
  return functions().count(function) == 0 ? nullptr : &function->function;
}

extern "C" {

CUresult cuInit(unsigned int) {
  return driver("cuInit", [] { (void)session(); });
}
CUresult cuDriverGetVersion(int* version) { return result(cudaDriverGetVersion(version)); }
CUresult cuGetErrorString(CUresult error, const char** text) {
  if (text == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *text = cudaGetErrorString(static_cast<cudaError_t>(error));
  return CUDA_SUCCESS;
}

CUresult cuDeviceGet(CUdevice* device, int ordinal) {
  return driver("cuDeviceGet", [&] {
    requireValue(device != nullptr, "no place for the device");
    requireDevice(ordinal);
    *device = 0;
  });
}
CUresult cuDeviceGetCount(int* count) { return result(cudaGetDeviceCount(count)); }
CUresult cuDeviceGetName(char* name, int length, CUdevice device) {
  return driver("cuDeviceGetName", [&] {
    requireDevice(device);
    requireValue(name != nullptr && length > 0, "no place for the name");
    std::snprintf(name, static_cast<std::size_t>(length), "Fermata %s",
                  session().launcher.platformName().c_str());
  });
}
CUresult cuDeviceGetUuid(CUuuid* uuid, CUdevice device) {
  return driver("cuDeviceGetUuid", [&] {
    requireDevice(device);
    requireValue(uuid != nullptr, "no place for the answer");
    *uuid = {};
  });
}
CUresult cuDeviceTotalMem(size_t* bytes, CUdevice device) {
  return driver("cuDeviceTotalMem", [&] {
    requireDevice(device);
    requireValue(bytes != nullptr, "no place for the answer");
    *bytes = session().heap.capacity();
  });
}
CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute attribute, CUdevice device) {
  // The runtime has no names for these.
  const bool maps = attribute == CU_DEVICE_ATTRIBUTE_TENSOR_MAP_ACCESS_SUPPORTED;
  if (maps || attribute == CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED) {
    return driver("cuDeviceGetAttribute", [&] {
      requireDevice(device);
      requireValue(value != nullptr, "no place for the answer");
      *value = !maps || session().launcher.platform().capability >= 9 ? 1 : 0;
    });
  }
  // Names since CUDA 12.8, such as of decompression, are of abilities that the model does not have.
  const bool hasName = attribute <= CU_DEVICE_ATTRIBUTE_HOST_NUMA_ID;
  if (!hasName && attribute <= CU_DEVICE_ATTRIBUTE_VULKAN_CIG_SUPPORTED && value != nullptr)
    return driver("cuDeviceGetAttribute", [&] {
      requireDevice(device);
      *value = 0;
    });
  return result(cudaDeviceGetAttribute(value, static_cast<cudaDeviceAttr>(attribute), device));
}
CUresult cuDeviceGetProperties(CUdevprop* properties, CUdevice device) {
  if (properties == nullptr) return CUDA_ERROR_INVALID_VALUE;
  cudaDeviceProp prop;
  const cudaError_t error = cudaGetDeviceProperties(&prop, device);
  if (error != cudaSuccess) return result(error);
  *properties = {prop.maxThreadsPerBlock,
                 {prop.maxThreadsDim[0], prop.maxThreadsDim[1], prop.maxThreadsDim[2]},
                 {prop.maxGridSize[0], prop.maxGridSize[1], prop.maxGridSize[2]},
                 static_cast<int>(prop.sharedMemPerBlock),
                 static_cast<int>(prop.totalConstMem),
                 prop.warpSize,
                 static_cast<int>(prop.memPitch),
                 prop.regsPerBlock,
                 prop.clockRate,
                 static_cast<int>(prop.textureAlignment)};
  return CUDA_SUCCESS;
}
CUresult cuDeviceComputeCapability(int* major, int* minor, CUdevice device) {
  const cudaError_t error =
      cudaDeviceGetAttribute(major, cudaDevAttrComputeCapabilityMajor, device);
  if (error != cudaSuccess) return result(error);
  return result(cudaDeviceGetAttribute(minor, cudaDevAttrComputeCapabilityMinor, device));
}
CUresult cuDeviceGetPCIBusId(char* pciBusId, int length, CUdevice device) {
  return result(cudaDeviceGetPCIBusId(pciBusId, length, device));
}
CUresult cuDeviceCanAccessPeer(int* can, CUdevice device, CUdevice peer) {
  return result(cudaDeviceCanAccessPeer(can, device, peer));
}

CUresult cuModuleLoad(CUmodule* module, const char* file) {
  return driver("cuModuleLoad", [&] {
    requireValue(module != nullptr && file != nullptr, "no place for the module, or no file");
    std::ifstream in(file, std::ios::binary);
    require(in.is_open() && !std::filesystem::is_directory(file), cudaErrorFileNotFound,
            "the file cannot be read");
    *module = load({std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()}, file);
  });
}
CUresult cuModuleLoadData(CUmodule* module, const void* image) {
  return driver("cuModuleLoadData", [&] {
    requireValue(module != nullptr && image != nullptr, "no place for the module, or no PTX");
    *module = load(static_cast<const char*>(image), "a module's PTX");
  });
}
CUresult cuModuleLoadDataEx(CUmodule* module, const void* image, unsigned int, CUjit_option*,
                            void**) {
  return cuModuleLoadData(module, image);  // ignores the options: hints and logs
}
CUresult cuModuleLoadFatBinary(CUmodule* module, const void* image) {
  return cuModuleLoadData(module, image);  // `cc -fatbin` puts PTX into such files
}
CUresult cuModuleUnload(CUmodule module) {
  return driver("cuModuleUnload", [&] {
    for (const auto& [name, function] : requireModule(module).functions)
      functions().erase(function.get());
    modules().erase(module);
    delete module;
  });
}
CUresult cuModuleGetFunction(CUfunction* function, CUmodule module, const char* name) {
  return driver("cuModuleGetFunction", [&] {
    requireValue(function != nullptr && name != nullptr, "no place for the function, or no name");
    CUmod_st& one = requireModule(module);
    const auto entries = one.program->module().entries();
    if (std::find(entries.begin(), entries.end(), name) == entries.end())
      fail(cudaErrorSymbolNotFound, "no kernel '{}'", name);
    auto& made = one.functions[name];
    if (made == nullptr) made.reset(new CUfunc_st{{one.program, name}});
    functions().insert(made.get());
    *function = made.get();
  });
}
CUresult cuModuleGetGlobal(CUdeviceptr* pointer, size_t* bytes, CUmodule module, const char* name) {
  return driver("cuModuleGetGlobal", [&] {
    requireValue(name != nullptr, "no name");
    CUmod_st& one = requireModule(module);
    for (const auto& [variable, size] : one.program->module().variables()) {
      if (variable != name) continue;
      if (bytes != nullptr) *bytes = size;
      if (pointer != nullptr)
        *pointer = soundSession().address({one.program, variable, size, false});
      return;
    }
    fail(cudaErrorSymbolNotFound, "no variable '{}'", name);
  });
}

CUresult cuLaunchKernel(CUfunction function, unsigned int gridX, unsigned int gridY,
                        unsigned int gridZ, unsigned int blockX, unsigned int blockY,
                        unsigned int blockZ, unsigned int sharedBytes, CUstream stream,
                        void** parameters, void** extra) {
  return driver("cuLaunchKernel", [&] {
    return enqueue("cuLaunchKernel", stream, [&] {
      KernelWork work = kernelOf(function, {gridX, gridY, gridZ}, {blockX, blockY, blockZ});
      const bool isBlock = extra != nullptr && parameters == nullptr;
      work.parameters =
          isBlock ? blockOf(extra) : parametersOf(soundSession().kernel(work.function), parameters);
      work.sharedBytes = sharedBytes;
      return work;
    });
  });
}
CUresult cuLaunchCooperativeKernel(CUfunction function, unsigned int gridX, unsigned int gridY,
                                   unsigned int gridZ, unsigned int blockX, unsigned int blockY,
                                   unsigned int blockZ, unsigned int sharedBytes, CUstream stream,
                                   void** parameters) {
  return driver("cuLaunchCooperativeKernel", [&] {
    return enqueue("cuLaunchCooperativeKernel", stream, [&] {
      KernelWork work = kernelOf(function, {gridX, gridY, gridZ}, {blockX, blockY, blockZ});
      work.parameters = parametersOf(soundSession().kernel(work.function), parameters);
      work.sharedBytes = sharedBytes;
      work.cooperative = true;
      return work;
    });
  });
}
CUresult cuLaunchHostFunc(CUstream stream, CUhostFn function, void* userData) {
  return result(cudaLaunchHostFunc(stream, function, userData));
}
CUresult cuFuncGetAttribute(int* value, CUfunction_attribute attribute, CUfunction function) {
  return driver("cuFuncGetAttribute", [&] {
    requireValue(value != nullptr, "no place for the answer");
    const cudaFuncAttributes all = attributesOf(session().kernel(functionOf(function)));
    const std::map<CUfunction_attribute, int> known = {
        {CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, all.maxThreadsPerBlock},
        {CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, static_cast<int>(all.sharedSizeBytes)},
        {CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES, static_cast<int>(all.localSizeBytes)},
        {CU_FUNC_ATTRIBUTE_NUM_REGS, all.numRegs},
        {CU_FUNC_ATTRIBUTE_PTX_VERSION, all.ptxVersion},
        {CU_FUNC_ATTRIBUTE_BINARY_VERSION, all.binaryVersion},
        {CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, all.maxDynamicSharedSizeBytes},
        {CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, all.preferredShmemCarveout},
        {CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET, all.clusterDimMustBeSet},
        {CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH, all.requiredClusterWidth},
        {CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT, all.requiredClusterHeight},
        {CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH, all.requiredClusterDepth},
        {CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, all.nonPortableClusterSizeAllowed},
    };
    const auto found = known.find(attribute);
    *value = found == known.end() ? 0 : found->second;
  });
}
CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value) {
  return driver("cuFuncSetAttribute",
                [&] { setAttribute(session().kernel(functionOf(function)), attribute, value); });
}
CUresult cuFuncSetCacheConfig(CUfunction function, CUfunc_cache config) {
  return driver("cuFuncSetCacheConfig",
                [&] { setCacheConfig(session().kernel(functionOf(function)), config); });
}
CUresult cuFuncSetSharedMemConfig(CUfunction function, CUsharedconfig) {
  return driver("cuFuncSetSharedMemConfig", [&] { (void)functionOf(function); });
}
CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, CUfunction function,
                                                     int blockSize, size_t dynamicSMem) {
  return driver("cuOccupancyMaxActiveBlocksPerMultiprocessor", [&] {
    requireValue(blocks != nullptr, "no place for the answer");
    Session& one = session();
    *blocks = static_cast<int>(
        one.residentCtas(one.kernel(functionOf(function)), blockSize, dynamicSMem));
  });
}

}  // extern "C"
