// Knowledge of a module that the suite needs to send it sensible accesses.
#pragma once

#include <fermata/models/transaction/warp_access.h>

#include <functional>
#include <systemc>
#include <vector>

namespace fermata::conformance {

/// Way in which the target behind a stage answers a request.
enum class Way : std::uint8_t {
  AtOnce,            ///< TLM_COMPLETED, the latency as annotated delay
  ResponseReturned,  ///< TLM_UPDATED with BEGIN_RESP
  RequestEnded,      ///< TLM_UPDATED with END_REQ, BEGIN_RESP later
  Late,              ///< TLM_ACCEPTED, END_REQ later, BEGIN_RESP later still
  NestedResponse,    ///< BEGIN_RESP from within the forward call, which returns TLM_ACCEPTED
  NestedCompleted,   ///< like NestedResponse, but TLM_COMPLETED where the response has been ended
  NestedEndRequest,  ///< END_REQ from within the forward call, BEGIN_RESP later
  BackPressure,      ///< END_REQ is withheld for long, or until BEGIN_RESP implies it
  OutOfOrder,        ///< END_REQ soon, responses in another order than the requests
  // Warp protocol only.
  TakenReturned,  ///< TLM_UPDATED with TRY_OUTCOME and no lane left, BEGIN_RESP later
  TakenLater,     ///< TRY_OUTCOME and no lane left, then BEGIN_RESP, both later
  LeftReturned,   ///< TLM_UPDATED with TRY_OUTCOME, mostly with lanes left
  LeftNested,     ///< TRY_OUTCOME from within the forward call, mostly with lanes left
  LeftLater,      ///< TRY_OUTCOME later, mostly with lanes left
  Mixed,          ///< all of the above, chosen by the request
};
const char* nameOf(Way way);
/// Return all ways of the base protocol, and of the warp protocol.
std::vector<Way> linesWays();
std::vector<Way> warpsWays();

struct Options {
  /// Period of the module's clock; for a module with several clocks a common multiple. The suite
  /// starts its streams at multiples of it, and counts WarpAccess::occupancy and TryOutcome in it.
  sc_core::sc_time period{1, sc_core::SC_NS};
  unsigned seed = 1;
  unsigned accesses = 48;  ///< accesses per stream
  MemorySpace space = MemorySpace::Shared;
  /// Shared space, and lines of a target: addresses are below `bytes`. Otherwise each access has 8
  /// KiB of its own.
  std::uint64_t bytes = 49152;
  std::uint32_t lineBytes = 128;                 ///< length of a line that the suite asks for
  std::vector<unsigned> widths{1, 2, 4, 8, 16};  ///< bytes per lane
  /// Called for each try of a warp's access. Adds what stages above the module would have added,
  /// such as bank and row.
  std::function<void(WarpAccess&)> prepare;
  /// True: the stage asks below, once, for everything that it is asked for. False for a cache.
  bool passesAll = true;
  /// True: equal accesses, sent again after all was answered, take equal times. False for a module
  /// that keeps a state, such as the lines of a cache.
  bool repeats = true;
  /// True: times do not depend on whether requests are annotated or waited for, nor on other
  /// activity. False for a module that leaves lanes for a line which may come in the very instant
  /// in which they are tried: the kernel then decides which is first.
  bool sameTimes = true;
  /// Ways of the target below a stage; empty: all.
  std::vector<Way> below;
  /// Cycles without any answer after which the suite gives up.
  Cycle patience = 20000;
};

}  // namespace fermata::conformance
