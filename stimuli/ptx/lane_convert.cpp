// Compiles lane_convert.inl for each instruction set.
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

#include <fermata/stimuli/ptx/lane_ops.h>

#include <fermata/stimuli/ptx/multiversion.h>
#include <fermata/stimuli/ptx/warp.h>

#define FERMATA_LANES portable
#include <fermata/stimuli/ptx/lane_support.inl>

#include <fermata/stimuli/ptx/lane_convert.inl>
#undef FERMATA_LANES

#if FERMATA_FAST_LANES
#pragma GCC push_options
#pragma GCC target("avx2,fma,bmi,bmi2,lzcnt,popcnt")
#define FERMATA_LANES avx2
#include <fermata/stimuli/ptx/lane_support.inl>

#include <fermata/stimuli/ptx/lane_convert.inl>
#undef FERMATA_LANES
#pragma GCC pop_options
#endif
