// Global memory as one latency and one bandwidth: what stands behind the coalescer until caches do.
#pragma once

#include <fermata/models/timing/clock.h>
#include <fermata/models/transaction/warp_access.h>
#include <fermata/models/transaction/warp_stage.h>

namespace fermata {

class FlatMemory : public WarpTarget {
 public:
  struct Parameters {
    unsigned latency = 400;         ///< cycles from a segment's turn to its data
    unsigned cyclesPerSegment = 8;  ///< the inverse of the bandwidth
  };

  FlatMemory(const sc_core::sc_module_name& name, const Clock& clock, const Parameters& parameters);

 private:
  void serve(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override;

  Clock clock_;
  Parameters parameters_;
  Cycle nextFree_ = 0;
};

}  // namespace fermata
