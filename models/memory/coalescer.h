// Coalescer: gathers the lanes of a global access into aligned segments (CUDA C Programming Guide
// 4.2, F.4.2: compute capability 2.x moves 128-byte lines). One segment leaves per cycle, as a
// plain payload of the TLM-2.0 base protocol. The access is answered when memory has answered its
// last segment.
//
// The warp protocol ends here: any TLM-2.0 memory may be bound to `out`, early or late, with
// back-pressure and responses out of order. A line that memory has not accepted holds its access,
// and the access holds the path.
#pragma once

#include <fermata/models/memory/line_pool.h>
#include <fermata/models/probe/probe.h>
#include <fermata/models/timing/clock.h>
#include <fermata/models/timing/reservation.h>
#include <fermata/models/transaction/late_target.h>

#include <memory>
#include <vector>

namespace fermata {

class Coalescer : public LateWarpTarget, public LineBackward {
 public:
  struct Parameters {
    unsigned latency = 1;              ///< cycles
    std::uint32_t segmentBytes = 128;  ///< a power of two, 16 to 4096
    bool instructions = false;         ///< lines name their instruction, for a memory that counts
  };

  LineInitiatorSocket out;

  /// `probe` may be null.
  Coalescer(const sc_core::sc_module_name& name, const Clock& clock, const Parameters& parameters,
            Probe* probe);

  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override;
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override;

 private:
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& line, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override;
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}
  void requested(tlm::tlm_generic_payload&) override {}

  void gather(WarpAccess& access) const;
  LineJoin& split(WarpAccess& access, const sc_core::sc_time& delay);
  void sendLines(LineJoin& join);
  void sendLine(LineJoin& join);
  void acknowledged(tlm::tlm_generic_payload& line, const sc_core::sc_time& at);
  void answered(tlm::tlm_generic_payload& line, const sc_core::sc_time& at);
  bool allAccepted(const LineJoin& join) const {
    return join.sent == join.access->segments && unacknowledged_ == nullptr;
  }
  void finishLate(LineJoin& join);
  LineJoin& takeJoin();

  Clock clock_;
  Parameters parameters_;
  Probe* probe_;
  Reservation port_;  ///< taken for one cycle per line
  LinePool pool_;
  std::vector<std::unique_ptr<LineJoin>> joins_;
  std::vector<LineJoin*> idleJoins_;
  const tlm::tlm_generic_payload* unacknowledged_ = nullptr;
  sc_core::sc_time nextRequest_;   ///< no line is sent earlier
  LineJoin* sending_ = nullptr;    ///< the join whose lines are being sent by a call under way
  LineJoin* accepting_ = nullptr;  ///< the join whose access has not been accepted yet
};

}  // namespace fermata
