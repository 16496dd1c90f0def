// Memory of the runtime interface.
#include <fermata/platforms/cudart/copies.h>
#include <fermata/platforms/cudart/graphs/capture.h>
#include <fermata/platforms/cudart/pools.h>
#include <fermata/platforms/cudart/session.h>
#include <fermata/platforms/cudart/sizes.h>

#include <algorithm>

using namespace fermata::cudart;

namespace {

constexpr std::size_t kPitch = 512;  ///< bytes; rows of cudaMallocPitch start at multiples of it

std::uint64_t addressOf(const void* pointer) { return reinterpret_cast<std::uint64_t>(pointer); }

/// Allocates a block; null for size 0.
void* block(const char* name, std::size_t size, MemoryKind kind, unsigned flags = 0) {
  Session& session = soundSession();
  if (size == 0) return nullptr;
  return reinterpret_cast<void*>(session.heap.allocate(kind, size, flags, name));
}

cudaError_t allocate(const char* name, void** pointer, std::size_t size, MemoryKind kind,
                     unsigned flags = 0) {
  return api(name, [&] {
    requireValue(pointer != nullptr, "no place for the pointer");
    *pointer = nullptr;
    requireOutsideCapture();
    *pointer = block(name, size, kind, flags);
  });
}

void release(void* pointer, bool ofHost) {
  Session& session = soundSession();
  if (pointer == nullptr) return;
  if (GraphMemory* const memory = graphMemoryAt(pointer); memory != nullptr && !ofHost)
    return memory->free();
  session.heap.release(addressOf(pointer), ofHost);
}
cudaError_t release(const char* name, void* pointer, bool ofHost) {
  return api(name, [&] {
    requireOutsideCapture();
    release(pointer, ofHost);
  });
}

/// Allocates `rows` rows of `width` bytes, each at a multiple of kPitch. Sets both outputs or none.
void allocateRows(const char* name, void*& pointer, std::size_t& pitch, std::size_t width,
                  std::size_t rows) {
  requireOutsideCapture();
  constexpr cudaError_t kCode = cudaErrorMemoryAllocation;
  const std::size_t bytes = roundedUp(width, kPitch, kCode);
  pointer = block(name, product(bytes, rows, kCode), MemoryKind::Device);
  pitch = bytes;
}

const Block& hostBlock(Session& session, const void* host) {
  const Block* const block = session.heap.find(addressOf(host));
  requireValue(block != nullptr && block->kind != MemoryKind::Device,
               "not memory of cudaHostAlloc, cudaHostRegister or cudaMallocManaged");
  return *block;
}

}  // namespace

void fermata::cudart::requireManaged(const void* pointer, std::size_t bytes) {
  const Block* const block = soundSession().heap.find(addressOf(pointer), bytes);
  requireValue(block != nullptr && block->kind == MemoryKind::Managed, "not managed memory");
}

extern "C" {

cudaError_t cudaMalloc(void** pointer, size_t size) {
  return allocate("cudaMalloc", pointer, size, MemoryKind::Device);
}
cudaError_t cudaMallocHost(void** pointer, size_t size) {
  return allocate("cudaMallocHost", pointer, size, MemoryKind::Pinned);
}
cudaError_t cudaHostAlloc(void** pointer, size_t size, unsigned int flags) {
  return allocate("cudaHostAlloc", pointer, size, MemoryKind::Pinned, flags);
}
cudaError_t cudaMallocManaged(void** pointer, size_t size, unsigned int flags) {
  if (size == 0) return api("cudaMallocManaged", [] { requireValue(false, "0 bytes"); });
  return allocate("cudaMallocManaged", pointer, size, MemoryKind::Managed, flags);
}
cudaError_t cudaMallocAsync(void** pointer, size_t size, cudaStream_t stream) {
  return inStream("cudaMallocAsync", stream, [&] {
    requireValue(pointer != nullptr, "no place for the pointer");
    *pointer = nullptr;
    if (captureOf(stream) == nullptr) {
      *pointer = block("cudaMallocAsync", size, MemoryKind::Device);
      if (*pointer != nullptr) soundSession().heap.assign(addressOf(*pointer), currentPool());
      return;
    }
    AllocateWork work{std::make_shared<GraphMemory>(size)};
    *pointer = work.memory->pointer;
    append(stream, std::move(work));
  });
}
cudaError_t cudaMallocPitch(void** pointer, size_t* pitch, size_t width, size_t height) {
  return api("cudaMallocPitch", [&] {
    requireValue(pointer != nullptr && pitch != nullptr, "no place for the pointer or the pitch");
    *pointer = nullptr;
    allocateRows("cudaMallocPitch", *pointer, *pitch, width, height);
  });
}
cudaError_t cudaMalloc3D(cudaPitchedPtr* pitched, cudaExtent extent) {
  return api("cudaMalloc3D", [&] {
    requireValue(pitched != nullptr, "no place for the pointer");
    *pitched = {nullptr, 0, extent.width, extent.height};
    allocateRows("cudaMalloc3D", pitched->ptr, pitched->pitch, extent.width,
                 product(extent.height, extent.depth, cudaErrorMemoryAllocation));
  });
}

cudaError_t cudaFree(void* pointer) { return release("cudaFree", pointer, false); }
cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream) {
  return inStream("cudaFreeAsync", stream, [&] {
    const Capture* const capture = captureOf(stream);
    if (capture != nullptr)
      append(stream, freeWork(*capture->graph, pointer));
    else
      release(pointer, false);
  });
}
cudaError_t cudaFreeHost(void* pointer) { return release("cudaFreeHost", pointer, true); }

