// cuda::thread_scope, cuda::aligned_size_t, and what types tell a copy about its addresses.
#pragma once

#include "async_copies.h"

#if __has_include(<cuda/std/barrier>)  // a checkout of CCCL, which has these types
#include <cuda/barrier>
#else
namespace cuda {

enum thread_scope {
  thread_scope_system,
  thread_scope_device,
  thread_scope_block,
  thread_scope_thread = 10,
};

/// A number of bytes that is a multiple of kAlignment; its addresses are aligned to kAlignment.
template <size_t kAlignment>
struct aligned_size_t {
  static_assert(kAlignment != 0 && (kAlignment & (kAlignment - 1)) == 0, "a power of two");
  static constexpr size_t align = kAlignment;
  size_t value;
  __host__ __device__ explicit constexpr aligned_size_t(size_t bytes) : value(bytes) {}
  __host__ __device__ constexpr operator size_t() const { return value; }
};

}  // namespace cuda
#endif

namespace fermata_copies {

/// Alignment that a size promises for its addresses.
template <class Size>
struct PromisedBy {
  static constexpr size_t kBytes = 1;
};
template <size_t kAlignment>
struct PromisedBy<cuda::aligned_size_t<kAlignment>> {
  static constexpr size_t kBytes = kAlignment;
};
/// Alignment that a type promises for its addresses.
template <class T>
struct AlignmentOf {
  static constexpr size_t kBytes = alignof(T);
};
template <>
struct AlignmentOf<void> {
  static constexpr size_t kBytes = 1;
};

struct OneThread {
  static constexpr __device__ unsigned thread_rank() { return 0; }
  static constexpr __device__ unsigned size() { return 1; }
};

/// Copies by the threads of a group. Trusts the alignment that both types and the size promise.
template <class To, class From, class Group, class Size>
__device__ inline __attribute__((always_inline, nodebug)) bool copyOf(const Group& group, void* to,
                                                                      const void* from, Size size) {
  constexpr size_t kTo = AlignmentOf<To>::kBytes, kFrom = AlignmentOf<From>::kBytes;
  constexpr size_t kEnds = kTo < kFrom ? kTo : kFrom, kSize = PromisedBy<Size>::kBytes;
  return copy<(kEnds < kSize ? kSize : kEnds)>(group.thread_rank(), group.size(), to, from, size);
}

}  // namespace fermata_copies
