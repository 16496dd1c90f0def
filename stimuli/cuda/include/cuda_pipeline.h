// Copies from global to shared memory that kernels wait for later: cp.async, a group a commit, for
// whatever architecture (CUDA copies at once below sm_80).
#pragma once

#include "cuda_runtime.h"

#if !defined(__CUDA__) || !defined(__clang__)
#error "cuda_pipeline.h needs a .cu file: fermata cc compiles it with the CUDA language"
#endif

/// `size`: 4, 8 or 16 bytes, to which both are aligned; the last `zeros` of them are zeros.
FERMATA_DEVICE void __pipeline_memcpy_async(void* shared, const void* global, size_t size,
                                            size_t zeros = 0) {
  size_t to, from;
  asm("cvta.to.shared.u64 %0, %1;" : "=l"(to) : "l"(shared));
  asm("cvta.to.global.u64 %0, %1;" : "=l"(from) : "l"(global));
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
FERMATA_DEVICE void __pipeline_commit() {
  asm volatile("cp.async.commit_group;" ::: "memory");
}
/// All but the last so many commits; beyond 4, all but the last 4.
FERMATA_DEVICE void __pipeline_wait_prior(size_t last) {
  if (last == 0) {
    asm volatile("cp.async.wait_group 0;" ::: "memory");
  } else if (last == 1) {
    asm volatile("cp.async.wait_group 1;" ::: "memory");
  } else if (last == 2) {
    asm volatile("cp.async.wait_group 2;" ::: "memory");
  } else if (last == 3) {
    asm volatile("cp.async.wait_group 3;" ::: "memory");
  } else {
    asm volatile("cp.async.wait_group 4;" ::: "memory");
  }
}
