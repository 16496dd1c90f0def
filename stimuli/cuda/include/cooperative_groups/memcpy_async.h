// memcpy_async and wait: the group copies at once, and waiting is its barrier.
#pragma once

#include "../cooperative_groups.h"

namespace cooperative_groups {

/// `count` bytes.
template <class Group>
__device__ inline void memcpy_async(const Group& group, void* to, const void* from, size_t count) {
  const size_t step = group.size();
  const size_t rank = group.thread_rank();
  const size_t all = reinterpret_cast<size_t>(to) | reinterpret_cast<size_t>(from) | count;
  if (all % 4 == 0) {
    for (size_t i = rank; i < count / 4; i += step)
      static_cast<unsigned*>(to)[i] = static_cast<const unsigned*>(from)[i];
  } else {
    for (size_t i = rank; i < count; i += step)
      static_cast<char*>(to)[i] = static_cast<const char*>(from)[i];
  }
}
/// As many elements as both have.
template <class Group, class T, class ToCount, class FromCount>
__device__ inline void memcpy_async(const Group& group, T* to, const ToCount& toCount,
                                    const T* from, const FromCount& fromCount) {
  const size_t ofTo = toCount, ofFrom = fromCount;
  memcpy_async(group, static_cast<void*>(to), static_cast<const void*>(from),
               (ofTo < ofFrom ? ofTo : ofFrom) * sizeof(T));
}
template <class Group>
__device__ inline void wait(const Group& group) {
  group.sync();
}
/// All copies but the last so many: all of them.
template <unsigned kLast, class Group>
__device__ inline void wait_prior(const Group& group) {
  group.sync();
}

}  // namespace cooperative_groups
