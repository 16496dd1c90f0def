// Is a second copy of the lane loops compiled for x86-64-v3? GCC only: it takes target options by
// pragma.
//
// Not target_clones: it does not apply to templates, and its ifuncs do not mix with sanitizers.
#pragma once

#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__)
#define FERMATA_FAST_LANES 1
#else
#define FERMATA_FAST_LANES 0
#endif

/// Before a loop whose iterations are independent.
#if defined(__clang__)
#define FERMATA_INDEPENDENT_LANES
#else
#define FERMATA_INDEPENDENT_LANES _Pragma("GCC ivdep")
#endif
