// An in-order pipeline of single issue, in which an instruction that waits holds up those behind
// it: organisations `unified`, `split` and `elastic` (Gou and Gaydadjiev, Elastic Pipeline, CF
// 2011, sections 3.1 and 3.2, figures 4 to 6).
//
//   front end ... EXE -+- PREMEM queue - MEM0 ... MEMm-1 -+- WB
//                      +- NONMEM path or queue -----------+
//
// A warp passes as subwarps of `simdWidth` lanes, one per cycle. In the cycle of issue the first
// subwarp is in stage 0. At the end of each cycle, in this order:
//
// 1. WB takes up to `writebackPorts` subwarps. First come data from outside the pipeline, then the
//    end of the memory stages, then the NONMEM path: its last stage (split) or its queue, oldest
//    first (elastic). EXE comes last (elastic, not memory). The paper draws these priorities in
//    figure 6; that outside data go first is an assumption.
// 2. A path stands still if WB does not take the subwarp at its end; all its stages stay, empty
//    ones too. Otherwise the path moves; MEM0 moves only when its passes are over.
// 3. An empty MEM0 takes from the PREMEM queue, oldest first, or from EXE.
// 4. EXE hands on its subwarp. A memory subwarp (unified: every subwarp) goes to MEM0, or to the
//    PREMEM queue if MEM0 is not empty (elastic). Any other subwarp goes to the first NONMEM stage
//    (split), or to WB or the NONMEM queue (elastic). If there is no room, the front end stands
//    still in the following cycle: nothing issues in that cycle.
//
// An access that goes outside leaves after the last memory stage and needs no port of WB. An
// instruction can use a result if it issues at least one cycle after the result's last subwarp was
// in WB.
//
// Stages are not ticked. The front end is a delay, lengthened by the cycles in which it stood
// still, and so are the memory stages. Computed are only the subwarps' turns at EXE, MEM0 and WB.
// Plain C++, no SystemC.
#pragma once

#include <fermata/models/core/in_order_parameters.h>
#include <fermata/models/core/pipeline_parameters.h>
#include <fermata/models/probe/probe.h>
#include <fermata/models/timing/ring.h>
#include <fermata/models/vocabulary/cycle.h>
#include <fermata/models/vocabulary/warp_instruction.h>

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

namespace fermata {

class StagedPipeline {
 public:
  using Id = std::uint32_t;
  /// Access: a memory instruction whose passes become known when it reaches MEM0. Memory: a memory
  /// instruction whose subwarps take one pass each.
  enum class Kind : std::uint8_t { Other, Memory, Access };
  /// Way out of the last memory stage. WriteBack: to WB. Leave: to outside, and no data come back.
  /// Return: to outside, and data come back.
  enum class Exit : std::uint8_t { WriteBack, Leave, Return };
  struct Service {
    std::array<std::uint32_t, kWarpLanes> passes;  ///< cycles in MEM0, by subwarp: 1 or more
    Exit exit = Exit::WriteBack;
    bool accepted = true;  ///< false: the last subwarp stays in MEM0 until accepted()
    StallCause cause = StallCause::BankConflict;  ///< cause of a stall behind these passes
  };
  /// The whole instruction has passed: one that uses its result can issue in cycle `at`.
  struct Commit {
    Id id;
    Cycle at;
  };
  /// State of the front end in a cycle, and the cycle in which the state ends.
  struct Front {
    StallCause cause = StallCause::Idle;  ///< Idle: the front end takes an instruction
    Cycle until = kNever;
  };

  StagedPipeline(PipelineOrganisation organisation, const StageParameters& parameters);

  /// Does the work of all cycles before `now`. Precondition: reached() is empty, or was reached in
  /// cycle `now`.
  void advance(Cycle now) {
    if (cycle_ < now) advanceTo(now);
  }
  /// Returns the access whose first cycle in MEM0 is that of advance(). It waits for serve().
  std::optional<Id> reached() const { return reached_; }
  void serve(const Service& service);
  /// The path that refused access `id` accepts again from cycle `at`, which is now or later.
  void accepted(Id id, Cycle at);
  /// The data of access `id`, whose exit was Return, are there in cycle `at`. Several accesses of
  /// one cycle go in the order in which they have both left the memory stages and been told here.
  void returned(Id id, Cycle at);

  /// Issues an instruction in cycle `now`, that of advance(). Precondition: free() <= now. Each
  /// subwarp takes `passes` cycles in MEM0, if it goes there and serve() does not say another
  /// number.
  Id issue(Kind kind, Cycle now, unsigned passes = 1);
  /// Returns the first cycle in which an instruction can issue, as far as is known now; the real
  /// one can be later.
  Cycle free() const;
  /// Returns the state of the front end in cycle `at`. Precondition: `at` lies between the last
  /// issue and the cycle of advance().
  Front front(Cycle at) const;
  /// Returns the commits that have come since the caller last emptied the list.
  std::vector<Commit>& commits() { return commits_; }
  /// True if there are commits in the list.
  bool hasCommits() const { return !commits_.empty(); }
  /// Lets the id of an instruction that has passed be used again.
  void release(Id id) { unused_.push_back(id); }
  /// Returns the cycles in which the front end stood still.
  Cycle stalls() const { return stalls_; }
  /// Returns cycle `at`, counted without the cycles in which the front end stood still.
  /// Precondition: `at` is the cycle of advance() or later.
  Cycle frontTime(Cycle at) const { return at - stalls_; }
  /// Returns the first cycle, that of advance() or later, in which an access can be in MEM0 for the
  /// first time; kNever: not before another event. advance() must not go beyond this cycle.
  Cycle nextAccess() const;
  /// Returns the first cycle, that of advance() or later, in which an instruction can be committed.
  Cycle nextCommit() const;
  Cycle next() const { return std::min(nextAccess(), nextCommit()); }

