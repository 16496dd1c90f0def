// The warps as a source of the issue stage. By its policy, each scheduler picks one of its warps
// whose next instruction has its operands and its units. The instruction executes when it issues.
#pragma once

#include <fermata/models/core/async_copies.h>
#include <fermata/models/core/barrier_unit.h>
#include <fermata/models/core/cta_table.h>
#include <fermata/models/core/instruction_cache.h>
#include <fermata/models/core/issue_stage.h>
#include <fermata/models/core/load_store_unit.h>
#include <fermata/models/core/precedence.h>
#include <fermata/models/core/reorder_buffer.h>
#include <fermata/models/core/scheduler_map.h>
#include <fermata/models/core/scoreboard.h>
#include <fermata/models/core/staged_issue.h>
#include <fermata/models/core/warp_policy.h>
#include <fermata/models/core/warp_table.h>
#include <fermata/models/core/workload.h>

#include <array>
#include <memory>
#include <string>
#include <vector>

namespace fermata {

class WarpScheduler final : public IssueSource,
                            private LoadStoreUnit::Client,
                            private StagedIssue::Client {
 public:
  struct Parameters {
    Chosen<WarpPolicy> policy;
    /// Picks the warps if `policy` only says which instructions may go.
    Chosen<WarpPolicy> basePolicy;
    PolicyValues policyValues;
    unsigned schedulers = 2;
    /// Adjacent warps that form one wavefront and belong to one scheduler: 2 for wave64.
    unsigned wavefrontWarps = 1;
    unsigned issueWidth = 1;  ///< instructions per scheduler and cycle, from different warps
    PipelineParameters pipelines;
    StagedIssue::Parameters staged;  ///< read unless pipelines.organisation is Decoupled
    unsigned constantLatency = 9;    ///< cycles of a constant or parameter load that hits
    LoadStoreUnit::Parameters loadStore;
    InstructionCache::Parameters instructions;
    unsigned reorderBuffer = 0;  ///< entries per warp (reorder_buffer.h); 0: no buffer
  };

  /// `slots`: warp slots of the SM. `ctas`: the resident CTAs. `probe` may be null.
  WarpScheduler(const Parameters& parameters, unsigned slots, ClockDomain& domain, CtaTable& ctas,
                IssueStage& stage, Probe* probe);

  LoadStoreUnit& loadStore() { return loadStore_; }
  const LoadStoreUnit& loadStore() const { return loadStore_; }

  /// Begins a workload in cycle `now`. Slot s is slot `firstSlot` + s of the workload.
  void start(Workload& workload, unsigned firstSlot, Cycle now);
  void beginGrid(const Grid& grid);
  /// Starts the warps of a CTA that has just been placed.
  void startCta(const Cta& cta, Cycle now);
  // Called in each cycle with work, in this order, before the issue stage.

  /// Brings the staged pipeline up to cycle `now`. Changes no answer of why() for earlier cycles.
  void catchUp(Cycle now) {
    if (staged()) staged_->advance(now);
  }
  void advance(Cycle now) {
    woken_ = kNever;
    warps_.advance(now);
    if (staged()) staged_->deliver(now);
    loadStore_.tick(now);
    if (__builtin_expect(!copies_.none(), 0) != 0) moveCopies(now);
  }
  /// Called after the issue stage.
  void finish(Cycle now) { loadStore_.tick(now); }
  /// Returns the first cycle, `from` or later, in which there is work other than issue.
  Cycle due(Cycle from) const {
    const Cycle due = loadStore_.next(from);
    return staged() || !copies_.none() ? std::min(due, dueBesides(from)) : due;
  }
  /// Returns the earliest cycle in which an event that came after advance() is due; kNever: none.
  Cycle woken() const { return woken_; }

  /// Returns the scheduler that has the first turn in cycle `now`: one that has something urgent to
  /// issue, or that of Precedence::turn() if there is none.
  unsigned firstScheduler(Cycle now) {
    const bool urgent = precedence_.urgent() != 0;
    return __builtin_expect(static_cast<long>(urgent), 0) != 0 ? urgentScheduler(now)
                                                               : precedence_.turn();
  }

  std::uint64_t issued() const { return issued_; }
  /// Describes what each resident warp waits for.
  std::string describeWait() const;

  bool issue(unsigned scheduler, Cycle now, Cycle lost) override;
  IssueWait why(unsigned scheduler, Cycle from) const override;
  Cycle next(Cycle from) const override { return warps_.earliestIssue(pipelines_, from); }

 private:
  unsigned urgentScheduler(Cycle now);
  /// Returns the scheduler after that of the warp, around the end.
  unsigned schedulerAfter(unsigned slot) const {
    return (schedulerOf_.of(slot) + 1) % parameters_.schedulers;
  }
  bool letsBy(unsigned scheduler, Cycle now) const {
    return precedence_.urgent() != 0 && loadStore_.replays().waiting() &&
           loadStore_.replays().urgent(scheduler, now);
  }
  void heard(const WarpAccess& access, const TryOutcome& outcome);
  std::string waitOf(unsigned slot, const StaticInstruction& next) const;
  void issueFrom(unsigned slot, Cycle now, Cycle lost);
  ClassTiming timingApart(const StaticInstruction& instruction, IssueKind kind) const;
  void requireTensorUnits(const StaticInstruction& instruction) const;
  void execute(unsigned slot, const StaticInstruction& instruction, IssueKind kind, Cycle now);
  void executeAccess(unsigned slot, const StaticInstruction& instruction, IssueKind kind,
                     Cycle now);
  /// Stamps slot, warp, CTA, program and instruction on the access.
  void sign(WarpAccess& access, unsigned slot, const StaticInstruction& instruction,
            const Cta& cta) const {
    access.slot = slot;
    access.warp = slot - cta.first;
    access.cta = cta.serial;
    access.program = grid_->program;
    access.issuedInstruction = &instruction;
    access.windowBase = cta.windowBase;
  }
  // Asynchronous copies (warp_copies.cpp)
  void executeCopy(unsigned slot, const StaticInstruction& instruction, IssueKind kind,
                   WarpAccess& access, Cycle now);
  bool awaitsCopies(unsigned slot, const StaticInstruction& next) const;
  void moveCopies(Cycle now);
  void storeCopy(AsyncCopies::Copy& copy, Cycle now);
  Cycle copiesDue(Cycle from) const;
  Cycle dueBesides(Cycle from) const;
  void executeStaged(unsigned slot, const StaticInstruction& instruction, IssueKind kind,
                     WarpAccess* access, Cycle now);
  void arriveAtBarrier(unsigned slot, const StagedIssue::Barrier& barrier, Cycle at);
  Cycle barrierLatency() const { return pipelines_.timing(InstructionClass::Barrier).latency; }
  SlotMask unspaced(SlotMask ready, Cycle now) const;
  /// Declared unlikely, so that the code of staged pipelines lies apart from that of decoupled
  /// units.
  bool staged() const { return __builtin_expect(staged_ != nullptr, 0) != 0; }
  void lookAhead(unsigned slot, Cycle notBefore, Cycle now);
  bool held(unsigned slot, const StaticInstruction& next) const;
  Cycle readyAt(unsigned slot, const StaticInstruction& next, Cycle notBefore) const;
  void setNext(unsigned slot, const StaticInstruction* next, Cycle ready);
  void exit(unsigned slot, Cycle now);
  void release(SlotMask warps, Cycle at);
  /// Records that an instruction has issued and completes in cycle `at`. `access`: its
  /// WarpAccess::sequence; needed only if `at` is kNever.
  void record(unsigned slot, const StaticInstruction& instruction, Cycle at,
              std::uint64_t access = 0);
  void complete(unsigned slot, const StaticInstruction& instruction, Cycle at);

  void changing(Cycle now) override {
    catchUp(now);
    stage_.settle(now);
  }
  void arrived(const WarpAccess& access, Cycle at) override;
  void responded(const WarpAccess& access, const TryOutcome& outcome) override;
  void holdChanged(unsigned slot) override;
  void accepting(MemoryPath path, Cycle at) override {
    if (staged()) staged_->accepting(path, at);
  }
  void ended(unsigned slot, const StaticInstruction& instruction, Cycle at) override;
  void released(unsigned slot, Cycle at) override;
  void arrivedAtBarrier(unsigned slot, const StagedIssue::Barrier& barrier, Cycle at) override;
  void wake(Cycle at) override {
    woken_ = std::min(woken_, at);
    domain_.wake(at);
  }

  Parameters parameters_;
  ClockDomain& domain_;
  CtaTable& ctas_;
  IssueStage& stage_;
  Probe* probe_;
  Probe* watch_ = nullptr;  ///< told of warps between their issues; null: none
  Workload* workload_ = nullptr;
  unsigned firstSlot_ = 0;
  Cycle woken_ = kNever;
  const Grid* grid_ = nullptr;
  unsigned slots_;
  SchedulerMap schedulerOf_;
  Cycle started_ = 0;
  WarpTable warps_;
  Scoreboard scoreboard_;
  ReorderBuffer reorder_;
  BarrierUnit barriers_;
  Pipelines pipelines_;
  LoadStoreUnit loadStore_;
  InstructionCache instructions_;
  AsyncCopies copies_;
  std::vector<SlotMask> schedulerSlots_;
  std::vector<std::unique_ptr<WarpPolicy>> policies_;
  std::unique_ptr<StagedIssue> staged_;            ///< null: the units are decoupled
  std::array<unsigned, kMaxWarpSlots> pending_{};  ///< accesses whose response has not come
  std::array<Cycle, kMaxWarpSlots> notBefore_{};   ///< least cycle of issue, without operands
  SlotMask unanswered_ = 0;  ///< warps whose next instruction depends on the outcome of a try
  Precedence precedence_;
  SlotMask leftWhole_ = 0;  ///< warps whose last try with an outcome served no lane
  WarpInstruction scratch_;
  LaneMask lastActive_ = 0;
  Cycle lastCompletes_ = 0;  ///< cycle in which the last issue completes; kNever: not known yet
  std::uint64_t issued_ = 0;
};

}  // namespace fermata
