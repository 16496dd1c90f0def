// Compares the bytes that loads find in a cache with those that the executor saw. Whether a
// difference is an error is known when every write of the grid has arrived: write_order.h.
#pragma once

#include <fermata/models/memory/write_order.h>
#include <fermata/models/transaction/warp_access.h>

#include <map>
#include <unordered_map>
#include <utility>

namespace fermata {

class LoadCheck {
 public:
  /// `lineBytes`: a power of two. Without `verify` nothing is compared.
  LoadCheck(std::uint32_t lineBytes, bool verify) : lineBytes_(lineBytes), verify_(verify) {}

  /// Compares lanes of a load that lie in one line. `line`: its bytes; read only if data are kept.
  void compare(const WarpAccess& access, LaneMask lanes, const std::uint8_t* line) {
    if (verify_ && access.instruction.hasData) compareData(access, lanes, line);
  }
  /// Lane accesses compared so far.
  std::uint64_t compared() const { return compared_; }

  /// Lets judge() decide whether a difference is an error; without this call it is one at once.
  void judgeLater() { later_ = true; }
  /// Reports the first byte that no write excuses as SC_REPORT_ERROR, and forgets all loads.
  /// `writes`: all writes of the grid, in lines of the cache; null: none, so nothing is excused.
  void judge(const WriteOrder* writes);
  /// Returns the place of a write in the executor's order, if judge() is to decide.
  WriteOrder::Origin originOf(const WarpAccess& access) const {
    return later_ ? WriteOrder::Origin{access.sequence + 1, this, access.sent}
                  : WriteOrder::Origin{};
  }
  /// Takes a write of the byte at `address`. Returns the byte to store: that of the newest write of
  /// the grid that has come to the cache.
  std::uint8_t newest(std::uint64_t address, const WriteOrder::Origin& write, std::uint8_t value) {
    if (!later_) return value;
    Written& byte = written_[address];
    if (write.order >= byte.order) byte = {write.order, value};
    return byte.value;
  }

 private:
  struct Written {
    std::uint64_t order = 0;
    std::uint8_t value = 0;
  };
  struct Load {
    std::uint64_t order;
    Cycle sent;
    std::uint32_t pc;
    unsigned slot;
    unsigned lane;
  };

  void compareData(const WarpAccess& access, LaneMask lanes, const std::uint8_t* line);
  void record(const WarpAccess& access, unsigned lane, const std::uint8_t* found);

  std::uint32_t lineBytes_;
  bool verify_;
  bool later_ = false;
  std::uint64_t compared_ = 0;
  std::unordered_map<std::uint64_t, Written> written_;  ///< by address
  /// By address and value: the last load in the executor's order, the one hardest to excuse.
  std::map<std::pair<std::uint64_t, std::uint8_t>, Load> differences_;
};

}  // namespace fermata
