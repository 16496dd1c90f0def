// Runs a workload on one or several streaming multiprocessors. Grids run one after the other; the
// CTAs of a grid go, in rising order, to multiprocessors that have a place. One tick is one cycle
// of all multiprocessors; those with nothing to do are skipped.
//
//   1. CTAs that are over leave their places, on every multiprocessor.
//   2. If the last CTA of a grid has left, the next grid begins everywhere.
//   3. Places are filled round after round, one CTA per multiprocessor in the order of their
//      numbers: a small grid spreads. The CTAs of a cluster take their places at once: on as many
//      neighbouring multiprocessors, by rank, of which the first has a multiple of their number;
//      all on one if there are fewer, or if data are verified. With GPCs (gpcs.h), CTAs come to the
//      multiprocessors in turns of GPCs, and a cluster lies in one GPC.
//   4. Each multiprocessor issues.
//
// The order of events therefore depends only on the numbers of the multiprocessors.
//
// Grids of a set (Workload::together) run side by side: whenever CTAs leave, the next grids place
// theirs (grid_queue.h), each on the multiprocessor that has room for most of its CTAs, the first
// of several. That rule, "most room", is what GPUs do (Gilman et al., "Demystifying the Placement
// Policies of the NVIDIA GPU Thread Block Scheduler for Concurrent Kernels", PERFORMANCE 2020).
//
// With epochs (epochs.h) each multiprocessor advances and issues on its own; the dispatcher acts at
// boundaries alone.
#pragma once

#include <fermata/models/core/gpcs.h>
#include <fermata/models/core/grid_queue.h>
#include <fermata/models/core/occupancy.h>
#include <fermata/models/probe/probe.h>
#include <fermata/models/timing/clock_domain.h>
#include <fermata/models/vocabulary/workload.h>

#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace fermata {

class Epochs;
class SmCore;

class CtaDispatcher : public Ticked {
 public:
  /// `cores`: one or more, by number, all of `domain`. Nothing else may start them. `probe` may be
  /// null.
  CtaDispatcher(ClockDomain& domain, std::vector<SmCore*> cores, Probe* probe);
  /// For cores that `epochs` runs, which must outlive the dispatcher.
  CtaDispatcher(ClockDomain& domain, std::vector<SmCore*> cores, Probe* probe, Epochs& epochs);

  /// Sets the GPCs in which the cores lie, by number. Call it before the first workload.
  void setGpcs(const Gpcs& gpcs);

  /// Begins a workload in the current cycle. Run the simulation afterwards. Preconditions: the
  /// previous workload has finished, and `workload` with all that it refers to stays alive until it
  /// has finished too. A workload that was started before is a fatal report. The workload's warp
  /// slots are numbered across all multiprocessors, in the order of `cores`.
  void start(Workload& workload);

  /// Registers a call for the points between grids, before the first and after the last. No access
  /// is under way there, so caches can begin anew.
  void betweenGrids(std::function<void(const Workload&)> call) { betweenGrids_ = std::move(call); }

  /// Registers a call for the begin of each grid, behind the call of betweenGrids(): before any of
  /// its CTAs has a place.
  void beforeGrid(std::function<void(const Grid&)> call) { beforeGrid_ = std::move(call); }

  /// Registers a call for the begin of a set, in the place of those of beforeGrid(), and one for
  /// the begin of each of its grids, beside which others may run.
  void beforeSet(std::function<void(const GridSet&)> call) { beforeSet_ = std::move(call); }
  void beforeMember(std::function<void()> call) { beforeMember_ = std::move(call); }

  /// Registers a call for the cycle in which the last CTA of a workload retires.
  void whenFinished(std::function<void()> call) { whenFinished_ = std::move(call); }

  bool finished() const { return workload_ == nullptr; }
  /// Returns the cycles from start() to the retirement of the last CTA.
  Cycle cycles() const { return ended_ - started_; }
  /// Returns the CTAs of the workload that have ended.
  std::uint64_t endedCtas() const {
    return queue_ != nullptr ? queue_->endedCtas() : before_ + nextCta_ - running_;
  }
  /// Returns when the grids of the last workload began and ended; null: they ran one after another.
  const GridQueue* queue() const { return queue_.get(); }
  /// Returns the cycle in which the workload began.
  Cycle started() const { return started_; }
  /// Returns the occupancy of one multiprocessor by the grid with the most resident warps so far.
  const Occupancy& bestOccupancy() const { return best_; }
  /// Returns the resident warps of one multiprocessor, for the grid with the most so far.
  unsigned residentWarps() const { return bestWarps_; }
  Cycle tick(Cycle now) override;
  /// For Epochs, at boundary `now`, to which all cores have run: `retired` CTAs have left since the
  /// last one, the last of them in cycle `last`. Fills places. Does nothing without a workload.
  void boundary(unsigned retired, Cycle last, Cycle now);
  /// For Epochs, at a boundary: makes what the cores have stored seen by all of them.
  void exchange() {
    if (apart_) workload_->exchange();
  }
  /// True if the cores execute the present grid apart from each other (Workload::runApart).
  bool apart() const { return apart_; }
  /// True if their accesses are to be numbered by cycle and core, the order of exchange().
  bool numbersByCycle() const { return apart_ && verify_; }

