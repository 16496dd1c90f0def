// The issue side of a streaming multiprocessor: CTAs of the workload's grids are placed, their
// warps issue, and CTAs retire. Memory instructions leave through the memory port.
#pragma once

#include <fermata/models/core/cta_table.h>
#include <fermata/models/core/issue_stage.h>
#include <fermata/models/core/occupancy.h>
#include <fermata/models/core/warp_scheduler.h>
#include <fermata/models/core/workload.h>

#include <functional>
#include <string>
#include <utility>

namespace fermata {

class SmCore : public sc_core::sc_module, public Ticked {
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

  /// Begins a workload in the current cycle. The previous one must have finished; `workload` and
  /// what it refers to must stay until this one has. Run the simulation afterwards. A workload
  /// that has been started before is a fatal report.
  void start(Workload& workload);

  /// Called between grids, when nothing of the one before is under way, before the first and after
  /// the last: where caches begin anew.
  void betweenGrids(std::function<void(const Workload&)> call) { betweenGrids_ = std::move(call); }

  /// Some access has no response, or lanes left that wait for one.
  bool waitsForMemory() const {
    return port.inFlight() != 0 || warps_.loadStore().replays().waiting();
  }
  bool finished() const { return workload_ == nullptr; }
  /// Cycles from start to the retirement of the last CTA.
  Cycle cycles() const { return ended_ - started_; }
  /// Warp instructions issued since start.
  std::uint64_t issued() const { return warps_.issued(); }
  /// Why nothing moves, for a simulation that stops short: what each resident warp waits for.
  std::string describeWait() const;
  /// Of the grid with the most resident warps so far.
  const Occupancy& bestOccupancy() const { return best_; }
  /// Warps of that grid that are resident at most.
  unsigned residentWarps() const { return bestWarps_; }

  Cycle tick(Cycle now) override;

 private:
  bool beginGrid(Cycle now);
  void noteOccupancy(const Occupancy& fits);
  void endGrid(Cycle now);
  void placeCtas(Cycle now);
  void retireCtas(Cycle now);
  Cycle nextUseful(Cycle from) const;

  std::function<void(const Workload&)> betweenGrids_;
  Workload* workload_ = nullptr;
  const Grid* grid_ = nullptr;
  std::uint64_t nextCta_ = 0;
  Occupancy best_;
  unsigned bestWarps_ = 0;
  Cycle started_ = 0;
  Cycle ended_ = 0;
};

}  // namespace fermata
