// Compiles lane_memory.inl for each instruction set.
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include <fermata/stimuli/ptx/lane_ops.h>
#include <fermata/stimuli/ptx/memory_access.h>
#include <fermata/stimuli/ptx/multiversion.h>
#include <fermata/stimuli/ptx/warp.h>

#define FERMATA_LANE_SOURCE <fermata/stimuli/ptx/lane_memory.inl>
#include <fermata/stimuli/ptx/each_instruction_set.inl>
