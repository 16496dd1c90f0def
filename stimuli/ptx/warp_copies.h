// Asynchronous copies of a warp (cp.async, cp.async.bulk). The source is read when the copy
// executes. The data reach their target when the owner of the time says so or, without time, when
// the warp waits for them.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <fermata/models/vocabulary/warp_instruction.h>
#include <fermata/stimuli/ptx/store_log.h>

namespace fermata::ptx {

struct Instruction;

struct PendingCopy {
  enum class What : std::uint8_t {
    Data,
    Arrival,  ///< an arrival at mbarriers
    Bytes,    ///< completed `bytes` at mbarriers
    Out,      ///< bytes [first, end) of each lane, to global memory
    Combine,  ///< elements of those bytes, to be combined with what is at the target
  };
  static constexpr std::uint64_t kNoGroup = ~std::uint64_t{0};
  What what = What::Data;
  bool toGlobal = false;
  std::uint64_t number = 0;
  std::uint64_t group = 0;  ///< kNoGroup: no group waits for it
  const Instruction* instruction = nullptr;
  LaneMask lanes = 0;
  std::array<std::uint64_t, kWarpLanes> to{};  ///< address, by lane
  WarpInstruction::LaneData data{};
  std::array<std::uint32_t, kWarpLanes> bytes{};
  /// Ranks of the CTAs of the cluster that the lane's copy goes to, as a mask; 0: `to` says it.
  std::array<std::uint16_t, kWarpLanes> ctas{};
  std::array<std::uint8_t, kWarpLanes> first{}, end{};  ///< Out and Combine
  std::uint8_t elementBytes = 0;                        ///< Out and Combine
  StoreLog::Update combine = nullptr;                   ///< Combine: one element
};

struct WarpCopies {
  std::vector<PendingCopy> pending;  ///< oldest first
  std::uint64_t begun = 0;
  std::uint64_t groups = 0;    ///< groups closed
  std::uint32_t bulkDone = 0;  ///< chunks copied so far of the block in progress
  /// Bytes of the block that each lane has begun last.
  std::array<std::uint32_t, kWarpLanes> bulkBytes{};
  std::array<std::uint16_t, kWarpLanes> bulkCtas{};  ///< as PendingCopy::ctas, of that block

  void clear() {
    pending.clear();
    begun = groups = 0;
    bulkDone = 0;
  }
};

}  // namespace fermata::ptx
