// Asynchronous copies of a warp (cp.async). The source is read when the copy executes. The data
// reach shared memory when the owner of the time says so or, without time, when the warp waits for
// them.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <fermata/models/vocabulary/warp_instruction.h>

namespace fermata::ptx {

struct Instruction;

struct PendingCopy {
  enum class What : std::uint8_t {
    Data,
    Arrival,  ///< an arrival at mbarriers
    Bytes,    ///< completed `bytes` at mbarriers
  };
  What what = What::Data;
  std::uint64_t number = 0;
  std::uint64_t group = 0;
  const Instruction* instruction = nullptr;
  LaneMask lanes = 0;
  std::array<std::uint32_t, kWarpLanes> to{};  ///< shared address, by lane
  WarpInstruction::LaneData data{};
  std::array<std::uint32_t, kWarpLanes> bytes{};
};

struct WarpCopies {
  std::vector<PendingCopy> pending;  ///< oldest first
  std::uint64_t begun = 0;
  std::uint64_t groups = 0;    ///< groups closed
  std::uint32_t bulkDone = 0;  ///< bytes copied so far of the block in progress

  void clear() {
    pending.clear();
    begun = groups = 0;
    bulkDone = 0;
  }
};

}  // namespace fermata::ptx
