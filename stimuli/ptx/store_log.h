// Stores and atomics of one multiprocessor to global memory that others do not see yet.
// Multiprocessors that run apart (Executor::runApart) leave memory as it is until the next
// exchange: each, or each group that has a cluster together, looks at memory through its own log.
// So what they load does not depend on which of them runs first.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <fermata/models/vocabulary/cycle.h>
#include <fermata/models/vocabulary/warp_instruction.h>

namespace fermata::ptx {

class StoreLog {
 public:
  /// Bytes that one store writes: those of lane l begin at [l * bytesPerLane]. Of an atomic, both
  /// operands of a lane: they begin at [2 * l * bytesPerLane].
  using Bytes = std::array<std::uint8_t, 2 * kWarpLanes * WarpInstruction::kMaxBytesPerLane>;
  /// Carries out one lane of an atomic on the word at `at`.
  using Update = void (*)(std::uint8_t* at, const std::uint8_t* operands);

  bool empty() const { return count_ == 0; }
  /// True if the log may have changed one of the bytes [low, high).
  bool mayMeet(std::uint64_t low, std::uint64_t high) const { return low < high_ && low_ < high; }
  /// Adds a store of `lanes`, one or more, in cycle `at`. Multiprocessors that share a log, because
  /// they see each other's stores at once, add one after another: a cycle before that of the last
  /// store counts as that. `shift`: the host's address
  /// of a byte less the device's. `update`: what an atomic does; null: a store. The caller fills
  /// the bytes that it returns before the next call.
  Bytes& add(Cycle at, LaneMask lanes, const std::array<std::uint64_t, kWarpLanes>& address,
             unsigned bytesPerLane, std::uintptr_t shift, Update update = nullptr);
  /// Carries out the log on `data`, a copy of memory's [address, address + bytes).
  void patch(std::uint64_t address, unsigned bytes, std::uint8_t* data) const;

  /// Carries out all logs on memory, and empties them. What is of one cycle goes by the number of
  /// its log; what is of one log in the order in which it was added.
  static void exchange(std::vector<StoreLog>& logs);

 private:
  struct Store {
    Cycle at;
    std::uint64_t low, high;  ///< bytes [low, high) hold all that it changes
    LaneMask lanes;
    unsigned bytesPerLane;
    std::uintptr_t shift;
    Update update;
    std::array<std::uint64_t, kWarpLanes> address;
    Bytes bytes;

    const std::uint8_t* ofLane(unsigned lane) const {
      return &bytes[(update == nullptr ? 1U : 2U) * lane * bytesPerLane];
    }
  };

  /// A stretch of memory.
  struct Stretch {
    std::uint64_t low, high;
    std::uintptr_t shift;
  };
  Stretch withWholeWords(Stretch stretch) const;
  static void patch(const Store& store, std::uint64_t address, std::uint64_t end,
                    std::uint8_t* data);

  static void carryOut(const Store& store);
  void clear();

  std::vector<Store> stores_;  ///< the first `count_` are in use
  std::size_t count_ = 0;
  std::uint64_t low_ = ~std::uint64_t{0};  ///< over all stores
  std::uint64_t high_ = 0;
};

}  // namespace fermata::ptx
