// malloc and free of kernels. Each allocation is one of the device memory, so that its bounds are
// checked; together they stay within the heap.
#include <algorithm>

#include <fermata/stimuli/ptx/handlers.h>
#include <fermata/stimuli/ptx/warp.h>

namespace fermata::ptx {
namespace {

constexpr std::uint64_t kAlignment = 16;

std::uint64_t roundedUp(std::uint64_t bytes) {
  return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

std::uint64_t value(const Warp& warp, const Instruction& i, std::size_t first, unsigned lane) {
  return laneValue(warp, i.vector[first], false, lane) |
         laneValue(warp, i.vector[first + 1], false, lane) << 32;
}

/// Allocates `bytes` bytes. Returns null if there is no room or `bytes` is 0.
std::uint64_t allocated(Machine& machine, std::uint64_t bytes) {
  const std::uint64_t limit = machine.options.heapBytes;
  DeviceHeap& heap = machine.heap;
  if (bytes == 0 || bytes > limit || roundedUp(bytes) > limit - std::min(limit, heap.used))
    return 0;
  if (!machine.memory->hasRoom(bytes)) return 0;
  const std::uint64_t address = machine.memory->allocate(bytes, "malloc");
  heap.bytes.emplace(address, bytes);
  heap.used += roundedUp(bytes);
  return address;
}

}  // namespace

void executeMalloc(Warp& warp, const Instruction& i, LaneMask mask) {
  for (const unsigned lane : lanesIn(mask)) {
    const std::uint64_t address = allocated(*warp.machine, value(warp, i, 0, lane));
    rowOf<std::uint32_t>(warp, i.vector[2])[lane] = static_cast<std::uint32_t>(address);
    rowOf<std::uint32_t>(warp, i.vector[3])[lane] = static_cast<std::uint32_t>(address >> 32);
  }
}

void executeFree(Warp& warp, const Instruction& i, LaneMask mask) {
  Machine& machine = *warp.machine;
  for (const unsigned lane : lanesIn(mask)) {
    const std::uint64_t address = value(warp, i, 0, lane);
    if (address == 0) continue;
    const auto found = machine.heap.bytes.find(address);
    if (found == machine.heap.bytes.end()) {
      failAt(warp, i, lane,
             "free of address {:#x}, which malloc has not given or which was freed before; {}",
             address, machine.memory->describe(address));
    }
    machine.heap.used -= roundedUp(found->second);
    machine.heap.bytes.erase(found);
    machine.memory->release(address);
  }
}

}  // namespace fermata::ptx
