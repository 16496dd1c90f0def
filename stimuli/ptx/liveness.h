// Live registers of one lane, since each lane follows its own path. Backwards data flow over basic
// blocks with bit sets.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include <fermata/stimuli/ptx/kernel_decoder.h>

namespace fermata::ptx {

/// First and last PC at which a register is live, read or written.
struct LiveSpan {
  std::uint32_t first = 0xffffffffU;
  std::uint32_t last = 0;

  void include(std::uint32_t pc) {
    first = std::min(first, pc);
    last = std::max(last, pc);
  }
};

struct LiveRegisters {
  unsigned most = 0;            ///< largest sum of live 32-bit registers over all PCs
  std::vector<LiveSpan> spans;  ///< by RegisterId; empty: the kernel is too large
};

LiveRegisters liveRegisters(const KernelCode& code, CodeRange range);

}  // namespace fermata::ptx
