// Global memory of the device: allocations in one address space, with bounds checks.
//
// Addresses of the arena fit in 32 bits (kernels compiled with -m32 keep pointers in 32 bits).
// Layout of the address space:
// - from 0: null and the windows of generic addressing (shared, local); see address_space.h;
// - from kArenaBase: allocations, each aligned to 256 bytes, with a gap behind it;
// - from kArenaEnd: local memory as the timing model sees it;
// - from 2^32: memory adopted at addresses that its owner chose, such as managed memory;
// - from kWideBase: more allocations, if Reach::Wide is asked for and the arena has no gap for
// them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>

namespace fermata::ptx {

/// Gives the bytes back to the host if `owns` is set.
struct HostBytesDelete {
  bool owns = true;
  std::size_t mapped = 0;  ///< bytes that mmap gave; 0: calloc gave them
  void operator()(std::uint8_t* data) const;
};
using HostBytes = std::unique_ptr<std::uint8_t[], HostBytesDelete>;

/// One allocation. Bytes are zero when allocated; the host provides a page when it is first
/// touched.
struct Allocation {
  std::uint64_t base = 0;
  std::size_t bytes = 0;
  std::string name;
  HostBytes data;
  HostBytes written;  ///< one flag per byte; null: not tracked

  bool contains(std::uint64_t address, std::size_t size) const {
    return address >= base && size <= bytes && address - base <= bytes - size;
  }
};

/// Selects the addresses that allocations may have.
enum class Reach {
  Arena,  ///< those of 32 bits
  Wide,   ///< larger ones, too, where the arena is full
};

class DeviceMemory {
 public:
  static constexpr std::uint64_t kArenaBase = 0x10000000;
  static constexpr std::uint64_t kArenaEnd = 0xc0000000;
  static constexpr std::uint64_t kAlignment = 256;
  /// No memory of the host that a program may register lies here on x86-64 Linux.
  static constexpr std::uint64_t kWideBase = 0x100000000000;
  static constexpr std::uint64_t kWideEnd = kWideBase + (std::uint64_t{1} << 40);

  /// With `trackWritten` each byte remembers whether it was ever written, which costs one more byte
  /// per byte. At least `gap` bytes behind each allocation stay free, so that an access that leaves
  /// it is seen; they are rounded up to a multiple of kAlignment.
  explicit DeviceMemory(bool trackWritten = false, Reach reach = Reach::Arena,
                        std::uint64_t gap = kAlignment);

  /// Allocates in the smallest gap that is large enough, the lowest if several are equal. Returns
  /// the address. Throws InputError if there is no such gap, the host has no memory, or `bytes` is
  /// 0.
  std::uint64_t allocate(std::size_t bytes, std::string name);
  /// True if allocate() would find a gap.
  bool hasRoom(std::size_t bytes) const;
  /// Makes [base, base + bytes) device memory whose bytes are `data`. The caller keeps ownership;
  /// `data` must outlive this object. Throws InputError if the range meets another allocation, lies
  /// in [0, kArenaBase), or cannot be placed in the arena.
  void adopt(std::uint64_t base, std::size_t bytes, void* data, std::string name);
  /// Frees the allocation that starts at `address`, and merges adjacent gaps. Throws InputError if
  /// no allocation starts there.
  void release(std::uint64_t address);

  /// Returns the allocation that holds [address, address + bytes), or nullptr.
  Allocation* find(std::uint64_t address, std::size_t bytes = 1);
  const Allocation* find(std::uint64_t address, std::size_t bytes = 1) const;

  /// Returns a host pointer to the byte at `address`, valid to the end of its allocation. Throws
  /// InputError outside of all allocations. Writing through the pointer does not mark bytes as
  /// written.
  std::uint8_t* host(std::uint64_t address);
  const std::uint8_t* host(std::uint64_t address) const;
  void read(std::uint64_t address, void* to, std::size_t bytes) const;
  void write(std::uint64_t address, const void* from, std::size_t bytes);
  void markInitialised(std::uint64_t address, std::size_t bytes);
  const std::map<std::uint64_t, Allocation>& allocations() const { return allocations_; }
  bool tracksWritten() const { return trackWritten_; }
  /// Number of releases so far. A kept Allocation* is stale once the number has grown.
  std::uint64_t generation() const { return generation_; }
  /// Bytes of gaps: addresses that neither an allocation nor the space behind one takes.
  std::uint64_t freeBytes() const { return freeBytes_; }

  /// Describes an address for error messages: "0x10000400 is 4 bytes past the end of 'a' (256 bytes
  /// at 0x10000000)".
  std::string describe(std::uint64_t address) const;

 private:
  struct Freed {
    std::size_t bytes = 0;
    std::string name;
  };

  const Allocation& require(std::uint64_t address, std::size_t bytes) const;
  /// True if allocate() may choose `base`.
  static bool isPlaced(std::uint64_t base);
  /// Returns the bytes of the arena that an allocation takes, with the gap behind it.
  std::uint64_t span(std::uint64_t bytes) const;
  void insert(Allocation allocation);
  void addGap(std::uint64_t base, std::uint64_t end);
  void takeGap(std::uint64_t base, std::uint64_t end);
  void remember(const Allocation& allocation);
  void forget(std::uint64_t base, std::uint64_t end);
  std::string describeFreed(std::uint64_t address) const;

  bool trackWritten_;
  std::uint64_t gap_;
  std::uint64_t generation_ = 0;
  std::uint64_t freeBytes_ = 0;
  std::map<std::uint64_t, Allocation> allocations_;  ///< by base
  std::map<std::uint64_t, std::uint64_t> gaps_;      ///< addresses that are free: base, end
  std::set<std::pair<std::uint64_t, std::uint64_t>> gapsBySize_;  ///< gaps again: bytes, base
  std::map<std::uint64_t, Freed> freed_;                          ///< by base; the latest releases
  std::deque<std::uint64_t> freedOrder_;
};

}  // namespace fermata::ptx
