// Global memory as one latency and one bandwidth: the target of the coalescer in a platform without
// caches. A plain TLM-2.0 target; keeps no data.
#pragma once

#include <fermata/models/timing/clock.h>
#include <fermata/models/timing/reservation.h>
#include <fermata/models/transaction/immediate_target.h>

namespace fermata {

class FlatMemory : public LineTarget {
 public:
  struct Parameters {
    unsigned latency = 400;         ///< cycles from a segment's turn to its data
    unsigned cyclesPerSegment = 8;  ///< the inverse of the bandwidth
    /// Bytes that take `cyclesPerSegment`; 0: every request does, whatever its bytes.
    unsigned segmentBytes = 0;
  };

  FlatMemory(const sc_core::sc_module_name& name, const Clock& clock, const Parameters& parameters);

 private:
  Cycle cyclesOf(const tlm::tlm_generic_payload& payload, Cycle arrival);
  void serve(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override;

  Clock clock_;
  Parameters parameters_;
  Reservation channel_;
  /// Part of a cycle, in 1 / segmentBytes, by which requests without a gap are ahead.
  std::uint64_t owed_ = 0;
};

}  // namespace fermata
