// Registration, launches and attributes of kernels.
#include <fermata/platforms/cudart/graphs/capture.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>

using namespace fermata::cudart;

// Bounds of the section for __managed__ variables; null in a program without any.
extern "C" {
extern char __start_fermata_managed[] __attribute__((weak));
extern char __stop_fermata_managed[] __attribute__((weak));
}

namespace {

bool isManaged(const char* variable) {
  return variable >= __start_fermata_managed && variable < __stop_fermata_managed;
}

Registration& registrationOf(void** handle) { return *reinterpret_cast<Registration*>(handle); }

/// Record that the compiler emits for a module.
struct FatBinary {
  int magic;
  int version;
  const char* data;
  void* file;
};
constexpr int kFatBinaryMagic = 0x466243b1;

struct Configuration {
  dim3 grid, block;
  std::size_t sharedBytes;
  cudaStream_t stream;
  Configuration* next;
};

/// Configurations that this thread pushed and has not popped, last first. A plain pointer without
/// destructor: exit handlers launch after the thread's objects are destroyed.
thread_local Configuration* pushed = nullptr;

const DeviceFunction& functionOf(const void* host) {
  const DeviceFunction* const function = programs().functions.find(host);
  require(function != nullptr, cudaErrorInvalidDeviceFunction,
          "the address is of no kernel; expected a __global__ function");
  return *function;
}

unsigned residentCtas(const void* host, int threads, std::size_t sharedBytes) {
  Session& one = session();
  return one.residentCtas(one.kernel(functionOf(host)), threads, sharedBytes);
}

}  // namespace

std::vector<std::uint8_t> fermata::cudart::parametersOf(const fermata::ptx::Kernel& kernel,
                                                        void** arguments) {
  std::vector<std::uint8_t> block(kernel.parameterBytes());
  const auto& parameters = kernel.parameters();
  if (arguments == nullptr && !parameters.empty())
    fail(cudaErrorInvalidValue, "no arguments; expected {} for kernel '{}'", parameters.size(),
         kernel.name());
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    requireValue(arguments[i] != nullptr, "an argument at a null pointer");
    std::memcpy(block.data() + parameters[i].offset, arguments[i], parameters[i].bytes);
  }
  return block;
}

