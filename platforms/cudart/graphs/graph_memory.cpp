#include <fermata/platforms/cudart/graphs/graph_memory.h>

#include <fermata/platforms/cudart/session.h>

#include <algorithm>
#include <cstring>
#include <map>

namespace fermata::cudart {
namespace {

std::map<const void*, GraphMemory*>& memories() {
  static auto* const all = new std::map<const void*, GraphMemory*>;
  return *all;
}

/// Bytes of cudaGraphMemAttributeType, by its numbers: used now, most used, reserved now, most
/// reserved.
std::uint64_t (&counts())[4] {
  static std::uint64_t all[4] = {};
  return all;
}
void count(int now, std::uint64_t more, std::uint64_t less) {
  std::uint64_t(&all)[4] = counts();
  all[now] += more - less;
  all[now + 1] = std::max(all[now], all[now + 1]);
}

void* reserve(std::size_t bytes, const char* by) {
  requireValue(bytes != 0, "an allocation of 0 bytes");
  return reinterpret_cast<void*>(soundSession().heap.allocate(MemoryKind::Device, bytes, 0, by));
}

/// Frees a block, unless the device has begun anew since it was made.
void release(std::uint64_t address) {
  DeviceHeap& heap = session().heap;
  std::uint64_t base = 0;
  if (heap.find(address, 1, &base) != nullptr && base == address) heap.release(address, false);
}

}  // namespace

GraphMemory::GraphMemory(std::size_t size)
    : pointer(reserve(size, "an allocation node")), bytes(size) {
  memories().emplace(pointer, this);
  count(cudaGraphMemAttrReservedMemCurrent, bytes, 0);
}

GraphMemory::~GraphMemory() {
  const auto found = memories().find(pointer);
  if (found == memories().end() || found->second != this) return;
  memories().erase(found);
  count(cudaGraphMemAttrReservedMemCurrent, 0, bytes);
  if (allocated_)
    count(cudaGraphMemAttrUsedMemCurrent, 0, bytes);
  else
    release(reinterpret_cast<std::uint64_t>(pointer));
}

void GraphMemory::allocate() {
  if (allocated_ && !freedOnLaunch)
    fail(cudaErrorInvalidValue,
         "memory of an earlier launch ({} bytes at {}) is not freed; expected a free before the "
         "graph is launched again, or cudaGraphInstantiateFlagAutoFreeOnLaunch",
         bytes, pointer);
  if (!allocated_) count(cudaGraphMemAttrUsedMemCurrent, bytes, 0);
  allocated_ = true;
}

void GraphMemory::free() {
  requireValue(allocated_, "memory of a graph that is not allocated");
  allocated_ = false;
  count(cudaGraphMemAttrUsedMemCurrent, 0, bytes);
}

GraphMemory* graphMemoryAt(const void* pointer) {
  const auto found = memories().find(pointer);
  return found == memories().end() ? nullptr : found->second;
}

void forgetGraphMemory() {
  memories().clear();
  for (std::uint64_t& each : counts()) each = 0;
}

Condition::Condition(unsigned initial, bool assigned)
    : address_(reinterpret_cast<std::uint64_t>(reserve(sizeof(unsigned), "a condition"))),
      initial_(initial),
      assigned_(assigned) {}

Condition::~Condition() { release(address_); }

unsigned Condition::value() const {
  unsigned value = 0;
  std::memcpy(&value, session().launcher.memory().host(address_), sizeof value);
  return value;
}

void Condition::assignDefault() {
  if (!assigned_) return;
  ptx::DeviceMemory& memory = session().launcher.memory();
  std::memcpy(memory.host(address_), &initial_, sizeof initial_);
  if (memory.tracksWritten()) memory.markInitialised(address_, sizeof initial_);
}

}  // namespace fermata::cudart

using namespace fermata::cudart;

extern "C" {

cudaError_t cudaDeviceGraphMemTrim(int device) {
  // No effect: reserved memory belongs to nodes.
  return api("cudaDeviceGraphMemTrim", [&] {
    require(device == 0, cudaErrorInvalidDevice, "there is one device, number 0");
  });
}
cudaError_t cudaDeviceGetGraphMemAttribute(int device, cudaGraphMemAttributeType attribute,
                                           void* value) {
  return api("cudaDeviceGetGraphMemAttribute", [&] {
    require(device == 0, cudaErrorInvalidDevice, "there is one device, number 0");
    requireValue(value != nullptr, "no place for the answer");
    requireValue(attribute >= 0 && attribute <= cudaGraphMemAttrReservedMemHigh,
                 "no such attribute; expected a cudaGraphMemAttributeType");
    *static_cast<std::uint64_t*>(value) = counts()[attribute];
  });
}
cudaError_t cudaDeviceSetGraphMemAttribute(int device, cudaGraphMemAttributeType attribute,
                                           void* value) {
  return api("cudaDeviceSetGraphMemAttribute", [&] {
    require(device == 0, cudaErrorInvalidDevice, "there is one device, number 0");
    const bool high =
        attribute == cudaGraphMemAttrUsedMemHigh || attribute == cudaGraphMemAttrReservedMemHigh;
    requireValue(high && value != nullptr && *static_cast<std::uint64_t*>(value) == 0,
                 "expected 0 for one of the high marks");
    counts()[attribute] = 0;
  });
}

}  // extern "C"