cudaError_t cudaHostRegister(void* pointer, size_t size, unsigned int flags) {
  return api("cudaHostRegister", [&] {
    requireValue(pointer != nullptr && size != 0, "no memory");
    requireOutsideCapture();
    soundSession().heap.adopt(pointer, size, flags);
  });
}
cudaError_t cudaHostUnregister(void* pointer) {
  return api("cudaHostUnregister", [&] { soundSession().heap.unregister(pointer); });
}
cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned int) {
  return api("cudaHostGetDevicePointer", [&] {
    requireValue(device != nullptr, "no place for the pointer");
    (void)hostBlock(soundSession(), host);
    *device = host;  // host and device use one address
  });
}
cudaError_t cudaHostGetFlags(unsigned int* flags, void* host) {
  return api("cudaHostGetFlags", [&] {
    requireValue(flags != nullptr, "no place for the flags");
    *flags = hostBlock(soundSession(), host).flags;
  });
}

cudaError_t cudaMemGetInfo(size_t* free, size_t* total) {
  return api("cudaMemGetInfo", [&] {
    requireValue(free != nullptr && total != nullptr, "no place for the answer");
    *free = soundSession().heap.freeBytes();
    *total = soundSession().heap.capacity();
  });
}
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
  return api("cudaPointerGetAttributes", [&] {
    requireValue(attributes != nullptr, "no place for the answer");
    *attributes = {};
    Session& session = soundSession();
    const Block* const block = session.heap.find(addressOf(pointer));
    auto* const address = const_cast<void*>(pointer);
    if (block == nullptr) {
      const bool variable = session.launcher.memory().find(addressOf(pointer)) != nullptr;
      attributes->type = variable ? cudaMemoryTypeDevice : cudaMemoryTypeUnregistered;
      (variable ? attributes->devicePointer : attributes->hostPointer) = address;
      if (!variable) attributes->device = -2;
      return;
    }
    attributes->type = block->kind == MemoryKind::Device    ? cudaMemoryTypeDevice
                       : block->kind == MemoryKind::Managed ? cudaMemoryTypeManaged
                                                            : cudaMemoryTypeHost;
    attributes->devicePointer = address;
    attributes->hostPointer = block->kind == MemoryKind::Device ? nullptr : address;
  });
}

// Checks only: pages do not move, since both sides reach them where they are.
cudaError_t cudaMemPrefetchAsync(const void* pointer, size_t count, int, cudaStream_t stream) {
  return uncaptured("cudaMemPrefetchAsync", stream, [&] { requireManaged(pointer, count); });
}
cudaError_t cudaMemPrefetchAsync_v2(const void* pointer, size_t count, cudaMemLocation,
                                    unsigned int, cudaStream_t stream) {
  return cudaMemPrefetchAsync(pointer, count, 0, stream);
}
cudaError_t cudaMemAdvise_v2(const void* pointer, size_t count, cudaMemoryAdvise advice,
                             cudaMemLocation) {
  return cudaMemAdvise(pointer, count, advice, 0);
}
cudaError_t cudaMemAdvise(const void* pointer, size_t count, cudaMemoryAdvise, int) {
  return api("cudaMemAdvise", [&] { requireManaged(pointer, count); });
}

}  // extern "C"
