// Asynchronous copies from global to shared memory: cp.async, one group per commit, on every
// architecture (CUDA copies at once below sm_80).
#pragma once

#include "cuda_runtime.h"

#ifndef FERMATA_CUDA_LANGUAGE
#error "cuda_pipeline.h needs a .cu file: fermata cc compiles it with the CUDA language"
#endif

#include "parts/mbarrier.h"

/// Copies `size` bytes: 4, 8 or 16, to which both addresses are aligned. The last `zeros` of them
/// become zeros.
FERMATA_DEVICE void __pipeline_memcpy_async(void* shared, const void* global, size_t size,
                                            size_t zeros = 0) {
  const size_t to = __nv_cvta_generic_to_shared_impl(shared);
  const size_t from = __nv_cvta_generic_to_global_impl(global);
  const unsigned reads = static_cast<unsigned>(size - zeros);
  if (size == 16) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"l"(to), "l"(from), "r"(reads)
                 : "memory");
  } else if (size == 8) {
    asm volatile("cp.async.ca.shared.global [%0], [%1], 8, %2;" ::"l"(to), "l"(from), "r"(reads)
                 : "memory");
  } else {
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"l"(to), "l"(from), "r"(reads)
                 : "memory");
  }
}
FERMATA_DEVICE void __pipeline_commit() { asm volatile("cp.async.commit_group;" ::: "memory"); }
template <int kLast>
FERMATA_DEVICE void fermata_wait_prior() {
  asm volatile("cp.async.wait_group %0;" ::"n"(kLast) : "memory");
}
/// Waits for all commits but the last `last`; above 8, for all but the last 8.
FERMATA_DEVICE void __pipeline_wait_prior(size_t last) {
  switch (last) {
    case 0:
      return fermata_wait_prior<0>();
    case 1:
      return fermata_wait_prior<1>();
    case 2:
      return fermata_wait_prior<2>();
    case 3:
      return fermata_wait_prior<3>();
    case 4:
      return fermata_wait_prior<4>();
    case 5:
      return fermata_wait_prior<5>();
    case 6:
      return fermata_wait_prior<6>();
    case 7:
      return fermata_wait_prior<7>();
    default:
      return fermata_wait_prior<8>();
  }
}
/// Makes the barrier's phase wait for the thread's copies so far; the thread itself must still
/// arrive.
FERMATA_DEVICE void __pipeline_arrive_on(__mbarrier_t* barrier) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
  fermata_mbarrier::arriveBehindCopies(barrier);
#else  // barriers before sm_80 cannot track copies
  (void)barrier;
  asm volatile("cp.async.wait_all;" ::: "memory");
#endif
}
