// The units and paths that an instruction occupies when it issues, as reservations. Only this file
// says when an instruction of a kind can issue, and why not: scheduling, sleeping and the account
// of empty slots all ask here.
//
// Organisation `decoupled`: each unit is independent, and a conflict holds the memory port only.
// The in-order pipelines have one front end, which every instruction needs and which stands still
// when something holds it up (staged_pipeline.h). Memory instructions may have to keep a distance
// in addition.
#pragma once

#include <fermata/models/core/collector_gates.h>
#include <fermata/models/core/issue_kind.h>
#include <fermata/models/core/memory_path.h>
#include <fermata/models/core/pipeline_parameters.h>
#include <fermata/models/probe/probe.h>
#include <fermata/models/timing/unit_pool.h>
#include <fermata/models/vocabulary/error.h>
#include <fermata/models/vocabulary/slot_mask.h>

#include <algorithm>
#include <array>
#include <optional>

namespace fermata {

/// Thrown if an instruction needs units of which the platform has none.
class MissingUnits : public BadInput {
 public:
  using BadInput::BadInput;
};

class Pipelines {
 public:
  /// `replayEntries`: entries of the replay buffer, one per access to memory; 0: no limit.
  /// `queues`: each scheduler has a queue before the memory port (subcore_queues.h), so that issue
  /// does not need the port.
  explicit Pipelines(const PipelineParameters& parameters, unsigned replayEntries = 0,
                     bool queues = false);

  /// Returns the first cycle from `from` on in which an instruction of the kind finds all it needs.
  Cycle free(IssueKind kind, Cycle from) const {
    for (Cycle at = from;; from = at) {
      for (unsigned m = needs_[static_cast<unsigned>(kind)]; m != 0; m &= m - 1)
        at = pools_[static_cast<unsigned>(__builtin_ctz(m))].free(at);
      if (at == from) return at;
    }
  }
  /// Returns a cycle, `from` or later, before which no kind is free.
  Cycle earliest(Cycle from) const { return std::max(from, frontEnd_); }
  /// True if every kind is free from cycle `at` on.
  bool allFree(Cycle at) const { return at >= end_; }
  /// Returns the kinds that are not free in cycle `at`, one bit per IssueKind.
  unsigned blocked(Cycle at) const {
    unsigned kinds = 0;
    for (unsigned r = 0; r < kResources; ++r) {
      if (pools_[r].free(at) != at) kinds |= neededBy_[r];
    }
    return kinds;
  }
  /// Returns why some of `kinds` (one bit per IssueKind) are not free in cycle `at`; of several
  /// causes the one nearest to memory. Idle: all of them are free.
  StallCause why(unsigned kinds, Cycle at) const {
    StallCause cause = StallCause::Idle;
    for (unsigned r = 0; r < kResources; ++r) {
      if ((neededBy_[r] & kinds) != 0 && pools_[r].free(at) != at)
        cause = stronger(cause, causes_[r]);
    }
    return cause;
  }
  /// Returns the slots whose scheduler has no room for an access to memory.
  SlotMask shut() const { return shut_; }
  /// Returns the slots for which not only blocked() counts, but also shut() or gates().
  SlotMask apart() const { return shut_ | gated_; }
  /// Returns the places of each scheduler before shared collectors; null: there are none.
  const CollectorGates* gates() const { return gates_ ? &*gates_ : nullptr; }
  /// Returns the first cycle from `from` on in which an instruction of the kind by the warp in the
  /// slot finds all it needs, but for shut().
  Cycle freeFor(unsigned slot, IssueKind kind, Cycle from) const {
    if (!gates_) return free(kind, from);
    for (Cycle at = from;; from = at) {
      at = free(kind, gates_->free(slot, kind, from));
      if (at == from) return at;
    }
  }
  const ClassTiming& timing(InstructionClass c) const { return parameters_.of(c); }
  ClassTiming timing(const StaticInstruction& i) const { return parameters_.of(i); }
  /// Returns why an instruction of class Tensor can not issue, behind its opcode: "needs ...";
  /// null: it can.
  const char* missingFor(const StaticInstruction& instruction) const;
  const PipelineParameters& parameters() const { return parameters_; }
  /// Returns the places in collectors for memory instructions; 0: there are none.
  unsigned memoryPlaces() const {
    return isStaged(parameters_.organisation) ? 0 : parameters_.collectors.memory;
  }

