// The issue side of a streaming multiprocessor: CTAs of the workload's grids are placed, their
// warps issue, and CTAs retire. Memory instructions leave through the memory port.
#pragma once

#include <fermata/models/core/cta_dispatcher.h>
#include <fermata/models/core/cta_table.h>
#include <fermata/models/core/issue_stage.h>
#include <fermata/models/core/occupancy.h>
#include <fermata/models/core/resident_cluster.h>
#include <fermata/models/core/warp_scheduler.h>
#include <fermata/models/vocabulary/workload.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace fermata {

class SmCore : public sc_core::sc_module {
 public:
  using Parameters = CoreParameters;

 private:
  ClockDomain& domain_;
  Parameters parameters_;
  OccupancyLimits limits_;  ///< those of `parameters_`, with the shared memory of limitShared()
  Probe* probe_;
  CtaTable ctas_;
  IssueStage stage_;
  WarpScheduler warps_;

 public:
  MemoryPort& port;

  /// `probe` may be null.
  SmCore(const sc_core::sc_module_name& name, ClockDomain& domain, const Parameters& parameters,
         Probe* probe);

  /// Declares that the path may leave lanes (load_store_unit.h). With an in-order pipeline, which
  /// cannot take lanes left, this is a fatal report.
  void mayLeaveLanes(MemoryPath path);

  /// Sets where the lines of the instruction cache come from. Call it before the first workload if
  /// there is such a cache.
  void fetchFrom(InstructionMemory& memory) { warps_.connect(memory); }

  // Calls for a core that runs alone, as the only one of its own dispatcher (cta_dispatcher.h).

  void start(Workload& workload) { own().start(workload); }
  void betweenGrids(std::function<void(const Workload&)> call) {
    own().betweenGrids(std::move(call));
  }
  bool finished() const { return own_ == nullptr || own_->finished(); }
  Cycle cycles() const { return own_ == nullptr ? 0 : own_->cycles(); }
  const Occupancy& bestOccupancy() { return own().bestOccupancy(); }
  unsigned residentWarps() { return own().residentWarps(); }

  // Calls for any core, alone or one of several.

  const Parameters& parameters() const { return parameters_; }
  /// Gives the grids to come so much shared memory, at most what the limits have.
  void limitShared(std::uint32_t bytes) {
    limits_.sharedBytes = std::min(bytes, parameters_.limits.sharedBytes);
  }
  /// True while some access has no response, or has lanes left that wait for a replay, or a warp
  /// waits for its instruction to be fetched, or something is to come from another SM.
  bool waitsForMemory() const {
    return port.inFlight() != 0 || warps_.loadStore().replays().waiting() || warps_.fetches() ||
           warps_.awaitsOthers();
  }
  /// True if no CTA is here.
  bool empty() const { return ctas_.resident() == 0; }
  /// Returns the limits of the grids to come.
  const OccupancyLimits& limits() const { return limits_; }
  /// Returns the warp instructions issued since the workload began.
  std::uint64_t issued() const { return warps_.issued(); }
  /// Describes what each resident warp and each of its accesses waits for, for a simulation that
  /// stops early.
  std::string describeWait() const;

 private:
  // Calls of the dispatcher, in the order in which they come in a cycle.
  friend CtaDispatcher;
  friend Epochs;

  /// Begins a workload. Warp slot s of the core is slot `firstSlot` + s of the workload.
  void begin(Workload& workload, unsigned firstSlot, Cycle now);
  /// Sets `firstSlot` anew. No CTA is resident.
  void numberSlots(unsigned firstSlot) {
    firstSlot_ = firstSlot;
    warps_.numberSlots(firstSlot);
  }
  /// Returns the next cycle in which there is something to do.
  Cycle due() const { return std::min(next_, warps_.woken()); }
  /// Brings the core up to cycle `now`. Returns how many CTAs have retired.
  unsigned advance(Cycle now) {
    advanced_ = true;
    warps_.catchUp(now);
    stage_.settle(now);
    warps_.advance(now);
    return ctas_.exited() == 0 ? 0 : retireCtas(now);
  }
  /// True if advance() has been called, and issue() has not been called since.
  bool advanced() const { return advanced_; }
  /// Begins a grid. Returns how many of at most `share` CTAs are resident at once. `spread`: each
  /// CTA of a cluster lies on a core of its own.
  Occupancy beginGrid(const Grid& grid, std::uint64_t share, bool spread);
  bool hasPlace() const { return ctas_.hasPlace(); }
  /// Begins a set of grids, whose CTAs take the room that they find.
  void beginSet(const GridSet& set);
  void beginMember(const Grid& grid) { warps_.beginMember(grid); }
  /// Returns how many CTAs of a grid of the set have room; 0: not one.
  unsigned roomFor(const Grid& grid) const { return ctas_.roomFor(grid); }
  void placeCtaOf(const GridSet& set, unsigned member, std::uint64_t number, Cycle now);
  /// A CTA of a set that has left.
  struct Retired {
    unsigned member = 0;
    Cycle at = 0;
  };
  /// Returns those that have left since the last call.
  std::vector<Retired> takeRetired() { return std::exchange(retired_, {}); }
  /// `cluster`: the spread cluster that the CTA joins, or null.
  void placeCta(std::uint64_t number, Cycle now,
                std::shared_ptr<ResidentCluster> cluster = nullptr);
  void issue(Cycle now) {
    if (warps_.mayIssue(now)) {
      stage_.cycle(now, warps_.firstScheduler(now));
    } else if (warps_.finishes(now)) {
      stage_.settle(now + 1);  // before the change
    }
    warps_.finish(now);
    next_ = nextUseful(now + 1);
    advanced_ = false;
  }
  /// Ends a cycle in which nothing issues, since no CTA is here.
  void rest() {
    next_ = kNever;
    advanced_ = false;
  }
  /// Ends the workload and accounts for the issue slots up to `now`.
  void end(Cycle now);

  CtaDispatcher& own();
  void startCta(const Cta& cta, std::shared_ptr<ResidentCluster> cluster, Cycle now);
  unsigned retireCtas(Cycle now);
  Cycle nextUseful(Cycle from) const;

  std::unique_ptr<CtaDispatcher> own_;
  Workload* workload_ = nullptr;
  const Grid* grid_ = nullptr;    ///< that runs alone; null: none
  const GridSet* set_ = nullptr;  ///< whose grids run; null: none
  std::vector<Retired> retired_;  ///< CTAs of `set_`
  unsigned firstSlot_ = 0;
  Cycle next_ = kNever;  ///< next cycle with work, without events that come from outside
  bool advanced_ = false;
  Cycle started_ = 0;
};

}  // namespace fermata