 private:
  static constexpr Id kNone = ~Id{0};
  struct Instruction {
    Kind kind = Kind::Other;
    Exit exit = Exit::WriteBack;
    bool left = false;  ///< all subwarps have gone outside
    StallCause cause = StallCause::BankConflict;
    Cycle acceptedAt = 0;     ///< cycle from which its path accepts; 0: at once; kNever: not yet
    Cycle returnAt = kNever;  ///< cycle in which its data are there; kNever: not known yet
    Cycle lastPass = 0;       ///< last cycle of passes of the subwarp that entered MEM0 last
    unsigned entered = 0;     ///< subwarps that have entered MEM0
    std::array<std::uint32_t, kWarpLanes> passes{};
  };
  /// An instruction in the front end or in EXE.
  struct Fetched {
    Id id;
    bool memory;  ///< goes to the memory stages
    bool access;
    Cycle arrival;  ///< front time in which its first subwarp is in EXE
  };
  /// A subwarp on a path of fixed length.
  struct Moving {
    Id id;
    Cycle end;  ///< cycle in which it is at the end of the path, less Path::delay
    bool last;  ///< the last subwarp of its warp
  };
  struct Path {
    Ring<Moving> moving;
    Cycle delay = 0;  ///< cycles in which the path stood still
    Cycle nextAtEnd() const { return moving.front().end + delay; }
    bool atEnd(Cycle c) const { return !moving.empty() && nextAtEnd() <= c; }
  };
  struct Returning {
    Id id;
    Cycle at;
    unsigned left;  ///< subwarps that WB has not taken
  };
  struct Blocked {
    Cycle from;
    Cycle to;
    StallCause cause;
  };

  void advanceTo(Cycle now);
  Cycle nextMove(Cycle paths) const;
  bool waitsForPort() const;
  Cycle nextOfPaths() const;
  bool executesAlone() const;
  void passAlone(Cycle until);
  void standStill(Cycle until);
  void step(Cycle c);
  void writeBackReturns(Cycle c, unsigned& ports);
  bool writeBackPath(Path& path, Cycle c, unsigned& ports);
  void writeBackQueue(Cycle c, unsigned& ports);
  void moveMemory(Cycle c, bool moves);
  void execute(Cycle c, bool memoryMoves, bool othersMove, unsigned ports);
  bool toMemory(Id id, Cycle c);
  bool toOthers(Id id, bool last, Cycle c, bool othersMove, unsigned ports);
  void enterMemory(Id id, Cycle at);
  void passed(Id id, Cycle at);
  void comeBack(Id id, Cycle at);
  void stall(Cycle from, Cycle cycles);
  bool usesMemory(Kind kind) const { return unified_ || kind != Kind::Other; }
  Cycle arrivalOf(const Fetched& one, unsigned subwarp) const {
    return one.arrival + subwarp + stalls_;
  }
  /// False while the instruction waits for data from outside whose cycle is not known: leaving the
  /// memory stages then gives no commit.
  static bool isTold(const Instruction& i) {
    return i.exit != Exit::Return || i.returnAt != kNever;
  }
  Cycle endOfWarp(const Path& path) const;
  Cycle leavesMemory() const;
  Cycle nextOfMemory() const;
  Cycle nextOfOthers() const;
  Cycle nextOfFront() const;

  bool unified_;
  bool elastic_;
  StageParameters parameters_;
  unsigned subwarps_;
  unsigned depthOfExecute_;
  std::size_t nonmemEntries_;
  std::size_t prememEntries_;

  std::vector<Instruction> instructions_;
  std::vector<Id> unused_;
  std::vector<Commit> commits_;
  Ring<Fetched> front_;
  unsigned executed_ = 0;  ///< subwarps of front_.front() that have left EXE
  Ring<Id> premem_;        ///< PREMEM queue, one entry per subwarp
  Id inMemory_ = kNone;
  Cycle memoryLast_ = 0;            ///< last cycle of the subwarp in MEM0; kNever: not known
  Path memory_;                     ///< memory stages behind MEM0
  Path others_;                     ///< split: NONMEM path
  Ring<Moving> nonmem_;             ///< elastic: NONMEM queue
  std::vector<Returning> returns_;  ///< data from outside, by cycle of arrival

  Cycle cycle_ = 0;   ///< the work of all earlier cycles is done
  Cycle stalls_ = 0;  ///< cycles in which the front end stood still
  std::optional<Id> reached_;
  bool blocked_ = false;  ///< EXE holds a subwarp that can go nowhere
  StallCause cause_ = StallCause::BankConflict;
  Cycle free_ = 0;
  Cycle busyUntil_ = 0;                ///< cycle until which stage 0 holds the warp issued last
  std::vector<Blocked> blockedSince_;  ///< stalls of the front end since the last issue
};

}  // namespace fermata
