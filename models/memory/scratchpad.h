// Banked scratchpad (shared memory, LDS): the arrays behind the crossbar. With `verify` it stores
// the data of every access at (bank, row) and compares every load and atomic with what the executor
// saw: this proves that mapping and path lose nothing.
#pragma once

#include <optional>
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
    /// Words per bank. The mapping decides it, and may leave some unused.
    std::uint32_t rows = 384;
    bool verify = false;
  };

  Scratchpad(const sc_core::sc_module_name& name, const Clock& clock, const Parameters& parameters);

  /// With `verify`: excuses a load that found another byte than the executor saw, if accesses of
  /// several warps reached the banks in another order (arrival_order.h). A load that nothing
  /// explains is reported when its window is cleared, or by judge(). Without this call each
  /// difference is an error at once.
  virtual void judgeLater();
  /// Reports the first load that nothing explains. Precondition: nothing is under way.
  void judge();
  /// Lane accesses compared so far; 0 without `verify`.
  std::uint64_t compared() const { return compared_; }

  /// Carries a store out without time or observation: the fill of a CTA's window when it starts.
  /// TLM_IGNORE_COMMAND has no effect here: such a call only makes the stages before the scratchpad
  /// fill in where the access would go.
  unsigned transport_dbg(tlm::tlm_generic_payload& payload) override;

 protected:
  /// Stores and compares the data of the lanes asked for, if WarpInstruction::hasData. Called with
  /// `verify` only.
  virtual void carryOut(WarpAccess& access);
  /// Returns the lanes above `lane` that earlier tries of a store have served: their bytes must not
  /// be overwritten.
  static LaneMask servedAbove(const WarpAccess& access, unsigned lane);
  /// True if one of `lanes` stores to byte `byte` of lane `lane`.
  static bool isStoredBy(LaneMask lanes, const WarpAccess& access, unsigned lane, unsigned byte);
  /// Returns the byte that the arrays hold for byte `byte` of lane `lane`.
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
