// The first-level cache of a streaming multiprocessor: the warp protocol ends here. It gathers the
// lanes of an access into lines (CUDA C Programming Guide 4.2, F.4.2) and looks up one line per
// cycle and tag array. The data arrays are banks with their own indexer; the words of a line lie
// side by side from its frame on (Diamond et al., Arbitrary Modulus Indexing, MICRO 2014, sections
// IV and VII.D). Misses leave as plain requests of the base protocol (line_requester.h), one line
// each, and merge.
//
// Two choices decide about lanes that the first try does not serve:
//
//   divergence  Wait    the access is taken whole and answered when its last line has come; a line
//                       without a free MSHR holds the path (GPGPU-Sim's Fermi model)
//               Replay  lanes are left if their line is absent, and try again when it has come;
//                       so are lanes beyond the lines that the tags look up at once
//   conflict policy     decides about lanes that lose their bank, as in the scratchpad
//                       (conflict_policy.h)
//
// Stores are written through and allocate nothing; each is answered when memory has it. Memory
// carries atomics out: here each is a store whose answer the core waits for.
#pragma once

#include <fermata/models/memory/cache_array.h>
#include <fermata/models/memory/conflict.h>
#include <fermata/models/memory/conflict_policy.h>
#include <fermata/models/memory/line_requester.h>
#include <fermata/models/memory/load_mismatches.h>
#include <fermata/models/memory/mshr.h>
#include <fermata/models/probe/probe.h>
#include <fermata/models/transaction/late_target.h>
#include <fermata/models/transaction/warp_order.h>

#include <array>
#include <memory>
#include <vector>

namespace fermata {

enum class Divergence : std::uint8_t { Wait, Replay };
template <>
struct ChoiceTable<Divergence> {
  static const std::vector<NamedChoice<Divergence>>& table() {
    static const std::vector<NamedChoice<Divergence>> choices{{Divergence::Wait, "wait"},
                                                              {Divergence::Replay, "replay"}};
    return choices;
  }
};

/// When a line gets its frame.
enum class Allocation : std::uint8_t {
  Miss,  ///< with the request: a set whose frames are all reserved takes no further miss
  Fill   ///< when the line arrives
};
template <>
struct ChoiceTable<Allocation> {
  static const std::vector<NamedChoice<Allocation>>& table() {
    static const std::vector<NamedChoice<Allocation>> choices{{Allocation::Miss, "miss"},
                                                              {Allocation::Fill, "fill"}};
    return choices;
  }
};

class L1Cache : public LateWarpTarget, private LineRequester::Client {
 public:
  struct Parameters {
    CacheShape shape;
    Chosen<ReplacementPolicy> replacement;
    PolicyValues policyValues;
    Allocation allocation = Allocation::Fill;
    WritePolicy writePolicy = WritePolicy::Evict;  ///< Evict or Through
    Divergence divergence = Divergence::Wait;
    Chosen<ConflictPolicy> conflictPolicy;  ///< with Wait: must leave no lanes
    unsigned tagArrays = 1;                 ///< lines looked up per cycle, 1 to 32
    unsigned latency = 24;                  ///< cycles from the last pass to the registers
    unsigned lookupLatency = 2;  ///< cycles until hit or miss is known, and a miss leaves
    /// With Wait: cycles from a line's arrival to the registers of accesses that wait for it.
    /// Unused with Replay: there a replay hits, and takes `latency`.
    unsigned fillLatency = 1;
    unsigned mshrs = 64;  ///< lines under way, 1 or more
    unsigned merges = 0;  ///< accesses that may wait for one line; 0: no limit
    unsigned queue = 8;   ///< requests that may wait for memory to take them
    LaneGrouping groups;  ///< lane groups at the banks
    bool verify = false;
  };

 private:
  LineRequester requests_;

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
  void invalidate() { array_.clear(); }
  /// True if a try may leave lanes, which are tried again.
  bool leavesLanes() const {
    return parameters_.divergence == Divergence::Replay ||
           parameters_.conflictPolicy->needs.leavesLanes;
  }
  const indexing::Indexer& banks() const { return *banks_; }
  const SetIndex& sets() const { return array_.sets(); }
  /// With `verify`: lets judge() decide whether a load that finds other bytes than the executor saw
  /// is an error; without this call it is one at once. Writes then carry their place in the order
  /// of WarpAccess::sequence, which all caches above one L2 must share.
  void judgeLater() { later_ = true; }
  /// Reports the first load since the last call whose byte no write excuses. `writes`: the writes
  /// that have come to the L2. Precondition: nothing is under way.
  void judge(const WriteOrder& writes) {
    mismatches_.judge(&writes, parameters_.shape.lineBytes, this);
  }
  /// Lane accesses compared so far; 0 without `verify`.
  std::uint64_t compared() const { return compared_; }

