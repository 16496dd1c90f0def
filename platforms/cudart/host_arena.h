// Host memory that kernels reach at the same addresses: managed and pinned memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>

namespace fermata::cudart {

/// A stretch of the address space that is always the same one, so that the addresses a run sees,
/// and with them its figures, are too.
class HostArena {
 public:
  /// Where no program, library, heap or sanitizer lies on x86-64 Linux.
  static constexpr std::uint64_t kBase = 0x200000000000;
  static constexpr std::uint64_t kBytes = std::uint64_t{1} << 36;

  HostArena();
  ~HostArena();
  HostArena(const HostArena&) = delete;
  HostArena& operator=(const HostArena&) = delete;

  /// Zeroed pages of their own; null where there is no room.
  void* allocate(std::size_t bytes);
  /// Precondition: allocate() gave it. Touching it is a fault from now on.
  void release(void* address);

 private:
  bool reserved_ = false;
  std::map<std::uint64_t, std::uint64_t> free_;  ///< bytes by address; no two touch
  std::map<std::uint64_t, std::uint64_t> used_;
};

}  // namespace fermata::cudart
