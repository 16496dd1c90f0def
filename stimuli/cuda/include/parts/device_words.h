// Declares device functions of these headers: inlined, and counted at the line of the program that
// calls them.
#pragma once

#if defined(__CUDA__) || defined(FERMATA_CUDA_LANGUAGE)
#define FERMATA_DEVICE \
  static __attribute__((device)) __inline__ __attribute__((always_inline, nodebug, unused))
/// Declares long functions: the compiler decides whether to inline them.
#define FERMATA_DEVICE_LONG static __attribute__((device)) __attribute__((nodebug, unused))
#else  // a plain host compiler
#define FERMATA_DEVICE static inline __attribute__((unused))
#define FERMATA_DEVICE_LONG static __attribute__((unused))
#endif

/// Suffix of explicit instructions. With -ftz=true (`cc` then defines this macro) they flush
/// subnormal floats to zero, like the compiler's instructions.
#if defined(FERMATA_FLUSH_DENORMALS) && defined(__CUDA_ARCH__)
#define FERMATA_FTZ ".ftz"
#else
#define FERMATA_FTZ ""
#endif
