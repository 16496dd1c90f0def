// Tells whether a second copy of the lane loops is compiled for x86-64-v3. Needs GCC, which takes
// target options by pragma.
//
// target_clones is no alternative: it does not apply to templates, and its ifuncs do not mix with
// sanitizers.
#pragma once

#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__)
#define FERMATA_FAST_LANES 1
#else
#define FERMATA_FAST_LANES 0
#endif

/// Marks the loop behind it: its iterations are independent.
#if defined(__clang__)
#define FERMATA_INDEPENDENT_LANES
#else
#define FERMATA_INDEPENDENT_LANES _Pragma("GCC ivdep")
#endif
