// The issue side of a streaming multiprocessor: CTAs of the workload's grids are placed, their
// warps issue, and CTAs retire. Memory instructions leave through the memory port.
#pragma once

#include <fermata/models/core/cta_dispatcher.h>
#include <fermata/models/core/cta_table.h>
#include <fermata/models/core/issue_stage.h>
#include <fermata/models/core/occupancy.h>
#include <fermata/models/core/warp_scheduler.h>
#include <fermata/models/core/workload.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <utility>

namespace fermata {

class SmCore : public sc_core::sc_module {
 public:
  struct Parameters {
    WarpScheduler::Parameters issue;
    OccupancyLimits limits;
    bool verify = false;  ///< accesses carry data
  };

 private:
  ClockDomain& domain_;
  Parameters parameters_;
  Probe* probe_;
  CtaTable ctas_;
  IssueStage stage_;
  WarpScheduler warps_;

 public:
  MemoryPort& port;

  /// `probe` may be null.
  SmCore(const sc_core::sc_module_name& name, ClockDomain& domain, const Parameters& parameters,
         Probe* probe);

  /// What is bound to the path may leave lanes (load_store_unit.h), for which an in-order pipeline
  /// has no place.
  void mayLeaveLanes(MemoryPath path);

  // By itself: as the only one of a dispatcher of its own (cta_dispatcher.h).

  void start(Workload& workload) { own().start(workload); }
  void betweenGrids(std::function<void(const Workload&)> call) {
    own().betweenGrids(std::move(call));
  }
  bool finished() const { return own_ == nullptr || own_->finished(); }
  Cycle cycles() const { return own_ == nullptr ? 0 : own_->cycles(); }
  const Occupancy& bestOccupancy() { return own().bestOccupancy(); }
  unsigned residentWarps() { return own().residentWarps(); }

  // One of several, or the only one.

  const Parameters& parameters() const { return parameters_; }
  /// Some access has no response, or lanes left that wait for one.
  bool waitsForMemory() const {
    return port.inFlight() != 0 || warps_.loadStore().replays().waiting();
  }
  /// Warp instructions issued since the workload began.
  std::uint64_t issued() const { return warps_.issued(); }
  /// What each resident warp and each of their accesses waits for, for a simulation that stops
  /// short.
  std::string describeWait() const;

 private:
  // What its dispatcher tells it, in the order of a cycle.
  friend CtaDispatcher;

  /// Its warp slot s is slot `firstSlot` + s of the workload.
  void begin(Workload& workload, unsigned firstSlot, Cycle now);
  /// The next cycle in which there is something to do.
  Cycle due() const { return std::min(next_, warps_.woken()); }
  /// Returns how many CTAs are over.
  unsigned advance(Cycle now) {
    advanced_ = true;
    warps_.catchUp(now);
    stage_.settle(now);
    warps_.advance(now);
    return ctas_.exited() == 0 ? 0 : retireCtas(now);
  }
  /// advance() has been called, and issue() has not.
  bool advanced() const { return advanced_; }
  /// Returns how many of at most `share` CTAs are resident at once.
  Occupancy beginGrid(const Grid& grid, std::uint64_t share);
  bool hasPlace() const { return ctas_.hasPlace(); }
  void placeCta(std::uint64_t number, Cycle now);
  void issue(Cycle now) {
    stage_.cycle(now, warps_.firstScheduler(now));
    warps_.finish(now);
    next_ = nextUseful(now + 1);
    advanced_ = false;
  }
  /// The workload is over: what has not been accounted for is now.
  void end(Cycle now);

  CtaDispatcher& own();
  unsigned retireCtas(Cycle now);
  Cycle nextUseful(Cycle from) const;

  std::unique_ptr<CtaDispatcher> own_;
  Workload* workload_ = nullptr;
  const Grid* grid_ = nullptr;
  unsigned firstSlot_ = 0;
  Cycle next_ = kNever;  ///< in which there is something to do, as far as it knows itself
  bool advanced_ = false;
  Cycle started_ = 0;
};

}  // namespace fermata
