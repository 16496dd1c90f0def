// Time inside the model: integer cycles of a clock domain.
#pragma once

#include <cstdint>
#include <limits>

namespace fermata {

using Cycle = std::uint64_t;

/// Stands for a cycle that is not known yet, or that depends on another event.
inline constexpr Cycle kNever = std::numeric_limits<Cycle>::max();

}  // namespace fermata
