// Barriers in words of the scratchpad, by functions of C (CUDA's "primitives interface").
#pragma once

#include "cuda_runtime.h"

#ifndef FERMATA_CUDA_LANGUAGE
#error "cuda_awbarrier_primitives.h needs a .cu file: fermata cc compiles it with the CUDA language"
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 700
#error "cuda_awbarrier_primitives.h needs -arch=sm_70 or newer"
#endif

#include "parts/mbarrier.h"

typedef uint64_t __mbarrier_token_t;

FERMATA_DEVICE unsigned __mbarrier_maximum_count() { return (1u << 20) - 1; }
FERMATA_DEVICE void __mbarrier_init(__mbarrier_t* barrier, unsigned expected) {
  fermata_mbarrier::initialise(barrier, expected);
}
FERMATA_DEVICE void __mbarrier_inval(__mbarrier_t* barrier) {
  fermata_mbarrier::invalidate(barrier);
}
FERMATA_DEVICE __mbarrier_token_t __mbarrier_arrive(__mbarrier_t* barrier) {
  return fermata_mbarrier::arrive(barrier);
}
FERMATA_DEVICE __mbarrier_token_t __mbarrier_arrive_and_drop(__mbarrier_t* barrier) {
  return fermata_mbarrier::arriveAndDrop(barrier);
}
FERMATA_DEVICE bool __mbarrier_test_wait(__mbarrier_t* barrier, __mbarrier_token_t token) {
  return fermata_mbarrier::isOver(barrier, token);
}
FERMATA_DEVICE bool __mbarrier_test_wait_parity(__mbarrier_t* barrier, bool parity) {
  return fermata_mbarrier::isParityOver(barrier, parity);
}
/// Tests the barrier; the hint of how long to wait is ignored.
FERMATA_DEVICE bool __mbarrier_try_wait(__mbarrier_t* barrier, __mbarrier_token_t token, unsigned) {
  return fermata_mbarrier::isOverSoon(barrier, token);
}
FERMATA_DEVICE bool __mbarrier_try_wait_parity(__mbarrier_t* barrier, bool parity, unsigned) {
  return fermata_mbarrier::isParityOverSoon(barrier, parity);
}
FERMATA_DEVICE unsigned __mbarrier_token_pending_count(__mbarrier_token_t token) {
  return fermata_mbarrier::pendingCount(token);
}
