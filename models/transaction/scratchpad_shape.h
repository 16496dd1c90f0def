// The size of a scratchpad, which several modules must agree on.
#pragma once

#include <cstdint>

namespace fermata {

/// Fermi's, as in platforms/gtx480.toml, where their sources are.
struct ScratchpadShape {
  std::uint32_t banks = 32;     ///< 1 to 4096
  std::uint32_t bankBytes = 4;  ///< width of a bank's word: 4 or 8
  std::uint32_t bytes = 49152;  ///< capacity
};

}  // namespace fermata
