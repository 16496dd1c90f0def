// Least and greatest f32, as min, max and redux.sync of sm_100 find them.
#pragma once

#include <cstdint>

#include <fermata/stimuli/ptx/decoding.h>

namespace fermata::ptx {

/// Bits of Instruction::floatFlags beside kFlushFlag.
inline constexpr std::uint8_t kAbsFlag = 16;     ///< compares magnitudes
inline constexpr std::uint8_t kNanFlag = 32;     ///< a NaN wins, not a number
inline constexpr std::uint8_t kLargerFlag = 64;  ///< max

/// Returns an operand, flushed and without its sign as the flags say.
float preparedFloat(std::uint8_t flags, std::uint32_t bits);
float extremeOf(std::uint8_t flags, float a, float b);
/// Returns the bits of a result: of a NaN, 0x7fffffff.
std::uint32_t canonicalBits(float value);
/// Takes .ftz .abs .NaN; returns the flags.
std::uint8_t takeExtreme(Decoding& d, bool larger);

}  // namespace fermata::ptx
