// Banked scratchpad: the arrays behind the crossbar. With `verify` it stores the data of every
// access at (bank, row) and compares every load and atomic with what the executor saw: this proves
// that mapping and path lose nothing.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <fermata/models/memory/arrival_order.h>
#include <fermata/models/memory/verification.h>
#include <fermata/models/timing/clock.h>
#include <fermata/models/transaction/immediate_target.h>
#include <fermata/models/transaction/scratchpad_shape.h>
#include <fermata/models/transaction/warp_access.h>

namespace fermata {

class Scratchpad : public WarpTarget {
 public:
  struct Parameters {
    unsigned latency = 24;  ///< cycles from the last pass to the registers
    ScratchpadShape shape;
    std::uint32_t rows =
        384;  ///< words of a bank; those of the mapping, which may leave some unused
    bool verify = false;
  };

  Scratchpad(const sc_core::sc_module_name& name, const Clock& clock, const Parameters& parameters);

  /// With `verify`: a load that found another byte than the executor saw, since accesses of several
  /// warps reached the banks in another order, is no error (arrival_order.h). One that nothing
  /// explains is reported when its window is cleared, or by judge(). Without this call each
  /// difference is an error at once.
  virtual void judgeLater();
  /// Reports a load that nothing explains. Precondition: nothing is under way.
  void judge();
  /// Lane accesses compared so far; 0 without `verify`.
  std::uint64_t compared() const { return compared_; }

  /// Carries a store out without time or observation: the fill of a CTA's window when it starts.
  /// Nothing with TLM_IGNORE_COMMAND: the stages before it say where an access would go.
  unsigned transport_dbg(tlm::tlm_generic_payload& payload) override;

 protected:
  /// With `verify`: moves the data of the lanes asked for, which WarpInstruction::hasData.
  virtual void carryOut(WarpAccess& access);
  /// Lanes above this one that earlier tries of a store have served: what they stored stands.
  static LaneMask servedAbove(const WarpAccess& access, unsigned lane);
  /// One of these lanes has stored to byte `byte` of the lane.
  static bool isStoredBy(LaneMask lanes, const WarpAccess& access, unsigned lane, unsigned byte);
  /// What the arrays hold there.
  std::uint8_t stored(const WarpAccess& access, unsigned lane, unsigned byte) const;
  void count(std::uint64_t lanes) { compared_ += lanes; }

 private:
  void forget(const WarpAccess& access);
  void serve(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override;
  void store(const WarpAccess& access, unsigned lane, const WarpInstruction::LaneData& data);
  void compare(const WarpAccess& access, unsigned lane, const WarpInstruction::LaneData& expected);
  std::size_t cell(const WarpAccess& access, unsigned lane, unsigned byte) const;

  Parameters parameters_;
  sc_core::sc_time latency_;
  std::vector<std::uint8_t> storage_;  ///< [bank][row][byte], empty without `verify`
  std::uint64_t compared_ = 0;
  std::optional<ArrivalOrder> order_;  ///< by byte address; none: differences are errors at once
};

}  // namespace fermata
