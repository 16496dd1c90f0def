// Memory that processes forked later see at the same addresses, to pass data to each other.
#pragma once

#include <cstddef>
#include <cstdint>

namespace fermata::traces {

/// Reserves memory for plain data, which is never destroyed. Pages are taken only when they are
/// written, so an unused reserve costs nothing. One process fills the arena; others may read once
/// that process has announced that it is done.
class SharedArena {
 public:
  /// Throws std::bad_alloc if the system has no room for `limit` bytes.
  explicit SharedArena(std::size_t limit);
  SharedArena(const SharedArena&) = delete;
  SharedArena& operator=(const SharedArena&) = delete;
  ~SharedArena();

  /// Returns zeros, aligned to 8 bytes; nullptr beyond the limit.
  std::byte* take(std::size_t bytes);
  /// Returns the bytes taken so far, by any process.
  std::size_t used() const;

  /// Returns `count` objects of a plain type; nullptr beyond the limit.
  template <class Plain>
  Plain* make(std::size_t count = 1) {
    static_assert(alignof(Plain) <= 8);
    return reinterpret_cast<Plain*>(take(count * sizeof(Plain)));
  }

 private:
  std::size_t limit_;
  std::byte* memory_;  ///< begins with the number of bytes taken
};

}  // namespace fermata::traces
