// Writes of an L1: each goes through to memory. Atomics go as writes, too: memory carries them out.
#pragma once

#include <fermata/models/memory/l1_events.h>
#include <fermata/models/memory/l1_flights.h>
#include <fermata/models/memory/l1_misses.h>
#include <fermata/models/memory/l1_parameters.h>
#include <fermata/models/memory/l1_try.h>
#include <fermata/models/memory/line_requester.h>
#include <fermata/models/memory/load_check.h>

namespace fermata {

class L1Writes {
 public:
  /// Everything referred to must outlive the writes.
  L1Writes(const L1CacheParameters& parameters, CacheArray& array, L1Sectors& sectors,
           const L1Tags& tags, LineRequester& requester, L1Misses& misses, L1Flights& flights,
           LoadCheck& check, const L1Events& events)
      : parameters_(parameters),
        array_(array),
        sectors_(sectors),
        tags_(tags),
        requester_(requester),
        misses_(misses),
        flights_(flights),
        check_(check),
        events_(events) {}

  /// Writes the lanes of line `i` of the try.
  void send(L1Try& t, unsigned i);
  /// Sends an atomic that passes the tags by: a request for each sector, the highest first, and one
  /// for each further lane on a word; one request per cycle. The first of a sector has the data.
  void pass(L1Try& t);
  /// Returns the requests of such an atomic: one for each sector, and one for each further lane on
  /// a word.
  Cycle passing(const WarpAccess& access, const TouchedLines& lines) const;
  /// Updates, allocates or drops the line here, and opens the request that writes the sectors which
  /// the lanes touch.
  tlm::tlm_generic_payload& open(const WarpAccess& access, std::uint64_t line, LaneMask lanes);

 private:
  bool updates(const WarpAccess& access) const {
    return parameters_.writePolicy != WritePolicy::Evict &&
           access.instruction.operation == MemoryOperation::Store &&
           (access.issuedInstruction == nullptr || !access.issuedInstruction->ofEngine());
  }
  void keep(const L1Try& t, unsigned i, CacheArray::Frame frame);
  void send(WarpAccess& access, std::uint64_t line, LaneMask lanes, Cycle at);
  void sendPassing(WarpAccess& access, tlm::tlm_generic_payload& payload, Cycle at);
  CacheArray::Frame change(const WarpAccess& access, std::uint64_t line, const TouchedBytes& bytes);
  tlm::tlm_generic_payload& openSectors(const WarpAccess& access, std::uint64_t line,
                                        const TouchedBytes& bytes);
  static unsigned furtherLanes(const WarpAccess& access, LaneMask lanes, std::uint64_t lineBytes);
  void countUpdates(const WarpAccess& access, LaneMask lanes, SectorMask sectors,
                    LineRequest& request) const;
  void carryData(const WarpAccess& access, LaneMask lanes, std::uint8_t* here,
                 tlm::tlm_generic_payload& payload);

  const L1CacheParameters& parameters_;
  CacheArray& array_;
  L1Sectors& sectors_;
  const L1Tags& tags_;
  LineRequester& requester_;
  L1Misses& misses_;
  L1Flights& flights_;
  LoadCheck& check_;
  const L1Events& events_;
};

}  // namespace fermata
