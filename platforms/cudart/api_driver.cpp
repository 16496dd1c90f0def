// The driver interface: devices, contexts, modules and kernels.
#include <fermata/platforms/cudart/driver.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <set>

using namespace fermata::cudart;

namespace {

CUctx_st primary;
std::set<CUmodule>& modules() {
  static auto* const all = new std::set<CUmodule>;
  return *all;
}
std::set<CUcontext>& contexts() {
  static auto* const all = new std::set<CUcontext>{&primary};
  return *all;
}
CUcontext& current() {
  thread_local CUcontext context = nullptr;
  return context;
}

void requireDevice(CUdevice device) {
  require(device == 0, cudaErrorInvalidDevice, "there is one device, number 0");
}
CUmod_st& requireModule(CUmodule module) {
  require(modules().count(module) != 0, cudaErrorInvalidResourceHandle, "not a module");
  return *module;
}
const DeviceFunction& functionOf(CUfunction function) {
  require(function != nullptr, cudaErrorInvalidResourceHandle, "not a function");
  return function->function;
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

/// Of cuLaunchKernel's `extra`: a block of parameters as the kernel sees it.
std::vector<std::uint8_t> blockOf(void** extra) {
  const void* data = nullptr;
  std::size_t bytes = 0;
  for (; *extra != CU_LAUNCH_PARAM_END; extra += 2) {
    if (*extra == CU_LAUNCH_PARAM_BUFFER_POINTER) data = extra[1];
    if (*extra == CU_LAUNCH_PARAM_BUFFER_SIZE) bytes = *static_cast<std::size_t*>(extra[1]);
  }
  requireValue(data != nullptr, "no parameters in `extra`");
  const auto* const first = static_cast<const std::uint8_t*>(data);
  return {first, first + bytes};
}

fermata::ptx::Dim3 dimensions(unsigned x, unsigned y, unsigned z) {
  fermata::ptx::Dim3 to;
  to.x = x;
  to.y = y;
  to.z = z;
  return to;
}

}  // namespace

extern "C" {

CUresult cuInit(unsigned int) {
  return driver("cuInit", [] { (void)session(); });
}
CUresult cuDriverGetVersion(int* version) {
  return result(cudaDriverGetVersion(version));
}
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
CUresult cuDeviceGetCount(int* count) {
  return result(cudaGetDeviceCount(count));
}
CUresult cuDeviceGetName(char* name, int length, CUdevice device) {
  return driver("cuDeviceGetName", [&] {
    requireDevice(device);
    requireValue(name != nullptr && length > 0, "no place for the name");
    std::snprintf(name, static_cast<std::size_t>(length), "Fermata %s",
                  session().launcher.platform().name.c_str());
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
    *bytes = DeviceHeap::kBytes;
  });
}
CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute attribute, CUdevice device) {
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
CUresult cuCtxDetach(CUcontext context) {
  return cuCtxDestroy(context);
}
CUresult cuCtxSetCurrent(CUcontext context) {
  return driver("cuCtxSetCurrent", [&] {
    require(context == nullptr || contexts().count(context) != 0, cudaErrorDeviceUninitialized,
            "not a context");
    current() = context;
  });
}
CUresult cuCtxPushCurrent(CUcontext context) {
  return cuCtxSetCurrent(context);
}
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
CUresult cuCtxGetDevice(CUdevice* device) {
  if (device == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *device = 0;
  return CUDA_SUCCESS;
}
CUresult cuCtxGetFlags(unsigned int* flags) {
  if (flags == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *flags = current() == nullptr ? 0 : current()->flags;
  return CUDA_SUCCESS;
}
CUresult cuCtxGetApiVersion(CUcontext, unsigned int* version) {
  if (version == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *version = 3020;
  return CUDA_SUCCESS;
}
CUresult cuCtxSynchronize() {
  return result(cudaDeviceSynchronize());
}
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

CUresult cuModuleLoad(CUmodule* module, const char* file) {
  return driver("cuModuleLoad", [&] {
    requireValue(module != nullptr && file != nullptr, "no place for the module, or no file");
    std::ifstream in(file, std::ios::binary);
    require(in.is_open(), cudaErrorFileNotFound, "the file cannot be read");
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
  return cuModuleLoadData(module, image);  // the options are hints and logs
}
CUresult cuModuleLoadFatBinary(CUmodule*, const void*) {
  return refusedByDriver("cuModuleLoadFatBinary", "expected PTX");
}
CUresult cuModuleUnload(CUmodule module) {
  return driver("cuModuleUnload", [&] {
    (void)requireModule(module);
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
      throw ApiError(cudaErrorSymbolNotFound, std::string("no kernel '") + name + "'");
    auto& made = one.functions[name];
    if (made == nullptr) made.reset(new CUfunc_st{{one.program, name}});
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
    throw ApiError(cudaErrorSymbolNotFound, std::string("no variable '") + name + "'");
  });
}

CUresult cuLaunchKernel(CUfunction function, unsigned int gridX, unsigned int gridY,
                        unsigned int gridZ, unsigned int blockX, unsigned int blockY,
                        unsigned int blockZ, unsigned int sharedBytes, CUstream, void** parameters,
                        void** extra) {
  return driver("cuLaunchKernel", [&] {
    const auto grid = dimensions(gridX, gridY, gridZ);
    const auto block = dimensions(blockX, blockY, blockZ);
    if (extra != nullptr && parameters == nullptr) {
      soundSession().launch(functionOf(function), grid, block, sharedBytes, blockOf(extra), false);
    } else {
      soundSession().launch(functionOf(function), grid, block, sharedBytes, parameters, false);
    }
  });
}
CUresult cuLaunchCooperativeKernel(CUfunction function, unsigned int gridX, unsigned int gridY,
                                   unsigned int gridZ, unsigned int blockX, unsigned int blockY,
                                   unsigned int blockZ, unsigned int sharedBytes, CUstream,
                                   void** parameters) {
  return driver("cuLaunchCooperativeKernel", [&] {
    soundSession().launch(functionOf(function), dimensions(gridX, gridY, gridZ),
                          dimensions(blockX, blockY, blockZ), sharedBytes, parameters, true);
  });
}
CUresult cuLaunchHostFunc(CUstream stream, CUhostFn function, void* userData) {
  return result(cudaLaunchHostFunc(stream, function, userData));
}
CUresult cuFuncGetAttribute(int* value, CUfunction_attribute attribute, CUfunction function) {
  return driver("cuFuncGetAttribute", [&] {
    requireValue(value != nullptr, "no place for the answer");
    const auto& kernel = session().kernel(functionOf(function));
    switch (attribute) {
      case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
        *value = kernel.maximumThreads() != 0 ? static_cast<int>(kernel.maximumThreads()) : 1024;
        return;
      case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
        *value = static_cast<int>(kernel.staticSharedBytes());
        return;
      case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
        *value = static_cast<int>(kernel.localBytes());
        return;
      case CU_FUNC_ATTRIBUTE_NUM_REGS:
        *value = static_cast<int>(kernel.registersPerThread());
        return;
      case CU_FUNC_ATTRIBUTE_PTX_VERSION:
      case CU_FUNC_ATTRIBUTE_BINARY_VERSION:
        *value = 70;
        return;
      case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
        *value = static_cast<int>(mostSharedBytes() - kernel.staticSharedBytes());
        return;
      default:
        *value = 0;
    }
  });
}
CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value) {
  return driver("cuFuncSetAttribute",
                [&] { setAttribute(session().kernel(functionOf(function)), attribute, value); });
}
CUresult cuFuncSetCacheConfig(CUfunction function, CUfunc_cache) {
  return driver("cuFuncSetCacheConfig", [&] { (void)functionOf(function); });
}
CUresult cuFuncSetSharedMemConfig(CUfunction function, CUsharedconfig) {
  return driver("cuFuncSetSharedMemConfig", [&] { (void)functionOf(function); });
}
CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, CUfunction function,
                                                     int blockSize, size_t dynamicSMem) {
  return driver("cuOccupancyMaxActiveBlocksPerMultiprocessor", [&] {
    requireValue(blocks != nullptr && blockSize > 0 && blockSize <= 1024, "a block of that size");
    fermata::ptx::Launch shape;
    shape.kernel = &session().kernel(functionOf(function));
    shape.block.x = static_cast<unsigned>(blockSize);
    shape.grid.x = ~0U;
    shape.dynamicSharedBytes = static_cast<std::uint32_t>(dynamicSMem);
    *blocks = static_cast<int>(session().launcher.residentCtas(shape));
  });
}

}  // extern "C"
