// The two memory paths out of the core.
#pragma once

#include <fermata/models/vocabulary/warp_instruction.h>

namespace fermata {

/// Shared: to the scratchpad. Global: global, local and texture space.
enum class MemoryPath : std::uint8_t { Shared, Global };
inline constexpr unsigned kMemoryPaths = 2;

constexpr MemoryPath pathOf(MemorySpace space) {
  return space == MemorySpace::Shared ? MemoryPath::Shared : MemoryPath::Global;
}

}  // namespace fermata
