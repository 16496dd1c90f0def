// Times launches: one platform in the program's process, and its listeners.
#pragma once

#include <fermata/models/probe/counters.h>
#include <fermata/platforms/compose/simulation.h>
#include <fermata/platforms/energy/platform_prices.h>
#include <fermata/platforms/program/bound/run_bound.h>
#include <fermata/platforms/program/measurement.h>
#include <fermata/platforms/program/report/worst_accesses.h>
#include <fermata/platforms/program/timeline/timeline_output.h>
#include <fermata/results/progress.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace fermata::cudart {

/// At most one per process: SystemC elaborates once.
class TimedRuns {
 public:
  /// `configuration` must outlive it. Throws what --timeline and --power throw.
  TimedRuns(const platforms::Measurement& settings, const platforms::Configuration& configuration);

  /// Runs `workload` to its end, then calls `done` while the figures are valid. `name`: what the
  /// progress line calls it. Throws what Simulation::run throws.
  void run(Workload& workload, const std::string& name,
           const std::function<void(const platforms::RunOutcome&, const platforms::RunBound&,
                                    const platforms::WorstAccesses*)>& done);

  /// Results of a run of grids side by side.
  class SetResults {
   public:
    SetResults(platforms::Simulation& simulation, Cycle cycles)
        : simulation_(simulation), cycles_(cycles) {}
    Cycle cycles() const { return cycles_; }
    /// Cycles from the begin of the run.
    Cycle begun(unsigned member) const { return simulation_.begun(member); }
    Cycle ended(unsigned member) const { return simulation_.ended(member); }
    /// References stay valid until the next call.
    platforms::RunOutcome outcomeOf(const Grid& grid) { return simulation_.outcomeOf(grid); }

   private:
    platforms::Simulation& simulation_;
    Cycle cycles_;
  };
  /// Runs a workload of grids side by side (Workload::together), as run() does.
  void runSet(Workload& workload, const std::string& name,
              const std::function<void(SetResults&)>& done);

  /// Counts of the present run, or of the last. Counts only if the settings ask for a sample.
  const Counters& counters() const { return counters_; }

  /// Wipes the progress line, so that what a kernel prints stands alone.
  void wipeProgress() { progress_.finish(); }

 private:
  platforms::RunOutcome simulate(Workload& workload, const std::string& name);
  /// Runs it with a progress line, if `fermata exec` started the program on a terminal.
  platforms::RunOutcome runWatched(Workload& workload, const std::string& name);

  const platforms::PlatformParameters& platform_;
  bool watched_;  ///< `fermata exec` started the program
  results::Progress progress_;
  platforms::Connector plain_;
  std::unique_ptr<EnergyAccount> energy_;
  std::optional<platforms::PriceTable> prices_;
  std::optional<platforms::TimelineOutput> timeline_;
  std::optional<platforms::WorstAccesses> worst_;
  platforms::OperandSources operands_;
  Counters counters_;
  std::unique_ptr<platforms::Simulation> simulation_;
};

}  // namespace fermata::cudart
