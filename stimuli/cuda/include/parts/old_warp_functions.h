// __shfl, __any and other warp functions from before Volta. Later code has no instructions for
// them, so they become the _sync functions with the active lanes. Included before and after the
// compiler's headers, which define them by these names. It has no guard: the second inclusion
// removes the names again.
#ifndef FERMATA_OLD_WARP_FUNCTIONS
#define FERMATA_OLD_WARP_FUNCTIONS
#include "device_words.h"
FERMATA_DEVICE unsigned fermata_lanesHere() {
  unsigned lanes;
  asm volatile("activemask.b32 %0;" : "=r"(lanes));
  return lanes;
}
#endif

#ifdef __nvvm_vote_any
#undef __nvvm_vote_all
#undef __nvvm_vote_any
#undef __nvvm_vote_ballot
#undef __nvvm_shfl_idx_i32
#undef __nvvm_shfl_idx_f32
#undef __nvvm_shfl_up_i32
#undef __nvvm_shfl_up_f32
#undef __nvvm_shfl_down_i32
#undef __nvvm_shfl_down_f32
#undef __nvvm_shfl_bfly_i32
#undef __nvvm_shfl_bfly_f32
#elif defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700
#define __nvvm_vote_all(a) __nvvm_vote_all_sync(fermata_lanesHere(), a)
#define __nvvm_vote_any(a) __nvvm_vote_any_sync(fermata_lanesHere(), a)
#define __nvvm_vote_ballot(a) __nvvm_vote_ballot_sync(fermata_lanesHere(), a)
#define __nvvm_shfl_idx_i32(a, b, c) __nvvm_shfl_sync_idx_i32(fermata_lanesHere(), a, b, c)
#define __nvvm_shfl_idx_f32(a, b, c) __nvvm_shfl_sync_idx_f32(fermata_lanesHere(), a, b, c)
#define __nvvm_shfl_up_i32(a, b, c) __nvvm_shfl_sync_up_i32(fermata_lanesHere(), a, b, c)
#define __nvvm_shfl_up_f32(a, b, c) __nvvm_shfl_sync_up_f32(fermata_lanesHere(), a, b, c)
#define __nvvm_shfl_down_i32(a, b, c) __nvvm_shfl_sync_down_i32(fermata_lanesHere(), a, b, c)
#define __nvvm_shfl_down_f32(a, b, c) __nvvm_shfl_sync_down_f32(fermata_lanesHere(), a, b, c)
#define __nvvm_shfl_bfly_i32(a, b, c) __nvvm_shfl_sync_bfly_i32(fermata_lanesHere(), a, b, c)
#define __nvvm_shfl_bfly_f32(a, b, c) __nvvm_shfl_sync_bfly_f32(fermata_lanesHere(), a, b, c)
#endif