  /// Issues an instruction of the kind in cycle `now`. Its unit takes the next one `interval`
  /// cycles later; the unit of all memory kinds is the port. Precondition: free(kind, now) == now.
  [[gnu::always_inline]] void take(IssueKind kind, Cycle now, Cycle interval) {
    UnitPool& pool = pools_[poolOf_[static_cast<unsigned>(kind)]];
    pool.take(now, now, now + interval);
    end_ = std::max(end_, pool.end());
  }
  /// Takes the unit of the kind for `interval` cycles, as soon as one is free from cycle `from` on.
  /// Returns the first of them. `now` is the cycle of the call.
  Cycle takeLater(IssueKind kind, Cycle now, Cycle from, Cycle interval) {
    UnitPool& pool = pools_[poolOf_[static_cast<unsigned>(kind)]];
    const Cycle begin = pool.freeFor(from, interval);
    pool.take(now, begin, begin + interval);
    end_ = std::max(end_, pool.end());
    return begin;
  }
  /// Keeps the unit that an instruction of the kind took in cycle `now` for one cycle, for `cycles`
  /// more, if it is free for them.
  void keep(IssueKind kind, Cycle now, Cycle cycles) {
    UnitPool& pool = pools_[poolOf_[static_cast<unsigned>(kind)]];
    pool.take(now, now + 1, now + 1 + cycles);
    end_ = std::max(end_, pool.end());
  }
  /// Gives each scheduler a place for each kind of arithmetic and for memory instructions. The
  /// former, and constants, then need no unit to issue.
  void addGates(const SchedulerMap& schedulers);
  /// Takes the warp's place for the kind until cycle `until`.
  void takeGate(unsigned slot, IssueKind kind, Cycle until) {
    if (!isArithmetic(kind)) gates_->close(slot, kMemoryPlace, until);
    for (unsigned k = 0; k < kArithmeticKinds; ++k) {
      if (poolOf_[k] == poolOf_[static_cast<unsigned>(kind)]) gates_->close(slot, k, until);
    }
    gateEnd_ = std::max(gateEnd_, until);
    end_ = std::max(end_, until);
  }
  /// Holds the path until release(). The other path stays free.
  void hold(MemoryPath path, Cycle now) {
    pool(path).hold(now);
    end_ = kNever;
  }
  void release(MemoryPath path, Cycle at);
  /// Holds accesses to memory by the warps in the slots, until open().
  void shut(SlotMask slots) {
    shut_ |= slots;
    end_ = kNever;
  }
  void open(SlotMask slots) {
    if ((shut_ & slots) == 0) return;
    shut_ &= ~slots;
    findEnd();
  }
  /// Sets, for an in-order pipeline, the cycle `frontEnd` from which instructions issue. Memory
  /// instructions must also wait until cycle `distance`.
  void setFrontEnd(Cycle frontEnd, Cycle distance) {
    frontEnd_ = frontEnd;
    pools_[FrontEnd].freeFrom(frontEnd);
    pools_[Distance].freeFrom(distance);
    end_ = std::max(frontEnd, distance);
  }

  /// Takes an entry of the replay buffer for `cycles` from `now` on.
  void takeEntry(Cycle now, Cycle cycles) {
    if (entries_ != 0) takeEntries(now, now + cycles);
  }
  /// Takes an entry of the replay buffer from `now` until a releaseEntry().
  void holdEntry(Cycle now) {
    if (entries_ != 0) takeEntries(now, kNever);
  }
  void releaseEntry(Cycle at);
  /// Takes a place in the collectors for memory instructions from `now` until a releasePlace().
  /// They exclude a limit of the replay buffer.
  void holdPlace(Cycle now) { takeEntries(now, kNever); }
  void releasePlace(Cycle at);
  /// False: the replay buffer has no limit, and the calls above do nothing.
  bool countsEntries() const { return entries_ != 0; }

 private:
  /// Resources of decoupled units. Entry: of the replay buffer, or a place in the collectors for
  /// memory instructions.
  enum Resource : unsigned {
    Alu,
    Integer,
    Special,
    Double,
    Tensor,
    Port,
    SharedPath,
    GlobalPath,
    Entry,
    kResources
  };
  /// Resources of an in-order pipeline, in the place of the first decoupled ones.
  enum InOrderResource : unsigned { FrontEnd, Distance };
  using Needs = std::array<unsigned, kIssueKinds>;    ///< by IssueKind: one bit per resource
  using Causes = std::array<StallCause, kResources>;  ///< cause of a slot that waits for a resource
  static constexpr Needs kDecoupledNeeds{1U << Alu,
                                         1U << Integer,
                                         1U << Special,
                                         1U << Double,
                                         1U << Tensor,
                                         0,
                                         1U << Port,
                                         1U << Port | 1U << SharedPath,
                                         1U << Port | 1U << GlobalPath,
                                         1U << Port | 1U << SharedPath | 1U << GlobalPath};
  static constexpr Causes kDecoupledCauses{
      StallCause::Pipeline,   StallCause::Pipeline,   StallCause::Pipeline,
      StallCause::Pipeline,   StallCause::Pipeline,   StallCause::MemoryPort,
      StallCause::MemoryPort, StallCause::MemoryPort, StallCause::MemoryPort};
  static constexpr Needs kInOrderNeeds{1U << FrontEnd,
                                       1U << FrontEnd,
                                       1U << FrontEnd,
                                       1U << FrontEnd,
                                       1U << FrontEnd,
                                       1U << FrontEnd,
                                       1U << FrontEnd | 1U << Distance,
                                       1U << FrontEnd | 1U << Distance,
                                       1U << FrontEnd | 1U << Distance,
                                       1U << FrontEnd | 1U << Distance};
  static constexpr Causes kInOrderCauses{StallCause::Pipeline, StallCause::SafeDistance};

  void addUnits();
  void addPlaces(unsigned places);
  void takeEntries(Cycle now, Cycle until);
  void findEnd();
  UnitPool& pool(MemoryPath path) {
    return pools_[path == MemoryPath::Shared ? SharedPath : GlobalPath];
  }

  Cycle end_ = 0;       ///< cycle from which every kind is free
  Cycle gateEnd_ = 0;   ///< cycle from which every gate is open
  Cycle frontEnd_ = 0;  ///< cycle before which nothing issues; 0 for decoupled units
  SlotMask shut_ = 0;
  SlotMask gated_ = 0;  ///< all slots if there are gates
  std::optional<CollectorGates> gates_;
  Needs needs_;
  Causes causes_;
  std::array<unsigned, kResources> neededBy_{};  ///< one bit per IssueKind
  std::array<UnitPool, kResources> pools_;
  /// Pool of the unit of a kind, by IssueKind.
  std::array<std::uint8_t, kIssueKinds> poolOf_{Alu,    Integer, Special, Double, Tensor,
                                                Tensor, Port,    Port,    Port,   Port};
  unsigned entries_ = 0;
  PipelineParameters parameters_;
};

}  // namespace fermata
