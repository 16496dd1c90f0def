// Asynchronous copies of a warp (cp.async): what they bring is read when they execute, and is in
// shared memory when somebody who has the time says so, or when the warp waits for it.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <fermata/models/transaction/warp_instruction.h>

namespace fermata::ptx {

struct Instruction;

struct PendingCopy {
  enum class What : std::uint8_t {
    Data,
    Arrival,  ///< at mbarriers
    Bytes,    ///< the same: of `bytes`
  };
  What what = What::Data;
  std::uint64_t number = 0;
  std::uint64_t group = 0;
  const Instruction* instruction = nullptr;
  LaneMask lanes = 0;
  std::array<std::uint32_t, kWarpLanes> to{};  ///< shared addresses
  WarpInstruction::LaneData data{};
  std::array<std::uint32_t, kWarpLanes> bytes{};
};

struct WarpCopies {
  std::vector<PendingCopy> pending;  ///< oldest first
  std::uint64_t begun = 0;
  std::uint64_t groups = 0;    ///< closed
  std::uint32_t bulkDone = 0;  ///< bytes of the block that is being copied

  void clear() {
    pending.clear();
    begun = groups = 0;
    bulkDone = 0;
  }
};

}  // namespace fermata::ptx
