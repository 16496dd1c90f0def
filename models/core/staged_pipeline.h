// An in-order pipeline of single issue, in which an instruction that waits holds up what is behind
// it: organisations `unified`, `split` and `elastic` (Gou and Gaydadjiev, Elastic Pipeline, CF
// 2011, sections 3.1 and 3.2, figures 4 to 6).
//
//   front end ... EXE -+- PREMEM queue - MEM0 ... MEMm-1 -+- WB
//                      +- NONMEM path or queue -----------+
//
// A warp passes as subwarps of `simdWidth` lanes, one a cycle. In the cycle of its issue its first
// subwarp is in stage 0. At the end of a cycle, in this order:
//
// 1. WB takes up to `writebackPorts` subwarps: of data that come from outside the pipeline first,
//    then the one at the end of the memory stages, then from the NONMEM path its last stage (split)
//    or its queue, oldest first (elastic), then EXE (elastic, not memory). The paper draws the
//    priorities in figure 6; that outside data go first is an assumption.
// 2. A subwarp at the end of a path that WB does not take stays, and all stages of that path with
//    it, empty ones too. Otherwise they move: MEM0 only when its passes are over.
// 3. An empty MEM0 takes from the PREMEM queue, oldest first, or from EXE.
// 4. EXE gives its subwarp to where it must go: memory (unified: every one) to MEM0, or where that
//    is not empty to the PREMEM queue (elastic); others to the first NONMEM stage (split), to WB or
//    to the NONMEM queue (elastic). Where there is no room the front end stands still, in the cycle
//    that follows: nothing issues in it.
//
// An access that goes outside leaves behind the last memory stage without a port of WB. A result
// can be used by an instruction that issues in the cycle after that in which its last subwarp was
// in WB.
//
// Stages are not ticked. The front end is a delay, lengthened by the cycles in which it stood
// still, and so are the memory stages; what is computed is the subwarps' turns at EXE, MEM0 and WB.
// Plain C++, no SystemC.
#pragma once

#include <fermata/models/choice.h>
#include <fermata/models/probe/probe.h>
#include <fermata/models/timing/cycle.h>
#include <fermata/models/timing/ring.h>
#include <fermata/models/transaction/warp_instruction.h>

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

namespace fermata {

/// What a busy unit holds up. Decoupled: each unit is its own, a conflict holds the memory port and
/// nothing else (pipelines.h). The others: staged_pipeline.h.
enum class PipelineOrganisation : std::uint8_t { Decoupled, Unified, Split, Elastic };

template <>
struct ChoiceTable<PipelineOrganisation> {
  static const std::vector<NamedChoice<PipelineOrganisation>>& table();
};

/// It is one of this file's.
constexpr bool isStaged(PipelineOrganisation organisation) {
  return organisation == PipelineOrganisation::Unified ||
         organisation == PipelineOrganisation::Split ||
         organisation == PipelineOrganisation::Elastic;
}

struct StageParameters {
  unsigned stages = 24;       ///< from issue to WB; at least memoryStages + 3
  unsigned memoryStages = 4;  ///< 2 or more
  unsigned simdWidth = 8;     ///< lanes of a subwarp: a power of two up to 32
  unsigned writebackPorts = 1;
  std::optional<unsigned> nonmemQueue;  ///< entries, elastic; nothing: equation 2
  std::optional<unsigned> prememQueue;  ///< entries, elastic; nothing: equation 3

  unsigned subwarps() const { return kWarpLanes / simdWidth; }
  /// M = the number of memory stages (equation 2).
  unsigned nonmemEntries() const { return nonmemQueue.value_or(memoryStages); }
  /// N = warp size / SIMD width - 1, rounded up (equation 3).
  unsigned prememEntries() const { return prememQueue.value_or(subwarps() - 1); }
};

class StagedPipeline {
 public:
  using Id = std::uint32_t;
  /// Access: a memory instruction whose passes are known when it reaches MEM0. Memory: one of which
  /// every subwarp takes one.
  enum class Kind : std::uint8_t { Other, Memory, Access };
  /// Behind the last memory stage: to WB; outside, with nothing to come; outside, to come back.
  enum class Exit : std::uint8_t { WriteBack, Leave, Return };
  struct Service {
    std::array<std::uint32_t, kWarpLanes> passes;  ///< cycles in MEM0, by subwarp: 1 or more
    Exit exit = Exit::WriteBack;
    bool accepted = true;  ///< false: the last subwarp stays in MEM0 until accepted()
    StallCause cause = StallCause::BankConflict;  ///< of who waits for its passes
  };
  class Client {
   public:
    virtual ~Client() = default;
    /// All of the instruction is through: one that uses its result can issue in cycle `at`.
    virtual void committed(Id id, Cycle at) = 0;
  };
  /// What the front end does in a cycle, and up to which one.
  struct Front {
    StallCause cause = StallCause::Idle;  ///< Idle: it takes an instruction
    Cycle until = kNever;
  };

