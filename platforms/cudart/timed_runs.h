// Times launches: one platform in the program's process, and its listeners.
#pragma once

#include <fermata/platforms/compose/simulation.h>
#include <fermata/platforms/energy/platform_prices.h>
#include <fermata/platforms/program/bound/run_bound.h>
#include <fermata/platforms/program/measurement.h>
#include <fermata/platforms/program/report/worst_accesses.h>
#include <fermata/platforms/program/timeline/timeline_output.h>

#include <functional>
#include <memory>
#include <optional>

namespace fermata::cudart {

/// At most one per process: SystemC elaborates once.
class TimedRuns {
 public:
  /// `configuration` must outlive it. Throws what --timeline and --power throw.
  TimedRuns(const platforms::Measurement& settings, const platforms::Configuration& configuration);

  /// Runs `workload` to its end, then calls `done` while the figures are valid. Throws what
  /// Simulation::run throws.
  void run(Workload& workload,
           const std::function<void(const platforms::RunOutcome&, const platforms::RunBound&,
                                    const platforms::WorstAccesses*)>& done);

 private:
  platforms::RunOutcome simulate(Workload& workload);

  const platforms::PlatformParameters& platform_;
  platforms::Connector plain_;
  std::unique_ptr<EnergyAccount> energy_;
  std::optional<platforms::PriceTable> prices_;
  std::optional<platforms::TimelineOutput> timeline_;
  std::optional<platforms::WorstAccesses> worst_;
  platforms::OperandSources operands_;
  std::unique_ptr<platforms::Simulation> simulation_;
};

}  // namespace fermata::cudart
