// An Arbiter whose passes come from a crossbar of RTL, alone or in lockstep with the model.
#pragma once

#include <fermata/models/memory/arbiter.h>
#include <fermata/models/rtl/implementation.h>
#include <fermata/models/rtl/lockstep.h>
#include <fermata/models/rtl/pass_block.h>

#include <memory>

namespace fermata::rtl {

/// The block's 32 ports take the words of a lane group, the words of the lowest lane first.
/// Implementation::Rtl takes the block's answers. Implementation::Lockstep compares each answer
/// with the model's and throws LockstepDifference at the first difference.
class BlockArbiter final : public Arbiter {
 public:
  /// `rowWords`: words in a row of a bank. Words side by side in one row merge.
  BlockArbiter(std::unique_ptr<PassBlock> block, Implementation how, unsigned rowWords, Now now);

  /// Throws BadInput if a group has more words than the block has ports.
  void resolved(WarpAccess& access, const LaneGroups& groups) override;
  void passed(const WarpAccess& access, const LaneWords& asked, Pass& pass) override;

 private:
  /// Lane and word that each port stands for.
  struct Ports {
    unsigned count = 0;
    std::array<std::uint8_t, kWarpLanes> lane{};
    std::array<std::uint8_t, kWarpLanes> word{};
  };

  PassRequest requestOf(const WarpAccess& access, const LaneWords& asked, Ports& ports) const;
  PassResponse pass(const WarpAccess& access, const PassRequest& request) const;
  static LaneWords wordsOf(const Ports& ports, LaneMask mask);
  [[noreturn]] void differ(const WarpAccess& access, const std::string& what,
                           const std::string& rtl, const std::string& model) const;

  std::unique_ptr<PassBlock> block_;
  Implementation how_;
  unsigned rowShift_;
  Now now_;
};

}  // namespace fermata::rtl
