// A crossbar of RTL behind the crossbar's model: it makes the passes, or both do.
#pragma once

#include <fermata/models/memory/arbiter.h>
#include <fermata/models/rtl/implementation.h>
#include <fermata/models/rtl/lockstep.h>
#include <fermata/models/rtl/pass_block.h>

#include <memory>

namespace fermata::rtl {

/// The block's 32 ports take the words of a group of lanes, those of the lowest lane first. With
/// Implementation::Lockstep every answer is compared with the model's, and the first difference
/// throws LockstepDifference; with Rtl the block's is taken.
class BlockArbiter final : public Arbiter {
 public:
  /// `rowWords`: of the crossbar; words side by side in a row of a bank merge.
  BlockArbiter(std::unique_ptr<PassBlock> block, Implementation how, unsigned rowWords, Now now);

  /// Throws BadInput for a group with more words than the block has ports.
  void resolved(WarpAccess& access, const LaneGroups& groups) override;
  void passed(const WarpAccess& access, const LaneWords& asked, Pass& pass) override;

 private:
  /// What the ports stand for.
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
