// Shuffles of fermata_cuda.h: lanes of a warp read each other's registers, from sm_70 on (PTX ISA,
// shfl.sync). `mask` holds the lanes that take part. Groups of fewer than 32 lanes are not
// supported.
#pragma once

#if __CUDA_ARCH__ >= 700
#define FERMATA_SHUFFLE(name, mode, clamp)                                                   \
  FERMATA_DEVICE unsigned name(unsigned mask, unsigned value, unsigned lane) {               \
    unsigned got;                                                                            \
    asm volatile("shfl.sync." mode ".b32 %0, %1, %2, " clamp ", %3;"                         \
                 : "=r"(got)                                                                 \
                 : "r"(value), "r"(lane), "r"(mask));                                        \
    return got;                                                                              \
  }                                                                                          \
  FERMATA_DEVICE int name(unsigned mask, int value, unsigned lane) {                         \
    return static_cast<int>(name(mask, static_cast<unsigned>(value), lane));                 \
  }                                                                                          \
  FERMATA_DEVICE float name(unsigned mask, float value, unsigned lane) {                     \
    return __builtin_bit_cast(float, name(mask, __builtin_bit_cast(unsigned, value), lane)); \
  }
FERMATA_SHUFFLE(__shfl_sync, "idx", "31")
FERMATA_SHUFFLE(__shfl_up_sync, "up", "0")
FERMATA_SHUFFLE(__shfl_down_sync, "down", "31")
FERMATA_SHUFFLE(__shfl_xor_sync, "bfly", "31")
#undef FERMATA_SHUFFLE

FERMATA_DEVICE void __syncwarp(unsigned mask = ~0U) {
  asm volatile("bar.warp.sync %0;" ::"r"(mask) : "memory");
}
#endif
