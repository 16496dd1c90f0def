// Memory of a program: on the device, managed, pinned and registered.
#pragma once

#include <fermata/platforms/cudart/host_arena.h>
#include <fermata/stimuli/ptx/device_memory.h>

#include <cstdint>
#include <map>
#include <string>

namespace fermata::cudart {

enum class MemoryKind { Device, Managed, Pinned, Registered };

struct Block {
  MemoryKind kind = MemoryKind::Device;
  std::size_t bytes = 0;
  unsigned flags = 0;
};

class DeviceHeap {
 public:
  /// What a program may have, as cudaMemGetInfo says it.
  static constexpr std::uint64_t kBytes = std::uint64_t{2} << 30;

  explicit DeviceHeap(ptx::DeviceMemory& memory) : memory_(memory) {}

  /// Zeroed; its address on the device, for what is not Device on the host too. Throws ApiError
  /// (cudaErrorMemoryAllocation).
  std::uint64_t allocate(MemoryKind kind, std::size_t bytes, unsigned flags, const char* by);
  /// Memory of the program's own. Throws ApiError.
  void adopt(void* address, std::size_t bytes, unsigned flags);
  /// Throws ApiError (cudaErrorInvalidValue) where none of that kind begins there.
  void release(std::uint64_t address, bool ofHost);
  void unregister(void* address);
  void clear();

  /// The block that holds [address, address + bytes); null: none.
  const Block* find(std::uint64_t address, std::size_t bytes = 1,
                    std::uint64_t* base = nullptr) const;
  std::uint64_t freeBytes() const { return kBytes - used_; }

 private:
  ptx::DeviceMemory& memory_;
  HostArena arena_;
  std::map<std::uint64_t, Block> blocks_;  ///< by base
  std::uint64_t used_ = 0;                 ///< on the device and managed
  std::uint64_t allocations_ = 0;          ///< so far, for their names
};

}  // namespace fermata::cudart
