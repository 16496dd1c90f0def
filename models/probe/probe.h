// Observation: a module reports events to the probe it was given, and does not know the listeners.
// Without a probe the cost is the test of a pointer.
#pragma once

#include <fermata/models/vocabulary/grid.h>
#include <fermata/models/vocabulary/warp_instruction.h>

#include <memory>

namespace fermata {

class WarpAccess;

/// Why an issue slot of a scheduler stayed empty for a cycle.
enum class StallCause : std::uint8_t {
  Scoreboard,  ///< every warp waits for a register, a branch's target, a line of instructions, or
               ///< its next turn (one issue per cycle)
  Barrier,     ///< every warp waits at a barrier
  MemoryPort,  ///< a warp is ready, but an access in passes holds the memory path
  Pipeline,    ///< a warp is ready, but its arithmetic pipeline takes nothing in this cycle
  Idle,        ///< the scheduler has no warp
  // Only in a pipeline where an instruction that waits holds up those behind it.
  BankConflict,  ///< the front end stands still behind a shared access in passes
  Writeback,     ///< the front end stands still behind an instruction that waits to write back
  SafeDistance,  ///< a warp is ready to access memory, but held back to avoid a bank conflict
};
inline constexpr unsigned kStallCauses = 8;
const char* name(StallCause cause);

/// Rank of a cause, by StallCause. In the function below it would be copied at each call.
inline constexpr std::uint8_t kStallRanks[kStallCauses] = {2, 1, 4, 3, 0, 6, 7, 5};
/// Returns the cause that counts if two warps have different ones: a warp that waits for a resource
/// is closer to issue than a warp that waits for its operands.
constexpr StallCause stronger(StallCause a, StallCause b) {
  return kStallRanks[static_cast<unsigned>(a)] >= kStallRanks[static_cast<unsigned>(b)] ? a : b;
}

struct IssueEvent {
  Cycle cycle = 0;
  unsigned slot = 0;
  const Grid& grid;
  const StaticInstruction& instruction;
  LaneMask active = 0;
  Cycle lost = 0;  ///< empty issue slots of this scheduler just before this issue
};

/// An event in the caches or in memory behind them, with the instruction that caused it. A line
/// that is written back counts for the instruction that evicted it.
struct CacheEvent {
  enum What : std::uint8_t {
    L1Hit,           ///< a line of an access is present
    L1Miss,          ///< a line of an access is absent, or only on its way
    L1SetConflict,   ///< a line had come, and was evicted before the access tried again
    L1BankConflict,  ///< conflict cycles at the banks of the L1
    L2Hit,
    L2Miss,
    DramRead,
    DramWrite,
    DramRowHit,  ///< a DRAM read or write to open rows; reported beside DramRead or DramWrite
  };
  static constexpr unsigned kWhats = 9;
  What what;
  std::uint32_t program;
  std::uint32_t pc;
  std::uint64_t count = 1;
};

/// A read of a locked atomic: its lanes have tried to get their locks.
struct LockEvent {
  std::uint32_t program;
  std::uint32_t pc;
  std::uint64_t tries;      ///< lanes that tried
  std::uint64_t position;   ///< lanes that failed: a lane of the try got it for the same word
  std::uint64_t alias;      ///< lanes that failed: a lane of the try got it for another word
  std::uint64_t otherWarp;  ///< lanes that failed: the lock was taken before the try
  Cycle at = 0;             ///< cycle of the clock in which the try was sent
};

/// Work of a module that costs energy and that no other event reports, with the instruction that
/// caused it. The unit of `count` depends on `what`.
struct EffortEvent {
  enum What : std::uint8_t {
    L1Lookup,      ///< tag lookups, one per line
    L1Write,       ///< words of 4 bytes: of lines that come, of stores that update a line
    MshrUse,       ///< lines that take an MSHR or join one
    L2Read,        ///< sectors of 32 bytes, answered or written back
    L2Write,       ///< sectors of 32 bytes that come from above or from memory
    DramActivate,  ///< rows opened
    DramRead,      ///< bytes read
    DramWrite,     ///< bytes written
    ForeignRead,   ///< bytes that the L2 reads from a memory that is not part of the model
    ForeignWrite,  ///< bytes that the L2 writes to a memory that is not part of the model
  };
  static constexpr unsigned kWhats = 10;
  static constexpr std::uint32_t kNoProgram = ~std::uint32_t{0};  ///< for no instruction
  What what;
  std::uint32_t program;
  std::uint32_t pc;
  std::uint64_t count;
  std::uint64_t time;  ///< in the resolution of sc_time
};

/// A shared access whose conflict cycles were foretold and are now measured.
struct ForetoldEvent {
  std::uint32_t program;
  std::uint32_t pc;
  bool found;         ///< the PC was in the conflict history
  unsigned foretold;  ///< conflict cycles
  unsigned measured;  ///< conflict cycles
};

/// The next instruction of a warp, or the cycle in which it is ready, has become known or changed.
struct WaitEvent {
  unsigned slot;
  const StaticInstruction* next;  ///< null: not known before the outcome of a try
  Cycle ready;  ///< cycle of the clock from which `next` has its operands; kNever: not known yet
};

/// A try of an access leaves the core.
struct SendEvent {
  const WarpAccess& access;
  Cycle at;       ///< cycle of the clock
  Cycle until;    ///< cycle of the clock in which the memory port takes the next try
  bool accepted;  ///< false: the path refused the try and takes nothing until pathFree()
};

/// Every event has a default that ignores it. Events come in the order of the model's calls; an
/// access is reported when it is accepted, with its outcome.
class Probe {
 public:
  /// Kinds of events that a probe may listen to; a set is the sum of its members.
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
  /// Returns the set of events that the probe listens to. Others need not be reported to it.
  virtual unsigned events() const { return kAllEvents; }
  /// Returns a probe of the same kind that has heard nothing, to hear the grids and one
  /// multiprocessor, on whatever thread that runs. Null (the default): the probe hears all of them,
  /// so that they have to run on one thread.
  virtual std::unique_ptr<Probe> ofOne() const { return nullptr; }
  /// Takes over what a probe from ofOne() has heard in a run. Called by rising number of the
  /// multiprocessors.
  virtual void join(Probe& /*one*/) {}
  virtual void gridStarted(const Grid&, Cycle) {}
  virtual void gridEnded(const Grid&, Cycle) {}
  /// `warps`: number of warps in the CTA.
  virtual void ctaStarted(std::uint64_t /*cta*/, unsigned /*warps*/, Cycle) {}
  virtual void ctaEnded(std::uint64_t /*cta*/, unsigned /*warps*/, Cycle) {}
  virtual void issued(const IssueEvent&) {}
  /// A retry takes an issue slot of cycle `at`: another try of an access that had lanes left.
  virtual void retried(const WarpAccess&, Cycle /*at*/) {}
  /// `slots` issue slots stayed empty within the cycles [from, from + cycles).
  virtual void stalled(StallCause, Cycle /*from*/, Cycle /*cycles*/, std::uint64_t /*slots*/) {}
  /// The crossbar has resolved a try of a shared access: banks, passes, degree, leaders are set.
  virtual void sharedTry(const WarpAccess&) {}
  /// The crossbar has resolved the try that serves the last lanes of a shared access: allPasses and
  /// allFreePasses are complete.
  virtual void sharedAccess(const WarpAccess&) {}
  /// The global path has formed the segments of an access; allSegments is complete.
  virtual void globalAccess(const WarpAccess&) {}
  virtual void cached(const CacheEvent&) {}
  /// The L1 has passed lanes that hit through its banks: as sharedTry, but `asked` has these lanes.
  virtual void l1Try(const WarpAccess&) {}
  virtual void locked(const LockEvent&) {}
  virtual void foretold(const ForetoldEvent&) {}
  virtual void effort(const EffortEvent&) {}
  /// A workload begins in cycle `at` of the clock. Cycles of grids, CTAs and issues count from it.
  virtual void runStarted(Cycle /*at*/) {}