 private:
  /// Valid while a workload runs.
  class State final : public ModelState {
   public:
    explicit State(const CtaDispatcher& dispatcher) : dispatcher_(dispatcher) {}
    std::uint64_t cycles() const override;
    std::uint64_t nanoseconds() const override;
    unsigned multiprocessors() const override;
    unsigned multiprocessorOf(unsigned slot) const override;
    LocalPlace localPlace(unsigned slot) const override;

   private:
    const CtaDispatcher& dispatcher_;
  };

  bool fill(unsigned retired, Cycle now);
  void numberAccesses();
  bool gridIsOver() const { return grid_ == nullptr || (nextCta_ == grid_->ctas && running_ == 0); }
  bool beginGrid(Cycle last, Cycle now);
  bool runApart();
  void numberSlots();
  unsigned advanceToPlace(Cycle now);
  const ClockDomain& running() const;
  void end(Cycle now);
  void placeCtas(Cycle now);
  void placeInTurns(Cycle now);
  void placeClusters(Cycle now);
  std::uint64_t shareOfOne() const;
  std::uint64_t ctasAtOnce() const;
  void spreadClusters();
  bool groupHasPlace(const std::vector<unsigned>& group) const;
  bool mayMix(const GridSet& set) const;
  void beginSet(const GridSet& set);
  bool fillSet(Cycle now);
  /// True if a grid may begin without the end of a CTA.
  bool awaits() const {
    return __builtin_expect(static_cast<long>(set_ != nullptr), 0) != 0 &&
           !queue_->awaited().empty();
  }
  void findOccupancy();
  bool retireCtasOfSet();
  void beginMember(unsigned member, Cycle now);
  bool advanceAll(Cycle now);
  bool placeCtasOf(unsigned member, Cycle now);

  ClockDomain& domain_;
  Epochs* epochs_ = nullptr;  ///< null: the dispatcher ticks the cores
  std::vector<SmCore*> cores_;
  Gpcs gpcs_;
  std::vector<SmCore*> inOrder_;   ///< in which CTAs of a set prefer them; empty: by number
  std::optional<GpcTurns> turns_;  ///< of the present grid; none: there are no GPCs
  std::vector<std::vector<unsigned>> groups_;  ///< `spread_`: the cores of each cluster, by rank
  Probe* probe_;
  std::function<void(const Workload&)> betweenGrids_;
  std::function<void(const Grid&)> beforeGrid_;
  std::function<void(const GridSet&)> beforeSet_;
  std::function<void()> beforeMember_;
  std::function<void()> whenFinished_;
  Workload* workload_ = nullptr;
  const Grid* grid_ = nullptr;
  const GridSet* set_ = nullptr;         ///< whose grids run; null: grids run one after another
  std::unique_ptr<GridQueue> queue_;     ///< those of `set_`
  unsigned blocked_ = GridQueue::kNone;  ///< head of the queue that has found no room
  bool apart_ = false;
  bool spread_ = false;           ///< each CTA of a cluster has a multiprocessor of its own
  bool grouped_ = false;          ///< warp slots are numbered by `groups_`, not by multiprocessor
  std::vector<unsigned> coreOf_;  ///< `grouped_`: by warp slots in their order, a core's at a time
  bool verify_ = false;
  std::uint64_t nextCta_ = 0;
  /// Numbers the accesses of all multiprocessors in order of issue. With epochs it does so only
  /// where `verify` needs it: numberAccesses().
  std::uint64_t sequence_ = 0;
  std::uint64_t running_ = 0;  ///< CTAs placed that are not over
  std::uint64_t before_ = 0;   ///< CTAs of the workload's earlier grids
  std::uint64_t atOnce_ = 0;   ///< ctasAtOnce() of the present grid
  Occupancy best_;
  unsigned bestWarps_ = 0;
  Cycle started_ = 0;
  Cycle ended_ = 0;
  State state_{*this};
};

}  // namespace fermata
