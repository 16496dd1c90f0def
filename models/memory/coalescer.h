// Coalescer: the lanes of a global access, gathered into aligned segments (CUDA C Programming
// Guide 4.2, F.4.2: compute capability 2.x moves 128-byte lines). One segment leaves a cycle.
#pragma once

#include <fermata/models/probe/probe.h>
#include <fermata/models/timing/clock.h>
#include <fermata/models/transaction/warp_access.h>
#include <fermata/models/transaction/warp_stage.h>

namespace fermata {

class Coalescer : public WarpStage {
 public:
  struct Parameters {
    unsigned latency = 1;              ///< cycles
    std::uint32_t segmentBytes = 128;  ///< a power of two, 16 to 4096
  };

  /// `probe` may be null.
  Coalescer(const sc_core::sc_module_name& name, const Clock& clock, const Parameters& parameters,
            Probe* probe);

 private:
  void pass(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override;
  void gather(WarpAccess& access) const;

  Clock clock_;
  Parameters parameters_;
  Probe* probe_;
  Cycle nextFree_ = 0;
};

}  // namespace fermata