 private:
  using Payload = tlm::tlm_generic_payload;
  using Waiters = Mshrs<WarpAccess*>;
  /// Stands for a frame: the line is in none, but its MSHR has kept it.
  static constexpr CacheArray::Frame kKept = CacheArray::kNone - 1;

  /// The lines of a try and the lanes on each, in the order of the lanes.
  struct Lines {
    unsigned count = 0;
    std::array<std::uint64_t, kWarpLanes> line;
    std::array<LaneMask, kWarpLanes> lanes;
  };
  /// The requests of an access that memory has not answered.
  struct Flight {
    WarpAccess* access = nullptr;
    std::uint32_t pending = 0;
    bool whole = false;  ///< every lane of the access has been taken
    Cycle last = 0;      ///< when the latest data so far reach the registers
  };
  enum class Result : std::uint8_t { Served, Left, Pending, Stalled };
  /// A try that is being worked off.
  struct Job {
    Payload* payload = nullptr;
    WarpAccess* access = nullptr;
    Cycle arrival = 0;
    Lines lines;
    unsigned next = 0;  ///< index in `lines` of the next to look up
    unsigned lookups = 0;
    LaneMask hit = 0;
    Cycle known = 0;  ///< when the outcome is known
    Cycle data = 0;   ///< when the data of the lanes served so far are there
  };

  void requested(Payload& payload) override;
  void answered(Payload& line, Cycle now) override;
  void roomFreed(Cycle now) override;

  bool mustWait(const sc_core::sc_time& delay) const;
  void begin(Payload& payload, Cycle arrival);
  void gather(const WarpAccess& access, LaneMask lanes, Lines& lines) const;
  Result work(Job& job);
  Result replay(Job& job);
  Result wait(Job& job);
  void answerLate(Job& job, Result result);
  void resume(Cycle now);

  void putFirst(Job& job);
  bool waitsFor(Waiters::Number number, const WarpAccess& access);
  void lookUpReplay(Job& job, unsigned i);
  static void leaveAbsent(WarpAccess& access, LaneMask lanes);
  bool lookUpWait(Job& job, unsigned i);
  bool request(Job& job, unsigned i);
  void requestAgainLater(WarpAccess& access);
  void write(Job& job, unsigned i);
  Payload& openWrite(const WarpAccess& access, std::uint64_t line, LaneMask lanes);
  void transportLine(Payload& payload, std::uint64_t line, LaneMask lanes, sc_core::sc_time& delay);
  LaneMask passBanks(Job& job);
  void placeWords(Job& job);
  void releaseKept(Job& job, LaneMask left);
  Flight& flightOf(WarpAccess& access);
  Result finish(Job& job);
  void arrivedFor(WarpAccess& access, Cycle at);

  void filled(Payload& line, Cycle now);
  void install(Payload& line, Cycle now);
  void freeEntry(Waiters::Number number);
  void tryAgain(WarpAccess& access);

  void compare(const WarpAccess& access, LaneMask lanes, const std::uint8_t* data,
               std::uint64_t line);
  void report(CacheEvent::What what, const WarpAccess& access, std::uint64_t count = 1) const;
  void effort(EffortEvent::What what, const WarpAccess& access, std::uint64_t count,
              Cycle at) const;

  static constexpr std::uint32_t kWordBytes = 4;

  std::shared_ptr<Agenda> agenda_;
  Clock clock_;
  Parameters parameters_;
  std::shared_ptr<const indexing::Indexer> banks_;
  CacheArray array_;
  ConflictResolver resolver_;
  std::unique_ptr<ConflictPolicy> policy_;
  Probe* probe_;
  WarpOrder order_;
  Waiters mshrs_;
  std::vector<bool> stale_;           ///< by MSHR: the line was written after it was asked for
  std::vector<std::uint8_t> kept_;    ///< by MSHR, with `verify`: the bytes of its line
  std::vector<WarpAccess*> starved_;  ///< accesses that tried in vain to get an MSHR
  std::vector<WarpAccess*> woken_;    ///< empty between calls; kept for its capacity
  std::array<CacheArray::Frame, kWarpLanes> frame_{};  ///< by Job::lines; kNone: no hit
  std::vector<Flight> flights_;
  std::vector<std::uint32_t> idleFlights_;
  Job job_;               ///< the try at hand
  bool working_ = false;  ///< `job_` waits for an MSHR, or for room to send
  bool begun_ = false;    ///< work on `job_` has begun: room to send is no condition any more
  std::uint64_t compared_ = 0;
  bool later_ = false;
  LoadMismatches mismatches_;
};

}  // namespace fermata
