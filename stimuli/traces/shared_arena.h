// Memory that processes forked later see at the same addresses, and fill for each other.
#pragma once

#include <cstddef>
#include <cstdint>

namespace fermata::traces {

/// Pages are taken when they are written: what is reserved costs nothing. One process fills it, and
/// another reads when it has said that it is done. What it holds is never destroyed: plain data, no
/// more.
class SharedArena {
 public:
  /// Throws std::bad_alloc where the system has no room for so much.
  explicit SharedArena(std::size_t limit);
  SharedArena(const SharedArena&) = delete;
  SharedArena& operator=(const SharedArena&) = delete;
  ~SharedArena();

  /// Zeros, aligned to 8; nullptr beyond the limit.
  std::byte* take(std::size_t bytes);
  /// Taken so far, by any process.
  std::size_t used() const;

  /// `count` of a plain type; nullptr beyond the limit.
  template <class Plain>
  Plain* make(std::size_t count = 1) {
    static_assert(alignof(Plain) <= 8);
    return reinterpret_cast<Plain*>(take(count * sizeof(Plain)));
  }

 private:
  std::size_t limit_;
  std::byte* memory_;  ///< begins with how much is taken
};

}  // namespace fermata::traces
