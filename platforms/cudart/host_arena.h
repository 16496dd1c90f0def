// Host memory that kernels reach at the same addresses: managed and pinned memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>

namespace fermata::cudart {

/// A range of addresses that is the same in every run: a run sees the same addresses and so gives
/// the same figures.
class HostArena {
 public:
  /// No program, library, heap or sanitizer lies here on x86-64 Linux.
  static constexpr std::uint64_t kBase = 0x200000000000;
  static constexpr std::uint64_t kBytes = std::uint64_t{1} << 36;

  HostArena();
  ~HostArena();
  HostArena(const HostArena&) = delete;
  HostArena& operator=(const HostArena&) = delete;

  /// Returns zeroed pages of their own, or null for lack of room.
  void* allocate(std::size_t bytes);
  /// Frees a block; touching it is a fault from now on. Precondition: allocate() gave `address`.
  void release(void* address);

 private:
  bool reserved_ = false;
  std::map<std::uint64_t, std::uint64_t> free_;  ///< bytes by address; no two touch
  std::map<std::uint64_t, std::uint64_t> used_;
};

}  // namespace fermata::cudart