extern "C" {

void** __cudaRegisterFatBinary(void* fatCubin) {
  const auto* const binary = static_cast<const FatBinary*>(fatCubin);
  const bool known = binary->magic == kFatBinaryMagic && binary->data != nullptr;
  Program& program = programs().add(std::make_unique<Program>(
      known ? std::string_view(binary->data) : std::string_view(), "the program's PTX"));
  return reinterpret_cast<void**>(&programs().add(Registration{&program, {}}));
}
void __cudaRegisterUnit(void** handle, const char* const* renamed, void (*globals)(void**)) {
  Registration unit{registrationOf(handle).program, {}};
  for (; *renamed != nullptr; renamed += 2) unit.renamed.emplace(renamed[0], renamed[1]);
  globals(reinterpret_cast<void**>(&programs().add(std::move(unit))));
}
void __cudaRegisterFatBinaryEnd(void** handle) {
  Program& program = *registrationOf(handle).program;
  if (!program.managed.empty())
    (void)api("the program's __managed__ variables", [&] { session().place(program); });
}
// No effect: the results of its launches are not yet written.
void __cudaUnregisterFatBinary(void**) {}

void __cudaRegisterFunction(void** handle, const char* hostFunction, char*, const char* deviceName,
                            int, uint3*, uint3*, dim3*, dim3*, int*) {
  const Registration& unit = registrationOf(handle);
  programs().functions.add(hostFunction, {unit.program, unit.nameOf(deviceName)});
}
void __cudaRegisterVar(void** handle, char* hostVariable, char*, const char* deviceName, int,
                       size_t size, int isConstant, int) {
  const Registration& unit = registrationOf(handle);
  const std::string name = unit.nameOf(deviceName);
  if (isManaged(hostVariable)) unit.program->managed.push_back({hostVariable, name});
  programs().variables.add(hostVariable, {unit.program, name, size, isConstant != 0});
}

unsigned int __cudaPushCallConfiguration(dim3 gridDim, dim3 blockDim, size_t sharedMem,
                                         CUstream_st* stream) {
  pushed = new Configuration{gridDim, blockDim, sharedMem, stream, pushed};
  return 0;
}
cudaError_t __cudaPopCallConfiguration(dim3* gridDim, dim3* blockDim, size_t* sharedMem,
                                       void* stream) {
  if (pushed == nullptr) return cudaErrorMissingConfiguration;
  const std::unique_ptr<Configuration> last(std::exchange(pushed, pushed->next));
  *gridDim = last->grid;
  *blockDim = last->block;
  *sharedMem = last->sharedBytes;
  *static_cast<cudaStream_t*>(stream) = last->stream;
  return cudaSuccess;
}

cudaError_t cudaLaunchKernel(const void* func, dim3 gridDim, dim3 blockDim, void** args,
                             size_t sharedMem, cudaStream_t stream) {
  return enqueue("a launch", stream,
                 [&] { return kernelWork(func, gridDim, blockDim, args, sharedMem, false); });
}
cudaError_t cudaLaunchCooperativeKernel(const void* func, dim3 gridDim, dim3 blockDim, void** args,
                                        size_t sharedMem, cudaStream_t stream) {
  return enqueue("a cooperative launch", stream,
                 [&] { return kernelWork(func, gridDim, blockDim, args, sharedMem, true); });
}
cudaError_t cudaLaunchCooperativeKernelMultiDevice(cudaLaunchParams* list, unsigned int count,
                                                   unsigned int) {
  return api("cudaLaunchCooperativeKernelMultiDevice", [&] {
    requireValue(list != nullptr && count == 1, "there is one device; expected one launch");
    return cudaLaunchCooperativeKernel(list->func, list->gridDim, list->blockDim, list->args,
                                       list->sharedMem, list->stream);
  });
}

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* func) {
  return api("cudaFuncGetAttributes", [&] {
    requireValue(attributes != nullptr, "no place for the answer");
    *attributes = attributesOf(session().kernel(functionOf(func)));
  });
}
cudaError_t cudaFuncSetAttribute(const void* func, cudaFuncAttribute attribute, int value) {
  return api("cudaFuncSetAttribute",
             [&] { setAttribute(session().kernel(functionOf(func)), attribute, value); });
}
cudaError_t cudaFuncSetCacheConfig(const void* func, cudaFuncCache config) {
  return api("cudaFuncSetCacheConfig",
             [&] { setCacheConfig(session().kernel(functionOf(func)), config); });
}
cudaError_t cudaFuncSetSharedMemConfig(const void* func, cudaSharedMemConfig) {
  return api("cudaFuncSetSharedMemConfig", [&] { (void)functionOf(func); });
}
cudaError_t cudaSetDoubleForDevice(double*) { return cudaSuccess; }
cudaError_t cudaSetDoubleForHost(double*) { return cudaSuccess; }

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* func,
                                                          int blockSize, size_t dynamicSMem) {
  return api("cudaOccupancyMaxActiveBlocksPerMultiprocessor", [&] {
    requireValue(blocks != nullptr, "no place for the answer");
    *blocks = static_cast<int>(residentCtas(func, blockSize, dynamicSMem));
  });
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* func,
                                                                   int blockSize,
                                                                   size_t dynamicSMem,
                                                                   unsigned int) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, func, blockSize, dynamicSMem);
}
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* dynamicSMem, const void* func,
                                                      int blocks, int blockSize) {
  return api("cudaOccupancyAvailableDynamicSMemPerBlock", [&] {
    requireValue(dynamicSMem != nullptr && blocks > 0, "no place for the answer, or no block");
    (void)residentCtas(func, blockSize, 0);
    const auto& kernel = session().kernel(functionOf(func));
    const fermata::OccupancyLimits limits = session().launcher.limits();
    const unsigned units = limits.sharedBytes / static_cast<unsigned>(blocks) / limits.sharedUnit;
    const unsigned each = units * limits.sharedUnit;
    const unsigned taken = limits.sharedReserved + kernel.staticSharedBytes();
    *dynamicSMem = each - std::min(each, taken);
  });
}

}  // extern "C"
