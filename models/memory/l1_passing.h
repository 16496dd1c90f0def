// Reads that pass an L1 by: it neither looks them up nor keeps them. An engine for copies of blocks
// fetches so, and so do loads that are to see what other multiprocessors store
// (StaticInstruction::passesL1).
#pragma once

#include <fermata/models/memory/l1_events.h>
#include <fermata/models/memory/l1_flights.h>
#include <fermata/models/memory/l1_misses.h>
#include <fermata/models/memory/l1_try.h>
#include <fermata/models/memory/load_check.h>

namespace fermata {

class L1Passing {
 public:
  /// Everything referred to must outlive it.
  L1Passing(const L1CacheParameters& parameters, CacheArray& array, L1Misses& misses,
            LineRequester& requester, L1Flights& flights, LoadCheck& check)
      : parameters_(parameters),
        array_(array),
        misses_(misses),
        requester_(requester),
        flights_(flights),
        check_(check) {}

  static bool isFor(const WarpAccess& access) {
    return access.instruction.operation == MemoryOperation::Load &&
           access.issuedInstruction != nullptr &&
           (access.issuedInstruction->ofEngine() || access.issuedInstruction->passesL1);
  }

  /// Reads all lines of the try.
  void send(L1Try& t) {
    WarpAccess& access = *t.access;
    for (unsigned i = 0; i < t.lines.count; ++i) {
      const TouchedBytes bytes(access, t.lines.lanes[i], parameters_.shape.lineBytes);
      tlm::tlm_generic_payload& payload = misses_.openRead(t.lines.line[i], bytes.sectors);
      LineRequest& request = LineRequester::of(payload);
      request.program = access.program;
      request.pc = access.instruction.pc;
      flights_.sent(access);
      request.token = access.token;
      requester_.send(payload, t.arrival + parameters_.lookupLatency);
    }
  }
  /// Takes the answer to a read. Returns its access.
  WarpAccess& answered(const tlm::tlm_generic_payload& payload) {
    const LineRequest& request = LineRequester::of(payload);
    WarpAccess& access = flights_.access(request.token);
    LaneMask lanes = 0;
    for (unsigned lane = 0; lane < kWarpLanes; ++lane)
      lanes |= LaneMask{array_.lineOf(access.instruction.address[lane]) == request.line} << lane;
    check_.compare(access, lanes & access.asked, misses_.bytesOf(payload));
    return access;
  }

 private:
  const L1CacheParameters& parameters_;
  CacheArray& array_;
  L1Misses& misses_;
  LineRequester& requester_;
  L1Flights& flights_;
  LoadCheck& check_;
};

}  // namespace fermata
