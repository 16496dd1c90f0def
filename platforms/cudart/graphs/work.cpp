#include <fermata/platforms/cudart/graphs/work.h>

#include <fermata/platforms/cudart/arrays.h>
#include <fermata/platforms/cudart/driver.h>
#include <fermata/platforms/cudart/streams.h>

namespace fermata::cudart {
namespace {

const DeviceFunction& functionOf(const void* handle) {
  const DeviceFunction* const host = programs().functions.find(handle);
  if (host != nullptr) return *host;
  const DeviceFunction* const made = driverFunction(handle);
  require(made != nullptr, cudaErrorInvalidDeviceFunction,
          "the address is of no kernel; expected a __global__ function");
  return *made;
}

ptx::Dim3 shape(const dim3& from) { return {from.x, from.y, from.z}; }

KernelWork plainKernel(const void* handle, const dim3& grid, const dim3& block,
                       std::size_t sharedBytes) {
  KernelWork work;
  work.handle = handle;
  work.function = functionOf(handle);
  work.grid = shape(grid);
  work.block = shape(block);
  work.sharedBytes = sharedBytes;
  return work;
}

}  // namespace

cudaGraphNodeType typeOf(const Work& work) {
  static constexpr cudaGraphNodeType kTypes[] = {
      cudaGraphNodeTypeKernel,      cudaGraphNodeTypeMemcpy,     cudaGraphNodeTypeMemset,
      cudaGraphNodeTypeHost,        cudaGraphNodeTypeEmpty,      cudaGraphNodeTypeGraph,
      cudaGraphNodeTypeEventRecord, cudaGraphNodeTypeWaitEvent,  cudaGraphNodeTypeMemAlloc,
      cudaGraphNodeTypeMemFree,     cudaGraphNodeTypeConditional};
  static_assert(std::size(kTypes) == std::variant_size_v<Work>);
  return kTypes[work.index()];
}

const char* typeName(cudaGraphNodeType type) {
  static constexpr const char* kNames[] = {
      "kernel",     "memcpy",     "memset",          "host",       "graph",
      "empty",      "event wait", "event record",    "semaphore",  "semaphore",
      "allocation", "free",       "batch of memory", "conditional"};
  return type < std::size(kNames) ? kNames[type] : "unknown";
}

KernelWork kernelWork(const void* host, const dim3& grid, const dim3& block, void** arguments,
                      std::size_t sharedBytes, bool cooperative) {
  KernelWork work = plainKernel(host, grid, block, sharedBytes);
  work.parameters = parametersOf(soundSession().kernel(work.function), arguments);
  work.cooperative = cooperative;
  return work;
}

KernelWork kernelWork(const cudaKernelNodeParams& p) {
  KernelWork work = plainKernel(p.func, p.gridDim, p.blockDim, p.sharedMemBytes);
  requireValue(p.kernelParams == nullptr || p.extra == nullptr,
               "both kernelParams and extra; expected one of them");
  if (p.extra != nullptr)
    work.parameters = blockOf(p.extra);
  else
    work.parameters = parametersOf(soundSession().kernel(work.function), p.kernelParams);
  requireLaunchable(work);
  return work;
}

CopyWork copyWork(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  return copyWork({to, bytes, bytes, 1}, {const_cast<void*>(from), bytes, bytes, 1}, {bytes, 1, 1},
                  kind);
}

CopyWork copyWork(const cudaPitchedPtr& to, const cudaPitchedPtr& from, const cudaExtent& extent,
                  cudaMemcpyKind kind) {
  CopyWork work;
  work.parameters.dstPtr = to;
  work.parameters.srcPtr = from;
  work.parameters.extent = extent;
  work.parameters.kind = kind;
  return work;
}

CopyWork copyWork(const cudaMemcpy3DParms& p) {
  requireValue((p.srcArray != nullptr) != (p.srcPtr.ptr != nullptr),
               "a copy needs one source; expected an array or a pointer");
  requireValue((p.dstArray != nullptr) != (p.dstPtr.ptr != nullptr),
               "a copy needs one target; expected an array or a pointer");
  require(p.kind >= cudaMemcpyHostToHost && p.kind <= cudaMemcpyDefault,
          cudaErrorInvalidMemcpyDirection, "a direction that there is not");
  return {p};
}

FillWork fillWork(void* to, int value, std::size_t bytes) {
  return {{to, bytes, static_cast<unsigned>(value), 1, bytes, 1}};
}

FillWork fillWork(const cudaMemsetParams& p) {
  requireValue(p.dst != nullptr, "a fill at a null pointer");
  requireValue(p.elementSize == 1 || p.elementSize == 2 || p.elementSize == 4,
               "elements of that size; expected 1, 2 or 4 bytes");
  const std::uint64_t address = reinterpret_cast<std::uint64_t>(p.dst);
  requireValue(address % p.elementSize == 0, "an address that is no multiple of the element");
  FillWork work{p};
  if (p.height <= 1) work.parameters.pitch = product(p.width, p.elementSize);
  return work;
}

HostWork hostWork(cudaHostFn_t function, void* userData) {
  requireValue(function != nullptr, "no function");
  return {function, userData};
}

void requireLaunchable(const KernelWork& work) {
  soundSession().requireLaunchable(work.function, work.grid, work.block, work.sharedBytes,
                                   work.parameters, work.cooperative, work.cluster);
}

void perform(const KernelWork& work) {
  soundSession().launch(work.function, work.grid, work.block, work.sharedBytes, work.parameters,
                        work.cooperative, work.cluster);
}

void perform(const CopyWork& work) { copy(soundSession(), work.parameters, work.xInBytes); }

void perform(const FillWork& work) {
  const cudaMemsetParams& p = work.parameters;
  fill(soundSession(), {p.dst, p.pitch, work.slicePitch},
       {product(p.width, p.elementSize), p.height, work.slices}, p.value, p.elementSize);
}

void perform(const EmptyWork&) {}

void perform(const RecordWork& work) { record(work.event); }

void perform(const WaitWork& work) {
  requireEvent(work.event);
  soundSession();
}

void perform(const AllocateWork& work) {
  soundSession();
  work.memory->allocate();
}

void perform(const FreeWork& work) {
  soundSession();
  GraphMemory* const memory = graphMemoryAt(work.pointer);
  requireValue(memory != nullptr, "memory of a graph that there is no more");
  memory->free();
}

}  // namespace fermata::cudart
