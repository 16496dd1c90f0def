// Observation: a module reports what happens to the probe it was given; nobody in the model knows
// who listens. No probe, no cost beyond a test of a pointer.
#pragma once

#include <fermata/models/transaction/grid.h>
#include <fermata/models/transaction/warp_instruction.h>

namespace fermata {

class WarpAccess;

/// Why an issue slot of a scheduler stayed empty for a cycle.
enum class StallCause : std::uint8_t {
  Scoreboard,  ///< every warp waits: for a register, a branch's target, or its next turn (one issue
               ///< a cycle)
  Barrier,     ///< every warp waits at a barrier
  MemoryPort,  ///< a warp is ready, the memory path is held by an access in passes
  Pipeline,    ///< a warp is ready, its arithmetic pipeline takes nothing this cycle
  Idle,        ///< the scheduler has no warp
  // Of a pipeline in which an instruction that waits holds up what is behind it.
  BankConflict,  ///< the front end stands still behind a shared access in passes
  Writeback,     ///< it stands still behind an instruction that waits for its turn to write back
  SafeDistance,  ///< a warp is ready, to access memory, and held back for a bank conflict's sake
};
inline constexpr unsigned kStallCauses = 8;
const char* name(StallCause cause);

/// Of two reasons the one that counts: a warp that waits for a resource is closer to the slot than
/// one that waits for its operands.
constexpr StallCause stronger(StallCause a, StallCause b) {
  constexpr unsigned rank[kStallCauses] = {2, 1, 4, 3, 0, 6, 7, 5};  // by StallCause
  return rank[static_cast<unsigned>(a)] >= rank[static_cast<unsigned>(b)] ? a : b;
}

struct IssueEvent {
  Cycle cycle = 0;
  unsigned slot = 0;
  const Grid& grid;
  const StaticInstruction& instruction;
  LaneMask active = 0;
  Cycle lost = 0;  ///< empty issue slots of this scheduler just before this issue
};

/// What became of a line or of an access in the caches and behind them, by the instruction that it
/// was for. Lines that are written back count for the one that made them leave.
struct CacheEvent {
  enum What : std::uint8_t {
    L1Hit,           ///< a line of an access is there
    L1Miss,          ///< it is not, or only on its way
    L1SetConflict,   ///< it had come, and was evicted before the access tried again
    L1BankConflict,  ///< passes beyond those without a conflict
    L2Hit,
    L2Miss,
    DramRead,
    DramWrite,
    DramRowHit,  ///< of these
  };
  static constexpr unsigned kWhats = 9;
  What what;
  std::uint32_t program;
  std::uint32_t pc;
  std::uint64_t count = 1;
};

/// A read of a locked atomic, whose lanes try to get their locks.
struct LockEvent {
  std::uint32_t program;
  std::uint32_t pc;
  std::uint64_t tries;      ///< lanes
  std::uint64_t position;   ///< of these: a lane of the warp got the lock, for the same word
  std::uint64_t alias;      ///< ... for another word
  std::uint64_t otherWarp;  ///< the lock was taken before
  Cycle at = 0;             ///< in which the try was sent
};

/// What a module does that costs energy and that no table counts by itself, and the instruction
/// that it was for.
struct EffortEvent {
  enum What : std::uint8_t {
    L1Lookup,      ///< of a line's tag
    L1Write,       ///< words of 4 bytes: of lines that come, of stores that update one
    MshrUse,       ///< taken by a line, or joined
    L2Read,        ///< sectors of 32 bytes: answered, written back
    L2Write,       ///< the same: that come, from either side
    DramActivate,  ///< rows opened
    DramRead,      ///< bytes
    DramWrite,
    ForeignRead,  ///< bytes asked of a memory that is not the model's, at the L2's output
    ForeignWrite,
  };
  static constexpr unsigned kWhats = 10;
  static constexpr std::uint32_t kNoProgram = ~std::uint32_t{0};  ///< for no instruction
  What what;
  std::uint32_t program;
  std::uint32_t pc;
  std::uint64_t count;
  std::uint64_t time;  ///< in the resolution of sc_time
};

/// The passes of a shared access are known, and what was foretold of them: those beyond an access
/// without a conflict.
struct ForetoldEvent {
  std::uint32_t program;
  std::uint32_t pc;
  bool found;  ///< in the history
  unsigned foretold;
  unsigned measured;
};

/// What a warp waits for has become known, or is another.
struct WaitEvent {
  unsigned slot;
  const StaticInstruction* next;  ///< null: not known before the outcome of a try
  Cycle ready;  ///< cycle of the clock from which it has its operands; kNever: not known yet
};

/// A try of an access leaves the core.
struct SendEvent {
  const WarpAccess& access;
  Cycle at;       ///< cycle of the clock, as what follows
  Cycle until;    ///< the memory port takes the next try
  bool accepted;  ///< by its path; otherwise that takes nothing until portFree()
};

/// Every event has a default that ignores it. Events come in the order of the model's calls; an
/// access is reported when it is accepted, with its outcome.
class Probe {
 public:
  /// What a probe may listen to; sets of them are added.
  enum Event : unsigned {
    Grids = 1,             ///< gridStarted, gridEnded
    Ctas = 2,              ///< ctaStarted, ctaEnded
    Issues = 4,            ///< issued
    Retries = 8,           ///< retried
    Stalls = 16,           ///< stalled
    SharedTries = 32,      ///< sharedTry
    SharedAccesses = 64,   ///< sharedAccess
    GlobalAccesses = 128,  ///< globalAccess
    Caches = 256,          ///< cached, l1Try
    Locks = 512,           ///< locked
    Forecasts = 1024,      ///< foretold
    Efforts = 2048,        ///< effort
    Runs = 4096,           ///< runStarted
    Warps = 8192,          ///< waits, waitsAtBarrier, requested, completed, exited
    Ports = 16384          ///< sent, pathFree
  };
  static constexpr unsigned kAllEvents = 32767;

