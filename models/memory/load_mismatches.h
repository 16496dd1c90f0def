// Loads that found other bytes than the executor saw. Whether that is an error is known when every
// write of the grid has arrived: write_order.h.
#pragma once

#include <fermata/models/memory/write_order.h>
#include <fermata/models/transaction/warp_access.h>

#include <map>
#include <utility>

namespace fermata {

class LoadMismatches {
 public:
  /// `lane` of a load found `data`. Precondition: they differ from its own data.
  void add(const WarpAccess& access, unsigned lane, const std::uint8_t* data);
  bool empty() const { return found_.empty(); }
  /// Reports the first byte that no write excuses, an SC_REPORT_ERROR, and forgets all. `writes`:
  /// those of the grid, in lines of `lineBytes`; null: nothing excuses. `cache`: that of the loads.
  void judge(const WriteOrder* writes, std::uint32_t lineBytes, const void* cache);

 private:
  struct Load {
    std::uint64_t order;
    std::uint32_t pc;
    unsigned slot;
    unsigned lane;
  };
  /// By address and value, the last load in the executor's order: it asks most.
  std::map<std::pair<std::uint64_t, std::uint8_t>, Load> found_;
};

}  // namespace fermata
