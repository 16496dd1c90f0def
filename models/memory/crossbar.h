// Crossbar between lanes and banks: it decides in how many passes an access is served, and holds
// the banks for as long. Conflict policy: serialize (GPGPU-Sim; van den Braak): an access holds the
// port for all its passes, the next one waits.
#pragma once

#include <fermata/models/memory/conflict.h>
#include <fermata/models/probe/probe.h>
#include <fermata/models/timing/clock.h>
#include <fermata/models/transaction/warp_stage.h>

namespace fermata {

class Crossbar : public WarpStage {
 public:
  struct Parameters {
    unsigned latency = 1;  ///< cycles of the traversal
    std::uint32_t banks = 32;
    std::uint32_t ports = 1;  ///< words that a bank delivers a cycle
    WideAccess wide = WideAccess::Split;
    unsigned lanes = kWarpLanes;  ///< served together: 32 or 16
  };

  /// `probe` may be null.
  Crossbar(const sc_core::sc_module_name& name, const Clock& clock, const Parameters& parameters,
           Probe* probe);

 private:
  void pass(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override;
  void translate(tlm::tlm_generic_payload& payload) override;

  Clock clock_;
  Parameters parameters_;
  ConflictResolver resolver_;
  Probe* probe_;
  Cycle nextFree_ = 0;
};

}  // namespace fermata
