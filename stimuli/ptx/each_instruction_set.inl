// Compiles FERMATA_LANE_SOURCE for each instruction set: for the compiler's baseline and, where
// multiversion.h says so, for x86-64-v3. lane_*.cpp include this file behind the headers that the
// source needs.

#define FERMATA_LANES portable
#define FERMATA_FUSING_LANES 0
#include <fermata/stimuli/ptx/lane_support.inl>

#include FERMATA_LANE_SOURCE
#undef FERMATA_LANES
#undef FERMATA_FUSING_LANES

#if FERMATA_FAST_LANES
#pragma GCC push_options
#pragma GCC target("avx2,fma,bmi,bmi2,lzcnt,popcnt")
#define FERMATA_LANES avx2
#define FERMATA_FUSING_LANES 1
#include <fermata/stimuli/ptx/lane_support.inl>

#include FERMATA_LANE_SOURCE
#undef FERMATA_LANES
#undef FERMATA_FUSING_LANES
#pragma GCC pop_options
#endif
