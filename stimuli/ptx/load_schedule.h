// Order of the instructions of a block as ptxas schedules them, in outline: the one with the
// longest way to the end of the block first, so that loads begin early and chains of instructions
// overlap; within a budget of registers.
//
// Warps execute machine code in this order. So it keeps every dependence of PTX, also those of
// instructions that cost nothing in the machine.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <fermata/stimuli/ptx/liveness.h>

namespace fermata::ptx {

/// Instructions of the machine, by PC of PTX: one, those of a sequence, of which the last one
/// computes what PTX says, or none.
using MachineParts = std::vector<std::vector<StaticInstruction>>;

/// An instruction of the machine, or one of PTX that costs none.
struct ScheduledPart {
  std::uint32_t pc = 0;    ///< of PTX
  std::uint32_t part = 0;  ///< index in its MachineParts
};

/// Schedules the blocks of an entry. What it is given must outlive it; rows must not be shared yet
/// (row_packing.h).
class LoadSchedule {
 public:
  /// `uses`, `live`: registers by PC, in the order of PTX.
  LoadSchedule(const KernelCode& code, const MachineParts& parts, const RegisterUses& uses,
               const LiveRegisters& live);
  ~LoadSchedule();

  /// Returns the order of the entry's instructions. Each block keeps its instructions of PTX, and
  /// its last one stays last. `budgets`: words that may be live where an instruction issues, by PC.
  std::vector<ScheduledPart> order(const std::vector<unsigned>& budgets) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace fermata::ptx
