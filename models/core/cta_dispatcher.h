// Runs a workload on streaming multiprocessors, one or several: its grids one after the other, the
// CTAs of a grid in rising order on whichever multiprocessor has a place. A cycle of all of them is
// one tick, in which each that has nothing to do is left alone.
//
//   1. CTAs that are over leave their places, on every multiprocessor.
//   2. When that was the last of a grid, the next grid begins everywhere.
//   3. Places are filled, one CTA a multiprocessor in the order of their numbers, round after
//      round: a small grid spreads.
//   4. Each issues.
//
// So what happens depends on the numbers of the multiprocessors and on nothing else.
#pragma once

#include <fermata/models/core/occupancy.h>
#include <fermata/models/core/workload.h>
#include <fermata/models/probe/probe.h>
#include <fermata/models/timing/clock_domain.h>

#include <functional>
#include <utility>
#include <vector>

namespace fermata {

class SmCore;

class CtaDispatcher : public Ticked {
 public:
  /// `cores`: by number, one or more, all of `domain`, which nothing else starts. `probe` may be
  /// null.
  CtaDispatcher(ClockDomain& domain, std::vector<SmCore*> cores, Probe* probe);

  /// Begins a workload in the current cycle. The previous one must have finished; `workload` and
  /// what it refers to must stay until this one has. Run the simulation afterwards. A workload
  /// that has been started before is a fatal report. Multiprocessor i has the workload's warp slots
  /// from the sum of those before it on.
  void start(Workload& workload);

  /// Called between grids, when nothing of the one before is under way, before the first and after
  /// the last: where caches begin anew.
  void betweenGrids(std::function<void(const Workload&)> call) { betweenGrids_ = std::move(call); }

  /// Called when the last CTA of a workload has retired, in the cycle in which it has.
  void whenFinished(std::function<void()> call) { whenFinished_ = std::move(call); }

  bool finished() const { return workload_ == nullptr; }
  /// Cycles from start to the retirement of the last CTA.
  Cycle cycles() const { return ended_ - started_; }
  /// The cycle in which the workload began.
  Cycle started() const { return started_; }
  /// Of the grid with the most resident warps so far: CTAs of one multiprocessor.
  const Occupancy& bestOccupancy() const { return best_; }
  /// Warps of that grid that are resident on a multiprocessor at most.
  unsigned residentWarps() const { return bestWarps_; }
  Cycle tick(Cycle now) override;

 private:
  /// While a workload runs.
  class Time final : public ModelTime {
   public:
    explicit Time(const CtaDispatcher& dispatcher) : dispatcher_(dispatcher) {}
    std::uint64_t cycles() const override;
    std::uint64_t nanoseconds() const override;

   private:
    const CtaDispatcher& dispatcher_;
  };

  bool fill(unsigned retired, Cycle now);
  bool beginGrid(Cycle now);
  void end(Cycle now);
  void placeCtas(Cycle now);

  ClockDomain& domain_;
  std::vector<SmCore*> cores_;
  Probe* probe_;
  std::function<void(const Workload&)> betweenGrids_;
  std::function<void()> whenFinished_;
  Workload* workload_ = nullptr;
  const Grid* grid_ = nullptr;
  std::uint64_t nextCta_ = 0;
  std::uint64_t sequence_ = 0;  ///< of the accesses of all multiprocessors, in the order of issue
  std::uint64_t running_ = 0;   ///< CTAs placed that are not over
  Occupancy best_;
  unsigned bestWarps_ = 0;
  Cycle started_ = 0;
  Cycle ended_ = 0;
  Time time_{*this};
};

}  // namespace fermata
