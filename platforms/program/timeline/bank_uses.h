// The banks that a try uses, and in which of its passes.
#pragma once

#include <fermata/models/transaction/lane_groups.h>
#include <fermata/models/transaction/warp_access.h>

#include <vector>

namespace fermata::platforms {

/// Lane groups are served one after the other. A bank serves the words of a group in consecutive
/// passes, from the group's first pass on.
class BankUses {
 public:
  struct Use {
    std::uint32_t bank;
    std::uint32_t from;   ///< first pass, counted from 0
    std::uint32_t to;     ///< end, exclusive; at most the try's passes
    std::uint32_t words;  ///< delivered or written
  };

  /// Takes the parameters of ConflictResolver.
  BankUses(const LaneGrouping& groups, std::uint32_t ports, std::uint32_t rowWords)
      : groups_(groups), ports_(ports), rowWords_(rowWords) {}

  /// Returns the bank uses of a try reported by Probe::sharedTry or l1Try, ordered by `from`. Valid
  /// until the next call.
  const std::vector<Use>& of(const WarpAccess& access);

 private:
  struct Word {
    std::uint32_t bank;
    std::uint32_t row;
  };
  std::uint32_t addGroup(const WarpAccess& access, LaneMask lanes, std::uint32_t first);

  LaneGrouping groups_;
  std::uint32_t ports_;
  std::uint32_t rowWords_;
  std::vector<Word> words_;
  std::vector<Use> uses_;
};

}  // namespace fermata::platforms
