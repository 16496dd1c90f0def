// How a device function of these headers is declared: inlined, and counted at the line of the
// program that calls it.
#pragma once

#define FERMATA_DEVICE \
  static __attribute__((device)) __inline__ __attribute__((always_inline, nodebug, unused))
/// For long ones: the compiler decides whether to inline it.
#define FERMATA_DEVICE_LONG static __attribute__((device)) __attribute__((nodebug, unused))

/// With -ftz=true, which `cc` tells of by this word, instructions that are written out flush
/// subnormal floats to zero as those of the compiler do.
#if defined(FERMATA_FLUSH_DENORMALS) && defined(__CUDA_ARCH__)
#define FERMATA_FTZ ".ftz"
#else
#define FERMATA_FTZ ""
#endif
