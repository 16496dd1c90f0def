// Asynchronous copies of a warp (cp.async, cp.async.bulk). The source is read when the copy
// executes. The data reach their target when the owner of the time says so or, without time, when
// the warp waits for them.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <utility>
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

/// Copies in the order in which they began. Each is 1 KB and keeps its place in memory.
class PendingCopies {
 public:
  using Pointers = std::vector<std::unique_ptr<PendingCopy>>;

  PendingCopy& add() {
    if (spare_.empty()) spare_.push_back(std::make_unique<PendingCopy>());
    live_.push_back(std::move(spare_.back()));
    spare_.pop_back();
    *live_.back() = PendingCopy{};
    return *live_.back();
  }
  PendingCopy& newest() { return *live_.back(); }
  /// Returns the copy of this number, or null.
  PendingCopy* numbered(std::uint64_t number) const {
    const auto at = std::lower_bound(
        live_.begin(), live_.end(), number,
        [](const std::unique_ptr<PendingCopy>& one, std::uint64_t n) { return one->number < n; });
    return at == live_.end() || (*at)->number != number ? nullptr : at->get();
  }
  /// Calls land(copy) for each copy for which due(copy) holds, oldest first, and takes them out.
  template <class Due, class Land>
  void take(Due due, Land land) {
    for (const auto& one : live_) {
      if (due(*one)) land(*one);  // may throw: no copy is out yet
    }
    auto keep = live_.begin();
    for (auto& one : live_) {
      if (due(*one))
        spare_.push_back(std::move(one));
      else if (auto& place = *keep++; &place != &one)
        place = std::move(one);
    }
    live_.erase(keep, live_.end());
  }
  void clear() {
    take([](const PendingCopy&) { return true; }, [](PendingCopy&) {});
  }

 private:
  Pointers live_, spare_;
};

struct WarpCopies {
  PendingCopies pending;
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
