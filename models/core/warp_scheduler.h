// The warps as a source of the issue stage. By its policy, each scheduler picks one of its warps
// whose next instruction has its operands and its units. The instruction executes when it issues.
#pragma once

#include <fermata/models/core/async_copies.h>
#include <fermata/models/core/barrier_gate.h>
#include <fermata/models/core/bulk_engine.h>
#include <fermata/models/core/constant_cache.h>
#include <fermata/models/core/core_parameters.h>
#include <fermata/models/core/cta_table.h>
#include <fermata/models/core/execution.h>
#include <fermata/models/core/group_products.h>
#include <fermata/models/core/held_sources.h>
#include <fermata/models/core/inbox.h>
#include <fermata/models/core/instruction_cache.h>
#include <fermata/models/core/issue_stage.h>
#include <fermata/models/core/load_store_unit.h>
#include <fermata/models/core/reorder_buffer.h>
#include <fermata/models/core/resident_cluster.h>
#include <fermata/models/core/scoreboard.h>
#include <fermata/models/core/warp_picker.h>
#include <fermata/models/core/warp_table.h>
#include <fermata/models/vocabulary/barrier_unit.h>
#include <fermata/models/vocabulary/workload.h>

#include <array>
#include <memory>
#include <string>
#include <vector>

namespace fermata {

class WarpScheduler final : public IssueSource,
                            private LoadStoreUnit::Client,
                            private Execution::Client,
                            private InstructionMemory::Client {
 public:
  using Parameters = WarpSchedulerParameters;

  /// `slots`: warp slots of the SM. `ctas`: the resident CTAs. `probe` may be null.
  WarpScheduler(const Parameters& parameters, unsigned slots, ClockDomain& domain, CtaTable& ctas,
                IssueStage& stage, Probe* probe);

  LoadStoreUnit& loadStore() { return loadStore_; }
  const LoadStoreUnit& loadStore() const { return loadStore_; }
  /// Sets where the lines of the instruction cache come from, which must exist.
  void connect(InstructionMemory& memory) {
    instructions_.connect(memory);
    memory.setClient(*this);
  }

  /// Throws MissingUnits unless the SM has clusters. `what` needs them.
  void requireClusters(const std::string& what) const;

  /// True while visits or messages of other multiprocessors, or answers from them, are to come.
  bool awaitsOthers() const {
    return inbox_.due() != kNever || !visitors_.empty() || !atBanks_.empty() || !away_.empty() ||
           !departing_.empty();
  }
  /// True while a warp waits for its instruction to be fetched, or for constants.
  bool fetches() const { return instructions_.anyWaits() || !coldConstants_.empty(); }

  /// Begins a workload in cycle `now`. Slot s is slot `firstSlot` + s of the workload.
  void start(Workload& workload, unsigned firstSlot, Cycle now);
  /// Sets `firstSlot` anew. No warp is resident.
  void numberSlots(unsigned firstSlot) { firstSlot_ = firstSlot; }
  /// `spread`: each CTA of a cluster lies on a multiprocessor of its own.
  void beginGrid(const Grid& grid, bool spread);
  void beginSet(const GridSet& set);
  /// Begins a grid of the set, beside others.
  void beginMember(const Grid& grid) { instructions_.beginGrid(grid); }
  /// Starts the warps of a CTA that has just been placed. `cluster`: the cluster whose CTAs lie on
  /// several multiprocessors, and which it joins; null: there is none.
  void startCta(const Cta& cta, std::shared_ptr<ResidentCluster> cluster, Cycle now);
  // Called in each cycle with work, in this order, before the issue stage.

  /// Brings the execution up to cycle `now`. Changes no answer of why() for earlier cycles.
  void catchUp(Cycle now) {
    if (ticks()) execution_->advance(now);
  }
  void advance(Cycle now) {
    woken_ = messageDue_;
    warps_.advance(now);
    if (__builtin_expect(messageDue_ <= now, 0) != 0) readMessages(now);
    if (ticks()) execution_->deliver(now);
    loadStore_.tick(now, false);
    if (__builtin_expect(!copies_.none(), 0) != 0) moveCopies(now);
  }
  /// False if neither a warp nor a replay can issue in the cycle of advance(): the issue stage
  /// then need not have its turn.
  bool mayIssue(Cycle now) const {
    return ticks() || warps_.anyReady() || loadStore_.replays().earliest() <= now;
  }
  /// True if finish(now) has something to do.
  bool finishes(Cycle now) const { return loadStore_.hasWork(now); }
  /// Called after the issue stage.
  void finish(Cycle now) { loadStore_.tick(now, true); }
  /// Returns the first cycle, `from` or later, in which there is work other than issue.
  Cycle due(Cycle from) const {
    const Cycle due = loadStore_.next(from);
    return ticks() || !copies_.none() ? std::min(due, dueBesides(from)) : due;
  }
  /// Returns the earliest cycle in which an event that came after advance() is due; kNever: none.
  Cycle woken() const { return woken_; }

  /// Returns the scheduler that has the first turn in cycle `now`.
  unsigned firstScheduler(Cycle now) { return picker_.firstScheduler(now); }

  std::uint64_t issued() const { return issued_; }
  /// Describes what each resident warp waits for.
  std::string describeWait() const;

  bool issue(unsigned scheduler, Cycle now, Cycle lost) override;
  IssueWait why(unsigned scheduler, Cycle from, Cycle to) const override;
  Cycle next(Cycle from) const override { return warps_.earliestIssue(pipelines_, from); }

 private:
  void makeRegisters(std::uint32_t registers);
  std::string waitOf(unsigned slot, const StaticInstruction& next) const;
  void issueFrom(unsigned slot, Cycle now, Cycle lost);
  void awaitAtomic(unsigned slot, Cycle now);
  bool passesAddress(const StaticInstruction& next) const;
  using ConstantLines = std::vector<std::uint64_t>;
  void constantLines(ConstantLines& lines) const;
  Cycle constantsCome(unsigned slot, const StaticInstruction& instruction, Cycle at, Cycle behind,
                      Cycle now);
  Cycle furtherConstants(const StaticInstruction& instruction);
  bool readsTable(const StaticInstruction& instruction) const;
  ConstantTables::Answer readTable(unsigned slot, const StaticInstruction& instruction, Cycle now);
  bool isCold(unsigned slot, const StaticInstruction& instruction, Cycle now);
  void takeConstants(Cycle now);
  void collectConstants(unsigned slot, const StaticInstruction& instruction, Cycle now);
  void requireUnits(unsigned slot, const StaticInstruction& instruction) const;
  Cycle queueBehind(unsigned slot, const StaticInstruction& instruction, Cycle now);
  std::string nameOf(unsigned slot, const StaticInstruction& instruction) const;
  void execute(unsigned slot, const StaticInstruction& instruction, IssueKind kind, Cycle now);
  void executeAccess(unsigned slot, const StaticInstruction& instruction, IssueKind kind,
                     Cycle now);
  /// Counts an instruction whose end will be told.
  void await(unsigned slot) {
    ++pending_[slot];
    ++ctas_.ofSlot(slot).pending;
  }
  /// Stamps slot, warp, CTA, program and instruction on the access.
  void sign(WarpAccess& access, unsigned slot, const StaticInstruction& instruction,
            const Cta& cta) {
    access.slot = slot;
    access.warp = slot - cta.first;
    access.cta = cta.serial;
    access.program = cta.grid->program;
    access.issuedInstruction = &instruction;
    access.windowBase = cta.windowBase;
    if (__builtin_expect(static_cast<long>(inClusters_), 0) != 0) findOwners(access);
  }
  void executeCopy(unsigned slot, const StaticInstruction& instruction, IssueKind kind,
                   WarpAccess& access, Cycle now);
  void executeBulk(unsigned slot, const StaticInstruction& instruction, IssueKind kind,
                   WarpAccess& access, Cycle now);
  void executeProduct(unsigned slot, const StaticInstruction& instruction, IssueKind kind,
                      WarpAccess& access, Cycle now);
  void pushProduct(unsigned slot, const StaticInstruction& instruction, Cycle now);
  Cycle handProduct(unsigned slot, const StaticInstruction& product, Cycle now);
  void noteReads(unsigned slot);
  Cycle beginProduct(unsigned slot, Cycle now);
  void factorsRead(unsigned slot);
  template <class Engine>
  void sendPiece(Engine& engine, Cycle now);
  template <class Engine>
  Cycle engineDue(const Engine& engine, Cycle from) const {
    return loadStore_.storeFree(engine.front().instruction.space, std::max(from, engine.due()));
  }
  bool awaitsCopies(unsigned slot, const StaticInstruction& next) const;
  void moveCopies(Cycle now);
  void storeCopy(AsyncCopies::Copy& copy, Cycle now);
  Cycle dueBesides(Cycle from) const;
  void arriveAtBarrier(unsigned slot, Cycle at);
  void open(SlotMask freed, Cycle at);

  ResidentCluster& clusterOf(unsigned slot) const { return *clusters_[ctas_.clusterFirst(slot)]; }
  unsigned rankOf(unsigned slot) const;
  unsigned warpInCluster(unsigned slot) const;
  std::uint32_t windowOf(unsigned rank, unsigned slot) const;
  void findOwners(WarpAccess& access);
  bool goesAway(const WarpInstruction& what, unsigned own) const;
  Cycle takeWay(const WarpInstruction& what, unsigned lanes, Cycle now);
  void depart(Cycle now);
  MemoryPort::Sent leave(WarpAccess& access, Cycle now) override;
  using LanesOfRanks = std::array<LaneMask, kMostClusterCtas>;
  LanesOfRanks lanesOfRanks(const WarpAccess& access) const;
  ResidentCluster::Member memberOf(unsigned slot, unsigned rank);
  Cta& ownerOf(unsigned slot, unsigned rank);
  void holdOwners(const WarpAccess& access);
  void freeOwners(const WarpAccess& access);
  struct Journey;
  unsigned visit(WarpAccess& access, Cycle now);
  void sendVisit(WarpAccess& access, const ResidentCluster::Member& owner, LaneMask lanes,
                 const Journey& journey);
  void admit(const Visit& visit, Cycle now);
  void serveVisitors(Cycle now);
  Cycle visitorsDue(Cycle from) const;
  void answer(const Visit& visit, Cycle at);
  bool endVisit(std::uint64_t sequence, Cycle at);
  void takeAnswer(WarpAccess& access, Cycle now);
  void reachClusterBarrier(unsigned slot);
  void startCluster(const Cta& cta, std::shared_ptr<ResidentCluster> cluster);
  void exitCluster(unsigned slot);
  void openCluster(ResidentCluster& cluster);
  SlotMask freed(const ResidentCluster& cluster, unsigned slot, unsigned warp);
  /// Takes a message, of another multiprocessor in most cases.
  void post(const WarpScheduler& from, Message message);
  void readMessages(Cycle now);
  void setMessageDue(Cycle from);
  void tellArrival(unsigned slot, Cycle now);
  Pipelines makePipelines() const {
    const LoadStoreParameters& loadStore = parameters_.loadStore;
    Pipelines made(parameters_.pipelines, loadStore.replay.capacity, loadStore.subcore.queue != 0);
    if (parameters_.pipelines.collectors.shared != 0)
      made.addGates(SchedulerMap(parameters_.schedulers, parameters_.wavefrontWarps));
    return made;
  }
  /// Returns the first cycle, `from` or later, in which neither the reorder buffer nor the
  /// warp's accesses before it hold the instruction.
  [[gnu::noinline]] Cycle unheldAt(unsigned slot, const StaticInstruction& next, Cycle from);
  /// Returns the cycle until which the warp sleeps before an instruction that suspends, if nothing
  /// wakes it.
  Cycle asleepUntil(unsigned slot, Cycle from);
  /// Lets warps go on whose wait is over since something has changed.
  void wakeSleepers(Cycle now);
  Cycle barrierLatency() const { return pipelines_.timing(InstructionClass::Barrier).latency; }
  IssueWait why(SlotMask live, Cycle from, Cycle to) const;
  SlotMask unspaced(SlotMask ready, Cycle now) const;
  /// True if the execution has work of its own in each cycle. Declared unlikely, so that the code
  /// for it lies apart.
  bool ticks() const { return __builtin_expect(static_cast<long>(ticks_), 0) != 0; }
  void lookAhead(unsigned slot, Cycle notBefore, Cycle now);
  bool held(unsigned slot, const StaticInstruction& next) const;
  Cycle readyAt(unsigned slot, const StaticInstruction& next, Cycle notBefore);
  void tellWait(unsigned slot, const StaticInstruction* next, Cycle ready) {
    if (__builtin_expect(watch_ != nullptr, 0) != 0)
      watch_->waits({slot, next, ready}, domain_.now());
  }
  void exit(unsigned slot, Cycle now);
  void release(SlotMask warps, Cycle at);
  /// Records that an instruction has issued and completes in cycle `at`. `access`: its
  /// WarpAccess::sequence; needed only if `at` is kNever.
  void record(unsigned slot, const StaticInstruction& instruction, Cycle at,
              std::uint64_t access = 0);
  void complete(unsigned slot, const StaticInstruction& instruction, Cycle at);
  /// Ends an instruction whose results are there in cycle `at`. `over`: cycle for listeners.
  void end(unsigned slot, const StaticInstruction& one, Cycle at, Cycle over);

  void changing(Cycle now) override {
    catchUp(now);
    stage_.settle(now);
  }
  bool arrived(const WarpAccess& access, Cycle at) override;
  void responded(const WarpAccess& access, const TryOutcome& outcome) override;
  void holdChanged(unsigned slot) override;
  void fetched(std::uint64_t address, Cycle now) override;
  void readsUntil(const WarpAccess& access, Cycle until) override {
    sources_.hold(access.slot, *access.issuedInstruction, until);
  }
  bool readsConstants(unsigned slot, const StaticInstruction& instruction, Cycle lines,
                      Cycle at) override;
  void accepting(MemoryPath path, Cycle at) override {
    execution_->accepting(path, at);
    if (!visitors_.empty()) messageDue_ = std::min(messageDue_, at);
  }
  void ended(unsigned slot, const StaticInstruction& instruction, Cycle at) override {
    end(slot, instruction, at, at);
  }
  void released(unsigned slot, Cycle at) override {
    if (instructions_.waits(slot)) return instructions_.delay(slot, at);
    notBefore_[slot] = std::max(notBefore_[slot], at);
    holdChanged(slot);
  }
  void arrivedAtBarrier(unsigned slot, Cycle at) override { arriveAtBarrier(slot, at); }
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
  std::array<const Grid*, kMaxWarpSlots> gridOf_{};  ///< by warp slot
  unsigned slots_;
  Cycle started_ = 0;
  WarpTable warps_;
  Scoreboard scoreboard_;
  HeldSources sources_;
  ReorderBuffer reorder_;
  bool holds_;  ///< the reorder buffer, held sources or waits may hold a warp
  BarrierUnit barriers_;
  BarrierGate gate_;
  /// By the first slot of a cluster, or of its CTA here; empty: no clusters.
  std::vector<std::shared_ptr<ResidentCluster>> clusters_;
  bool inClusters_ = false;         ///< the grid has clusters of several CTAs
  SlotMask spread_ = 0;             ///< all slots: these lie on several multiprocessors
  const Epochs* epochs_ = nullptr;  ///< of the multiprocessors that have clusters together
  Inbox inbox_;
  Cycle messageDue_ = kNever;  ///< first cycle in which readMessages() has work
  struct Visitor {
    Visit visit;
    Cycle from = 0;  ///< may go to the banks from this cycle on
  };
  Ring<Visitor> visitors_;      ///< that wait for the banks
  std::vector<Visit> atBanks_;  ///< visits that the banks have not answered
  Cycle visitorsFree_ = 0;      ///< the next visit goes no earlier
  struct Departure {
    WarpAccess* access = nullptr;
    Cycle since = 0;
  };
  Ring<Departure> departing_;  ///< accesses that wait for the way
  struct Away {
    WarpAccess* access = nullptr;
    unsigned answers = 0;  ///< that have not come
  };
  struct Held {
    const WarpAccess* access = nullptr;
    unsigned ranks = 0;  ///< as a mask
  };
  std::vector<Held> held_;  ///< CTAs that accesses keep which have not set out
  std::vector<Away> away_;  ///< accesses that wait for answers to visits
  double wayFree_ = 0;      ///< the way to other CTAs takes the next access no earlier
  double servedFree_ = 0;   ///< nor, of accesses that others make
  Pipelines pipelines_;
  LoadStoreUnit loadStore_;
  InstructionCache instructions_;
  ConstantCache constants_;
  ProductEngine products_;
  std::vector<WarpAccess*> pieces_;  ///< of the product that is handed over
  std::array<Cycle, 4>
      tensorLanes_{};  ///< by 32 lanes of tensor memory: they are free from here on
  AsyncCopies copies_;
  BulkEngine engine_;
  WarpPicker picker_;
  std::unique_ptr<Execution> execution_;
  bool ticks_;
  GroupProducts groupProducts_;
  std::array<unsigned, kMaxWarpSlots> pending_{};  ///< accesses whose response has not come
  std::array<Cycle, kMaxWarpSlots> starts_{};      ///< cycle in which the warp starts
  Cycle allStarted_ = 0;                           ///< every warp has started by then
  std::array<Cycle, kMaxWarpSlots> notBefore_{};   ///< least cycle of issue, without operands
  SlotMask asleep_ = 0;  ///< warps before an instruction that suspends, whose wait is not over
  struct ColdConstant {
    unsigned slot;
    const StaticInstruction* instruction;
    ConstantLines lines{};  ///< of the constant space; empty: the program's own line
  };
  std::vector<ColdConstant> coldConstants_;  ///< issued, and their constants have not come
  /// Lines that instructions in the collectors read, with InstructionCache::fetchesTables().
  Ring<ConstantLines> tableReads_;
  ConstantLines tableWaits_;   ///< of the oldest: lines that have not come
  ConstantLines linesRead_;    ///< of the instruction that furtherConstants() was asked for last
  SlotMask awaitsAtomic_ = 0;  ///< with atomicsWait: warps with an atomic under way
  SlotMask unanswered_ = 0;    ///< warps whose next instruction depends on the outcome of a try
  SlotMask leftWhole_ = 0;     ///< warps whose last try with an outcome served no lane
  WarpInstruction scratch_;
  /// Barrier at which the warp arrives, by slot. Valid while the warp is held.
  struct Arrival {
    std::uint16_t barrier = 0;
    bool waits = true;
    std::uint32_t threads = 0;
    Cycle issued = 0;  ///< known once it has arrived
  };
  std::array<Arrival, kMaxWarpSlots> arrivals_{};
  LaneMask lastActive_ = 0;
  Cycle lastCompletes_ = 0;  ///< cycle in which the last issue completes; kNever: not known yet
  std::uint64_t issued_ = 0;
};

}  // namespace fermata
