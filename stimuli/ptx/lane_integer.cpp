// Compiles lane_integer.inl for each instruction set.
#include <array>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <limits>
#include <type_traits>
#include <utility>

#include <fermata/stimuli/ptx/lane_ops.h>

#include <fermata/stimuli/ptx/multiversion.h>
#include <fermata/stimuli/ptx/warp.h>

#define FERMATA_LANE_SOURCE <fermata/stimuli/ptx/lane_bit_ops.inl>
#include <fermata/stimuli/ptx/each_instruction_set.inl>