  // Events of a warp between its issues; cycles are those of the clock. In the cycle of an issue
  // they follow issued(), except requested().
  virtual void waits(const WaitEvent&, Cycle /*at*/) {}
  /// The warp waits at a barrier until waits() tells its next instruction.
  virtual void waitsAtBarrier(unsigned /*slot*/, unsigned /*barrier*/, Cycle /*at*/) {}
  /// The instruction that issued() reports next accesses memory.
  virtual void requested(const WarpAccess&, Cycle /*at*/) {}
  /// An instruction's results can be used in cycle `at`, or its stores are done. Called once per
  /// issued instruction; for one warp and PC in the order of completion.
  virtual void completed(unsigned /*slot*/, const StaticInstruction&, Cycle /*at*/) {}
  virtual void exited(unsigned /*slot*/, Cycle /*at*/) {}
  virtual void sent(const SendEvent&) {}
  /// The path that refused a try accepts again from cycle `at`.
  virtual void pathFree(bool /*shared*/, Cycle /*at*/) {}
};

/// Returns the probe if it listens to one of `events`; otherwise null. Called when a run begins, so
/// that an event without a listener costs nothing.
inline Probe* listening(Probe* probe, unsigned events) {
  return probe != nullptr && (probe->events() & events) != 0 ? probe : nullptr;
}

}  // namespace fermata
