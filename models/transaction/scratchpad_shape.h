// The size of a scratchpad (shared memory in CUDA, LDS on AMD), on which several modules must
// agree.
#pragma once

#include <cstdint>

namespace fermata {

/// Defaults: those of Fermi, as in platforms/gtx480.toml, which names the sources.
struct ScratchpadShape {
  std::uint32_t banks = 32;     ///< 1 to 4096
  std::uint32_t bankBytes = 4;  ///< width of a bank's word: 4 or 8
  std::uint32_t bytes = 49152;  ///< capacity
};

}  // namespace fermata
