// The first-level cache of a streaming multiprocessor: the warp protocol ends here.
//
// A try arrives. Its lanes are gathered into lines (CUDA C Programming Guide 4.2, F.4.2), looked up
// one per cycle and tag array (l1_try.h). Lanes whose bytes are here pass through the banks of the
// data arrays (l1_banks.h). Absent lines, or their sectors (l1_sectors.h), leave as plain requests
// of the base protocol, and merge (l1_misses.h). Stores are written through; each is answered when
// memory has it (l1_writes.h). Memory carries atomics out: here each is a store whose answer the
// core waits for. An access ends when all its requests are answered (l1_flights.h). Copies of
// blocks pass the cache by (l1_passing.h); their stores drop the lines that they change.
//
// Two choices decide about lanes that the first try does not serve:
//
//   divergence  Wait    the access is taken whole and answered when its last line has come; a line
//                       without a free MSHR holds the path (GPGPU-Sim's Fermi model; l1_wait.cpp)
//               Replay  lanes are left if their line is absent, and try again when it has come;
//                       so are lanes beyond the lines that the tags look up at once
//                       (l1_replay.cpp)
//   conflict policy     decides about lanes that lose their bank, as in the scratchpad
//                       (conflict_policy.h)
#pragma once

#include <fermata/models/memory/l1_divergence.h>
#include <fermata/models/memory/l1_parts.h>
#include <fermata/models/timing/ring.h>
#include <fermata/models/transaction/late_target.h>

#include <memory>

namespace fermata {

class L1Cache : public LateWarpTarget, private LineRequester::Client, private L1Divergence::Waker {
 public:
  using Parameters = L1CacheParameters;

 private:
  L1Parts parts_;

 public:
  LineInitiatorSocket& out;

  /// `sets`: made from the parameters' shape. `banks`: maps the shape.bytes / 4 words of the cache.
  /// `probe` may be null.
  L1Cache(const sc_core::sc_module_name& name, const Clock& clock, const Parameters& parameters,
          SetIndex sets, std::shared_ptr<const indexing::Indexer> banks, Probe* probe);

  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override;
  /// Bypasses the queue and the banks. Loads read the lines in the cache, or memory below, and
  /// allocate nothing; stores change lines as timed ones do. Nothing is counted. Requests that are
  /// under way and not yet answered may not be visible.
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override;

  /// Drops every line: a kernel begins. Precondition: nothing is under way.
  void invalidate() {
    parts_.array.clear();
    parts_.misses.forgetChanges();
  }
  /// Drops every line and gives each set this many frames. Precondition: nothing is under way.
  void setWays(std::uint32_t ways) {
    parts_.array.setWays(ways);
    parts_.misses.forgetChanges();
  }
  /// True if a try may leave lanes, which are tried again.
  bool leavesLanes() const {
    return parts_.parameters.divergence == Divergence::Replay || parts_.banks.leavesLanes();
  }
  const indexing::Indexer& banks() const { return parts_.banks.indexer(); }
  const SetIndex& sets() const { return parts_.array.sets(); }
  /// With `verify`: lets judge() decide whether a load that finds other bytes than the executor saw
  /// is an error; without this call it is one at once. Writes then carry their place in the order
  /// of WarpAccess::sequence, which all caches above one L2 must share.
  void judgeLater() { parts_.check.judgeLater(); }
  /// Reports the first load since the last call whose byte no write excuses. `writes`: the writes
  /// that have come to the L2. Precondition: nothing is under way.
  void judge(const WriteOrder& writes) { parts_.check.judge(&writes); }
  /// Lane accesses compared so far; 0 without `verify`.
  std::uint64_t compared() const { return parts_.check.compared(); }

 private:
  using Payload = tlm::tlm_generic_payload;
  using Result = L1Divergence::Result;
  enum class State : std::uint8_t {
    Free,          ///< takes the next try
    WaitsForRoom,  ///< `try_` has not begun: the queue to memory is full
    Stalled        ///< `try_` has begun, and waits for an MSHR or a line
  };

  bool mustWait(const sc_core::sc_time& delay) const;
  tlm::tlm_sync_enum enter(Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  Cycle lookups(const WarpAccess& access, const TouchedLines& lines) const;
  void gather(TouchedLines& lines, const WarpAccess& access) const;
  unsigned places() const { return parts_.parameters.lookupQueue * parts_.parameters.tagArrays; }
  unsigned placesOf(const WarpAccess& access, LaneMask lanes) const;
  void freePlaces(unsigned lines);
  bool next(Cycle now);
  void requested(Payload& payload) override;
  bool passes(const WarpAccess& access) const;
  void passAtomic(Payload& payload);
  void begin(Payload& payload, Cycle arrival);
  void beginTry(L1Try& t, Payload& payload, Cycle arrival);
  Result serve();
  Result passBy();
  void serveWaiting(Cycle now);
  void answerLate(Result result);

  void answered(Payload& line, Cycle now) override;
  void roomFreed(Cycle now) override { serveWaiting(now); }
  Cycle filledAt(std::uint32_t bytes, Cycle now);
  void arrived(WarpAccess& access, Cycle at) override;
  void tryAgain(WarpAccess& access) override;

  void transportLine(Payload& payload, std::uint64_t line, LaneMask lanes, sc_core::sc_time& delay);

  std::shared_ptr<Agenda> agenda_;
  Clock clock_;
  std::unique_ptr<L1Divergence> divergence_;
  L1Try try_;  ///< the try at hand
  State state_ = State::Free;
  Cycle fillFree_ = 0;  ///< the next bytes come in no earlier
  // With a lookup queue:
  Cycle onWay_ = 0;             ///< cycles from a try's arrival to the tags
  Cycle past_ = 0;              ///< cycles for which an atomic passes that way by
  L1Try passing_;               ///< the atomic that passes
  unsigned entered_ = 0;        ///< tries on their way or at the tags
  unsigned places_ = 0;         ///< places that their lines hold
  unsigned freed_ = 0;          ///< lines of the try at hand that hold none any more
  Payload* refused_ = nullptr;  ///< the try that found no place
  unsigned refusedPlaces_ = 0;  ///< places of that try
  Ring<Payload*> atTags_;       ///< tries that wait for the one at hand
};

}  // namespace fermata
