// Memory of a program: device, managed, pinned and registered.
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
  const void* pool = nullptr;  ///< the memory pool that it belongs to, if any
  bool mapped = false;         ///< its bytes are others' (map())
};

/// Bytes that the blocks of a memory pool take, and took at most.
struct PoolUse {
  std::uint64_t now = 0, high = 0;
};

class DeviceHeap {
 public:
  /// The device has `capacity` bytes.
  DeviceHeap(ptx::DeviceMemory& memory, std::uint64_t capacity)
      : memory_(memory), capacity_(capacity) {}

  /// Allocates zeroed memory and returns its address on the device; for kinds other than Device
  /// also its address on the host. Throws ApiError (cudaErrorMemoryAllocation).
  std::uint64_t allocate(MemoryKind kind, std::size_t bytes, unsigned flags, const char* by);
  /// Registers memory that the program allocated itself. Throws ApiError.
  void adopt(void* address, std::size_t bytes, unsigned flags);
  /// Frees a block. Throws ApiError (cudaErrorInvalidValue) if no block of that kind begins there.
  void release(std::uint64_t address, bool ofHost);
  void unregister(void* address);
  /// Makes a block belong to a memory pool. Precondition: a block begins there.
  void assign(std::uint64_t address, const void* pool);
  PoolUse& use(const void* pool) { return pools_[pool]; }

  /// Takes bytes of the capacity without an address, and gives them back. Throws ApiError.
  void take(std::size_t bytes);
  void giveBack(std::size_t bytes) { used_ -= bytes; }
  /// Makes [address, address + bytes) memory of the device whose bytes are `data`.
  void map(std::uint64_t address, std::size_t bytes, void* data);
  /// Precondition: map() had this address.
  void unmap(std::uint64_t address);
  void clear();

  /// Returns the block that holds [address, address + bytes), or null.
  const Block* find(std::uint64_t address, std::size_t bytes = 1,
                    std::uint64_t* base = nullptr) const;
  std::uint64_t capacity() const { return capacity_; }
  std::uint64_t freeBytes() const { return capacity_ - used_; }

 private:
  void requireRoom(std::size_t bytes) const;
  [[noreturn]] void refuseFor(std::size_t bytes) const;

  ptx::DeviceMemory& memory_;
  std::uint64_t capacity_;  ///< bytes
  HostArena arena_;
  std::map<std::uint64_t, Block> blocks_;  ///< by base
  std::map<const void*, PoolUse> pools_;
  std::uint64_t used_ = 0;         ///< bytes, device and managed memory
  std::uint64_t allocations_ = 0;  ///< count so far, for names of blocks
};

}  // namespace fermata::cudart
