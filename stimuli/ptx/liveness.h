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
  unsigned most = 0;             ///< largest sum of live 32-bit registers over all PCs
  std::vector<LiveSpan> spans;   ///< by RegisterId; empty: the kernel is too large
  std::vector<unsigned> at;      ///< sum of the live 32-bit registers, by PC from the first
  std::vector<unsigned> ending;  ///< words of the registers that a PC reads last, by PC as `at`
};

/// Reads and writes of a kernel's instructions that differ from those of its PTX.
struct RegisterUses {
  std::vector<StaticInstruction> statics;  ///< by PC of PTX
  std::vector<RegisterSlot> slots;         ///< by RegisterId
  std::vector<std::uint32_t> order;        ///< PC of PTX, by place; blocks keep their places
};

LiveRegisters liveRegisters(const KernelCode& code, CodeRange range);
/// The PCs of the result are places of `uses.order`.
LiveRegisters liveRegisters(const KernelCode& code, const RegisterUses& uses, CodeRange range);

}  // namespace fermata::ptx
