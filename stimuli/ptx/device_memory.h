// Global memory of the device: allocations in one address space, bounds-checked.
//
// Addresses fit 32 bits (kernels compiled with -m32 keep pointers in 32 bits). Layout of the space:
//   [0, kArenaBase)              windows of generic addressing (shared, local), null; see
//   address_space.h [kArenaBase, kArenaEnd)      allocations, each aligned to 256 bytes, at least
//   256 bytes apart [kArenaEnd, 2^32)            local memory as the timing model sees it
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace fermata::ptx {

/// One allocation. Bytes are zero when allocated.
struct Allocation {
  std::uint64_t base = 0;
  std::size_t bytes = 0;
  std::string name;
  std::unique_ptr<std::uint8_t[]> data;
  std::unique_ptr<std::uint8_t[]> written;  ///< one flag a byte; null when not tracked

  bool contains(std::uint64_t address, std::size_t size) const {
    return address >= base && size <= bytes && address - base <= bytes - size;
  }
};

class DeviceMemory {
 public:
  static constexpr std::uint64_t kArenaBase = 0x10000000;
  static constexpr std::uint64_t kArenaEnd = 0xc0000000;
  static constexpr std::uint64_t kAlignment = 256;

  /// With `trackWritten` each byte remembers whether it was ever written (one more byte a byte).
  explicit DeviceMemory(bool trackWritten = false) : trackWritten_(trackWritten) {}

  /// Throws InputError when the address space is full or `bytes` is 0.
  std::uint64_t allocate(std::size_t bytes, std::string name);
  /// Frees the allocation that starts at `address`; InputError when there is none.
  void release(std::uint64_t address);

  /// The allocation that holds [address, address + bytes), or nullptr.
  Allocation* find(std::uint64_t address, std::size_t bytes = 1);
  const Allocation* find(std::uint64_t address, std::size_t bytes = 1) const;

  /// Host pointer to the byte at `address`, valid to the end of its allocation. InputError outside.
  /// Writing through it does not mark bytes as written.
  std::uint8_t* host(std::uint64_t address);
  const std::uint8_t* host(std::uint64_t address) const;
  void read(std::uint64_t address, void* to, std::size_t bytes) const;
  void write(std::uint64_t address, const void* from, std::size_t bytes);
  void markInitialised(std::uint64_t address, std::size_t bytes);
  const std::map<std::uint64_t, Allocation>& allocations() const { return allocations_; }
  bool tracksWritten() const { return trackWritten_; }
  /// Grows with every release, so that whoever keeps an Allocation* knows when to drop it.
  std::uint64_t generation() const { return generation_; }

  /// "0x10000400 is 4 bytes past the end of 'a' (256 bytes at 0x10000000)": for error messages.
  std::string describe(std::uint64_t address) const;

 private:
  const Allocation& require(std::uint64_t address, std::size_t bytes) const;

  bool trackWritten_;
  std::uint64_t next_ = kArenaBase;
  std::uint64_t generation_ = 0;
  std::map<std::uint64_t, Allocation> allocations_;  ///< by base
};

}  // namespace fermata::ptx
