// A scratchpad whose banks are RTL. The banks hold the data, and every load is compared with what
// the executor saw.
#pragma once

#include <fermata/models/memory/scratchpad.h>
#include <fermata/models/rtl/implementation.h>
#include <fermata/models/rtl/lockstep.h>
#include <fermata/models/rtl/scratchpad_block.h>

#include <memory>

namespace fermata::rtl {

/// An access takes its passes one by one: each bank serves the row of the lowest lane that is left.
/// Throws BadInput unless banks are 4 bytes wide and `verify` is set. With Implementation::Lockstep
/// the model's arrays hold the data too, and the first word that differs throws LockstepDifference.
class BlockScratchpad final : public Scratchpad {
 public:
  BlockScratchpad(const sc_core::sc_module_name& name, const Clock& clock,
                  const Parameters& parameters, std::unique_ptr<ScratchpadBlock> block,
                  Implementation how, Now now);

  /// Does nothing: banks of RTL take writes as they come, so every difference stays an error.
  void judgeLater() override {}

 private:
  using LaneData = WarpInstruction::LaneData;

  void carryOut(WarpAccess& access) override;
  void act(WarpAccess& access);
  void read(const WarpAccess& access, const LaneData& expected);
  void write(const WarpAccess& access, const LaneData& data);
  const ScratchpadResponse& pass(const WarpAccess& access, const ScratchpadRequest& request);
  template <class Visit>
  void forEachPass(const WarpAccess& access, unsigned k, Visit visit);
  void compare(const WarpAccess& access, const LaneData& expected, const LaneData& found);
  [[noreturn]] void differ(const WarpAccess& access, unsigned lane, unsigned byte,
                           std::uint8_t found) const;

  std::unique_ptr<ScratchpadBlock> block_;
  Implementation how_;
  Now now_;
};

}  // namespace fermata::rtl