  virtual ~Probe() = default;
  /// Those that it listens to: of the others nobody needs to tell it.
  virtual unsigned events() const { return kAllEvents; }
  virtual void gridStarted(const Grid&, Cycle) {}
  virtual void gridEnded(const Grid&, Cycle) {}
  /// `warps`: of the CTA.
  virtual void ctaStarted(std::uint64_t /*cta*/, unsigned /*warps*/, Cycle) {}
  virtual void ctaEnded(std::uint64_t /*cta*/, unsigned /*warps*/, Cycle) {}
  virtual void issued(const IssueEvent&) {}
  /// An issue slot of cycle `at` goes to another try of an access of which lanes were left.
  virtual void retried(const WarpAccess&, Cycle /*at*/) {}
  /// `slots` empty issue slots within the cycles [from, from + cycles).
  virtual void stalled(StallCause, Cycle /*from*/, Cycle /*cycles*/, std::uint64_t /*slots*/) {}
  /// The crossbar has resolved a try of a shared access: banks, passes, degree, leaders are set.
  virtual void sharedTry(const WarpAccess&) {}
  /// The same, of the try that serves the last lanes of the access: allPasses, allFreePasses are
  /// whole.
  virtual void sharedAccess(const WarpAccess&) {}
  /// The coalescer has formed the segments of the last lanes of a global access: allSegments is
  /// whole.
  virtual void globalAccess(const WarpAccess&) {}
  virtual void cached(const CacheEvent&) {}
  /// The L1 has put the lanes that hit to its banks: as sharedTry, with these lanes as `asked`.
  virtual void l1Try(const WarpAccess&) {}
  virtual void locked(const LockEvent&) {}
  virtual void foretold(const ForetoldEvent&) {}
  virtual void effort(const EffortEvent&) {}
  /// A workload begins in cycle `at` of the clock, from which the cycles of grids, CTAs and issues
  /// count.
  virtual void runStarted(Cycle /*at*/) {}

  // Of a warp between its issues; cycles are those of the clock. After issued(), if it is of its
  // cycle, but for requested().
  virtual void waits(const WaitEvent&, Cycle /*at*/) {}
  /// Until waits() says what comes next.
  virtual void waitsAtBarrier(unsigned /*slot*/, unsigned /*barrier*/, Cycle /*at*/) {}
  /// The instruction that is about to be told as issued() accesses memory.
  virtual void requested(const WarpAccess&, Cycle /*at*/) {}
  /// An instruction's results can be used in cycle `at`, or its stores are done. Once for each that
  /// issued, those of one warp and PC in the order of their ends.
  virtual void completed(unsigned /*slot*/, const StaticInstruction&, Cycle /*at*/) {}
  virtual void exited(unsigned /*slot*/, Cycle /*at*/) {}
  virtual void sent(const SendEvent&) {}
  /// The path that did not accept a try takes the next one from cycle `at` on.
  virtual void pathFree(bool /*shared*/, Cycle /*at*/) {}
};

/// Asked when a run begins, so that an event costs nothing where nobody listens to it: null then.
inline Probe* listening(Probe* probe, unsigned events) {
  return probe != nullptr && (probe->events() & events) != 0 ? probe : nullptr;
}

}  // namespace fermata
