// Collects loads that found other bytes than the executor saw. Whether one is an error is known
// when every write of the grid has arrived: write_order.h.
#pragma once

#include <fermata/models/memory/write_order.h>
#include <fermata/models/transaction/warp_access.h>

#include <map>
#include <utility>

namespace fermata {

class LoadMismatches {
 public:
  /// Records that `lane` of a load found `data`. Precondition: they differ from the lane's data in
  /// the instruction.
  void add(const WarpAccess& access, unsigned lane, const std::uint8_t* data);
  bool empty() const { return found_.empty(); }
  /// Reports the first byte that no write excuses as SC_REPORT_ERROR, and forgets all loads.
  /// `writes`: all writes of the grid, in lines of `lineBytes`; null: none, so nothing is excused.
  /// `cache`: the cache that the loads asked.
  void judge(const WriteOrder* writes, std::uint32_t lineBytes, const void* cache);

 private:
  struct Load {
    std::uint64_t order;
    std::uint32_t pc;
    unsigned slot;
    unsigned lane;
  };
  /// By address and value: the last load in the executor's order, the one hardest to excuse.
  std::map<std::pair<std::uint64_t, std::uint8_t>, Load> found_;
};

}  // namespace fermata