  StagedPipeline(PipelineOrganisation organisation, const StageParameters& parameters,
                 Client& client);

  /// Does all that is done by the end of the cycles before `now`. Precondition: reached() is
  /// nothing, or its cycle is `now`.
  void advance(Cycle now) {
    if (cycle_ < now) advanceTo(now);
  }
  /// An access that is in MEM0 for its first cycle, that of advance(), and waits for serve().
  std::optional<Id> reached() const { return reached_; }
  void serve(const Service& service);
  /// What an access went to, that was not accepted, takes the next one from cycle `at` on, now or
  /// later.
  void accepted(Id id, Cycle at);
  /// The data of an access whose exit was Return are there in cycle `at`. Of several in a cycle the
  /// first is the one of which that was known first, or that left the memory stages first.
  void returned(Id id, Cycle at);

  /// Issues in cycle `now`, that of advance(). Precondition: free() <= now.
  Id issue(Kind kind, Cycle now);
  /// The first cycle in which an instruction can issue, as far as is known: it can be later.
  Cycle free() const;
  /// For a cycle between the last issue and that of advance().
  Front front(Cycle at) const;
  /// The id of an instruction that is through may be given to another one.
  void release(Id id) { unused_.push_back(id); }
  /// Cycles in which the front end stood still.
  Cycle stalls() const { return stalls_; }
  /// Cycle `at`, that of advance() or later, counted without those in which the front end stood
  /// still.
  Cycle frontTime(Cycle at) const { return at - stalls_; }
  /// The first cycle, that of advance() or later, in which an access can be in MEM0 for the first
  /// time: advance() must not go beyond it. kNever: not before something else happens.
  Cycle nextAccess() const;
  /// ... in which something can be committed.
  Cycle nextCommit() const;
  Cycle next() const { return std::min(nextAccess(), nextCommit()); }

 private:
  static constexpr Id kNone = ~Id{0};
  struct Instruction {
    Kind kind = Kind::Other;
    Exit exit = Exit::WriteBack;
    bool left = false;  ///< all of it, to outside
    StallCause cause = StallCause::BankConflict;
    Cycle acceptedAt = 0;     ///< 0: at once; kNever: not yet
    Cycle returnAt = kNever;  ///< before it has left
    Cycle lastPass = 0;       ///< of the subwarp that entered MEM0 last
    unsigned entered = 0;     ///< subwarps that have entered MEM0
    std::array<std::uint32_t, kWarpLanes> passes{};
  };
  /// In the front end, or in EXE.
  struct Fetched {
    Id id;
    bool memory;  ///< goes to the memory stages
    bool access;
    Cycle arrival;  ///< of its first subwarp in EXE, in front time
  };
  /// A subwarp on a path of fixed length: where it is at the end of it, less the path's delay.
  struct Moving {
    Id id;
    Cycle end;
    bool last;  ///< of its warp
  };
  struct Path {
    Ring<Moving> moving;
    Cycle delay = 0;  ///< cycles in which it stood still
    Cycle nextAtEnd() const { return moving.front().end + delay; }
    bool atEnd(Cycle c) const { return !moving.empty() && nextAtEnd() <= c; }
  };
  struct Returning {
    Id id;
    Cycle at;
    unsigned left;  ///< subwarps
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
  /// Something is told when it leaves the memory stages: not of one whose data are waited for.
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
  Client& client_;

  std::vector<Instruction> instructions_;
  std::vector<Id> unused_;
  Ring<Fetched> front_;
  unsigned executed_ = 0;  ///< subwarps of the first of them that have left EXE
  Ring<Id> premem_;        ///< by subwarp
  Id inMemory_ = kNone;
  Cycle memoryLast_ = 0;            ///< last cycle of the subwarp in MEM0; kNever: not known
  Path memory_;                     ///< behind MEM0
  Path others_;                     ///< split
  Ring<Moving> nonmem_;             ///< elastic
  std::vector<Returning> returns_;  ///< as they come

  Cycle cycle_ = 0;   ///< all before it is done
  Cycle stalls_ = 0;  ///< cycles in which the front end stood still
  std::optional<Id> reached_;
  bool blocked_ = false;  ///< EXE holds a subwarp that can go nowhere
  StallCause cause_ = StallCause::BankConflict;
  Cycle free_ = 0;
  Cycle busyUntil_ = 0;                ///< stage 0 holds a subwarp of the last warp
  std::vector<Blocked> blockedSince_;  ///< since the last issue
};

}  // namespace fermata
