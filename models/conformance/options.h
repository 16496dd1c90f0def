// What the suite must know of a module to put sensible accesses to it.
#pragma once

#include <fermata/models/transaction/warp_access.h>

#include <functional>
#include <systemc>
#include <vector>

namespace fermata::conformance {

/// How what is behind a stage answers a request.
enum class Way : std::uint8_t {
  AtOnce,            ///< TLM_COMPLETED, the latency as annotated delay
  ResponseReturned,  ///< TLM_UPDATED with BEGIN_RESP
  RequestEnded,      ///< TLM_UPDATED with END_REQ, BEGIN_RESP later
  Late,              ///< TLM_ACCEPTED, END_REQ later, BEGIN_RESP later still
  NestedResponse,    ///< BEGIN_RESP from within the forward call, which returns TLM_ACCEPTED
  NestedCompleted,   ///< the same, but TLM_COMPLETED where the response has been ended
  NestedEndRequest,  ///< END_REQ from within the forward call, BEGIN_RESP later
  BackPressure,      ///< END_REQ is withheld for long, or until BEGIN_RESP implies it
  OutOfOrder,        ///< END_REQ soon, the responses in another order than the requests
  // Of the warp protocol alone.
  TakenReturned,  ///< TLM_UPDATED with TRY_OUTCOME and no lane left, BEGIN_RESP later
  TakenLater,     ///< TRY_OUTCOME and no lane left, then BEGIN_RESP, both later
  LeftReturned,   ///< TLM_UPDATED with TRY_OUTCOME, mostly with lanes left
  LeftNested,     ///< the same from within the forward call
  LeftLater,      ///< the same later
  Mixed,          ///< all of the above, in turn by what is asked for
};
const char* nameOf(Way way);
/// All ways that a protocol has: those of the base protocol, or of the warp protocol.
std::vector<Way> linesWays();
std::vector<Way> warpsWays();

struct Options {
  /// The module's clock: the suite starts its streams at multiples of it, and counts
  /// WarpAccess::occupancy and TryOutcome in it. Of a module with several clocks a common multiple.
  sc_core::sc_time period{1, sc_core::SC_NS};
  unsigned seed = 1;
  unsigned accesses = 48;  ///< of a stream
  MemorySpace space = MemorySpace::Shared;
  /// Shared space, and lines of a target: addresses are less. Otherwise each access has 8 KiB of
  /// its own.
  std::uint64_t bytes = 49152;
  std::uint32_t lineBytes = 128;                 ///< length of a line that the suite asks for
  std::vector<unsigned> widths{1, 2, 4, 8, 16};  ///< bytes of a lane
  /// Called for each try of a warp's access: what stages above the module would have added, such
  /// as bank and row.
  std::function<void(WarpAccess&)> prepare;
  /// A stage: whatever it is asked for it asks for below, once. Not so for a cache.
  bool passesAll = true;
  /// The same accesses, after all was answered, take the same times again. Not so for what keeps
  /// a state, such as the lines of a cache.
  bool repeats = true;
  /// The times are the same whether requests are annotated or waited for, and whatever else goes
  /// on. Not so for a module that leaves lanes for a line which may come in the very instant in
  /// which they are tried: the kernel then says which is first.
  bool sameTimes = true;
  /// What may stand below a stage; empty: all there is.
  std::vector<Way> below;
  /// Cycles without any answer after which the suite gives up.
  Cycle patience = 20000;
};

}  // namespace fermata::conformance
