// Which banks a try of an access uses, and in which of its passes.
#pragma once

#include <fermata/models/transaction/lane_groups.h>
#include <fermata/models/transaction/warp_access.h>

#include <vector>

namespace fermata::platforms {

/// A group of lanes is served after the other; a bank serves the words of a group from the group's
/// first pass on, in passes that follow each other.
class BankUses {
 public:
  struct Use {
    std::uint32_t bank;
    std::uint32_t from;   ///< pass, from 0 on
    std::uint32_t to;     ///< behind the last one; at most that of the try
    std::uint32_t words;  ///< that it delivers or takes
  };

  /// As ConflictResolver has them.
  BankUses(const LaneGrouping& groups, std::uint32_t ports, std::uint32_t rowWords)
      : groups_(groups), ports_(ports), rowWords_(rowWords) {}

  /// Of a try as Probe::sharedTry and l1Try report it: in rising order of `from`. Valid until the
  /// next call.
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
