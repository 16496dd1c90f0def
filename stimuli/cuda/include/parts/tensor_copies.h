// Copies of boxes by tensor maps, and of blocks out of shared memory: cp.async.bulk. One thread
// begins them.
#pragma once

#include "mbarrier.h"
#include "tensor_map_types.h"

namespace fermata_tensor {

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900

// Coordinates of 1 to 5 dimensions: as parameters, as operands from the fourth on, and in the text.
#define FERMATA_PLACES_1 int c0
#define FERMATA_PLACES_2 FERMATA_PLACES_1, int c1
#define FERMATA_PLACES_3 FERMATA_PLACES_2, int c2
#define FERMATA_PLACES_4 FERMATA_PLACES_3, int c3
#define FERMATA_PLACES_5 FERMATA_PLACES_4, int c4
#define FERMATA_OPERANDS_1 "r"(c0)
#define FERMATA_OPERANDS_2 FERMATA_OPERANDS_1, "r"(c1)
#define FERMATA_OPERANDS_3 FERMATA_OPERANDS_2, "r"(c2)
#define FERMATA_OPERANDS_4 FERMATA_OPERANDS_3, "r"(c3)
#define FERMATA_OPERANDS_5 FERMATA_OPERANDS_4, "r"(c4)
#define FERMATA_TEXT_1 "{%3}"
#define FERMATA_TEXT_2 "{%3, %4}"
#define FERMATA_TEXT_3 "{%3, %4, %5}"
#define FERMATA_TEXT_4 "{%3, %4, %5, %6}"
#define FERMATA_TEXT_5 "{%3, %4, %5, %6, %7}"
#define FERMATA_COPIES(n)                                                                         \
  FERMATA_DEVICE void load(void* to, const CUtensorMap* map, FERMATA_PLACES_##n,                  \
                           uint64_t* barrier) {                                                   \
    asm volatile(                                                                                 \
        "cp.async.bulk.tensor." #n                                                                \
        "d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, " FERMATA_TEXT_##n \
        "], [%2];" ::"r"(fermata_mbarrier::addressOf(to)),                                        \
        "l"(map), "r"(fermata_mbarrier::addressOf(barrier)), FERMATA_OPERANDS_##n                 \
        : "memory");                                                                              \
  }                                                                                               \
  FERMATA_DEVICE void store(const CUtensorMap* map, FERMATA_PLACES_##n, const void* from) {       \
    asm volatile("cp.async.bulk.tensor." #n                                                       \
                 "d.global.shared::cta.tile.bulk_group [%1, " FERMATA_TEXT_##n                    \
                 "], [%0];" ::"r"(fermata_mbarrier::addressOf(from)),                             \
                 "l"(map), "r"(0), FERMATA_OPERANDS_##n                                           \
                 : "memory");                                                                     \
  }
FERMATA_COPIES(1)
FERMATA_COPIES(2)
FERMATA_COPIES(3)
FERMATA_COPIES(4)
FERMATA_COPIES(5)
#undef FERMATA_COPIES

/// Copies a multiple of 16 bytes out of shared memory, in the thread's group.
FERMATA_DEVICE void storeBlock(void* to, const void* from, unsigned bytes) {
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(
                   __nv_cvta_generic_to_global_impl(to)),
               "r"(fermata_mbarrier::addressOf(from)), "r"(bytes)
               : "memory");
}
FERMATA_DEVICE void commit() { asm volatile("cp.async.bulk.commit_group;" ::: "memory"); }
/// Waits for all groups but the last `kLeft`: until they have been stored, or have been read.
template <int kLeft>
FERMATA_DEVICE void wait() {
  asm volatile("cp.async.bulk.wait_group %0;" ::"n"(kLeft) : "memory");
}
template <int kLeft>
FERMATA_DEVICE void waitRead() {
  asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(kLeft) : "memory");
}

#endif

}  // namespace fermata_tensor
