// Time inside the model: integer cycles of a clock domain.
#pragma once

#include <cstdint>
#include <limits>

namespace fermata {

using Cycle = std::uint64_t;

/// Not known yet, or not before something else happens.
inline constexpr Cycle kNever = std::numeric_limits<Cycle>::max();

}  // namespace fermata
