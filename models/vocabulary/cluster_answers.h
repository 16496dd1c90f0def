// Requests for clusters that have not begun (CUDA: clusterlaunchcontrol.try_cancel). Plain C++.
//
// A request is a store of the answer to shared memory (class Memory, operation Store) that has
// StaticInstruction::arrives: it also counts the answer's bytes at an mbarrier.
#pragma once

#include <cstring>

#include <fermata/models/vocabulary/warp_instruction.h>

namespace fermata {

constexpr bool asksForClusters(const StaticInstruction& instruction) {
  return instruction.arrives && instruction.instructionClass == InstructionClass::Memory &&
         instruction.operation == MemoryOperation::Store;
}

/// Tells the shared address of the mbarrier that a lane's answer changes. An execution of a request
/// keeps it in the place of `before`, which no store uses.
inline void setAnswerBarrier(WarpInstruction& request, unsigned lane, std::uint64_t address) {
  std::memcpy(request.before[lane].data(), &address, sizeof address);
}
inline std::uint64_t answerBarrier(const WarpInstruction& request, unsigned lane) {
  std::uint64_t address = 0;
  std::memcpy(&address, request.before[lane].data(), sizeof address);
  return address;
}

}  // namespace fermata
