// Stores of one multiprocessor to global memory that others do not see yet. Multiprocessors that
// run apart (Executor::runApart) leave memory as it is until the next exchange: each looks at
// memory through the log of its own stores. So what they load does not depend on which of them runs
// first.
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
  /// Bytes of one store: those of lane l begin at [l * bytesPerLane].
  using Bytes = std::array<std::uint8_t, kWarpLanes * WarpInstruction::kMaxBytesPerLane>;

  bool empty() const { return count_ == 0; }
  /// True if a store may have changed one of the bytes [low, high).
  bool mayMeet(std::uint64_t low, std::uint64_t high) const { return low < high_ && low_ < high; }
  /// Adds a store of `lanes`, one or more, in cycle `at`; cycles rise. `shift`: the host's address
  /// of a byte less the device's. The caller fills the bytes that it returns before the next call.
  Bytes& add(Cycle at, LaneMask lanes, const std::array<std::uint64_t, kWarpLanes>& address,
             unsigned bytesPerLane, std::uintptr_t shift);
  /// Replaces what the log has stored to [address, address + bytes) in `data`, a copy of memory.
  void patch(std::uint64_t address, unsigned bytes, std::uint8_t* data) const;

  /// Carries out the stores of all logs, and empties them. Stores of one cycle go by the number of
  /// their log; those of one log in the order in which they were added.
  static void exchange(std::vector<StoreLog>& logs);

 private:
  struct Store {
    Cycle at;
    std::uint64_t low, high;  ///< bytes [low, high) hold all that it changes
    LaneMask lanes;
    unsigned bytesPerLane;
    std::uintptr_t shift;
    std::array<std::uint64_t, kWarpLanes> address;
    Bytes bytes;
  };

  static void carryOut(const Store& store);
  void clear();

  std::vector<Store> stores_;  ///< the first `count_` are in use
  std::size_t count_ = 0;
  std::uint64_t low_ = ~std::uint64_t{0};  ///< over all stores
  std::uint64_t high_ = 0;
};

}  // namespace fermata::ptx
