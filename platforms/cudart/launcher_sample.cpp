// Launches of a sampled run: times some of them, a part of each, and executes the rest.
#include <fermata/platforms/cudart/launch_tables.h>
#include <fermata/platforms/cudart/launcher.h>
#include <fermata/platforms/cudart/sampled_grid.h>
#include <fermata/platforms/cudart/timed_runs.h>
#include <fermata/stimuli/launch/entry_names.h>
#include <fermata/stimuli/ptx/clusters.h>
#include <fermata/stimuli/ptx/execution_counts.h>

#include <fermata/platforms/compose/parameters.h>

#include <fmt/format.h>

#include <algorithm>

namespace fermata::cudart {
namespace {

exec::Estimates exactly(const platforms::RunOutcome& outcome) {
  return {{{static_cast<double>(outcome.cycles), 0},
           {static_cast<double>(outcome.totals.sharedAccesses()), 0},
           {static_cast<double>(outcome.totals.bankConflictCycles()), 0}}};
}

/// Adds what the CTAs that were left out would take.
exec::Estimates estimated(const platforms::RunOutcome& outcome, const exec::SteadyRate& rate,
                          std::uint64_t further) {
  exec::Estimates figures = exactly(outcome);
  const exec::Estimates rest = rate.of(further);
  for (unsigned i = 0; i < exec::kSampled; ++i) {
    figures[i].value += rest[i].value;
    figures[i].half = rest[i].half;
  }
  return figures;
}

exec::ExecutedLaunch executed(exec::LaunchShape shape, const ptx::ExecutionCounts& counts) {
  return {std::move(shape), counts.instructions(), counts.list()};
}

}  // namespace

SampledLaunch wholeLaunch(const platforms::RunOutcome& outcome) {
  SampledLaunch launch;
  launch.ctas = launch.timedCtas = outcome.totals.ctas;
  launch.instructions = launch.timedInstructions = outcome.totals.warpInstructions;
  launch.lanes = outcome.totals.threadInstructions;
  launch.figures = exactly(outcome);
  return launch;
}

// CTAs of a cooperative launch wait for one another, and what a kernel does with a clock needs
// time.
bool Launcher::isSampled(const LaunchRequest& request) const {
  return settings_.sample && !request.cooperative && !request.launch.kernel->readsClock() &&
         !request.launch.kernel->code().takesClusters;
}

exec::LaunchShape Launcher::shapeOf(const LaunchRequest& request) const {
  const ptx::Launch& launch = request.launch;
  const std::string name = launch::writtenName(launch.kernel->name());
  return {name,
          fmt::format("{} {} {} {} {} {}", fmt::ptr(launch.kernel), dimensionsText(launch.grid),
                      dimensionsText(launch.block), launch.dynamicSharedBytes, launch.carveout,
                      dimensionsText(ptx::clusterOf(launch)))};
}

void Launcher::runSampled(const LaunchRequest& request, LaunchFacts& facts) {
  facts.sample.ctas = request.launch.grid.count();
  if (groups_.times(shapeOf(request)))
    timeSample(request, facts);
  else
    executeSample(request, facts);
  cycles_ += facts.sample.value(exec::Sampled::Cycles);
}

void Launcher::timeSample(const LaunchRequest& request, LaunchFacts& facts) {
  TimedRuns& runs = timed();
  sequence_->push(request.launch);
  OneLaunch one(*sequence_);
  const unsigned together = ptx::clusterCtas(request.launch);
  const unsigned resident = std::max(residentCtas(request.launch) / together, 1U) * together;
  SampledGrid grid(one, std::uint64_t{resident} * platform().sms, runs.counters());
  failedInTime_ = true;  // stays true if anything below throws
  runs.run(grid, fmt::format("launch {}, {}", facts.launch, facts.kernel),
           [&](const platforms::RunOutcome& outcome, const platforms::RunBound& bound,
               const platforms::WorstAccesses* worst) {
             ptx::ExecutionCounts counts = grid.counts();
             SampledLaunch& sample = facts.sample;
             sample.timedCtas = grid.startedCtas();
             sample.timedInstructions = counts.instructions();
             if (!grid.isWhole()) ptx::runRest(*executor_, grid.startedCtas(), counts);
             sample.instructions = counts.instructions();
             sample.lanes = counts.lanes;
             const std::uint64_t further = sample.instructions - sample.timedInstructions;
             sample.figures =
                 grid.isWhole() ? exactly(outcome) : estimated(outcome, grid.rate(), further);
             sample.group = groups_.addTimed(executed(shapeOf(request), counts), sample.figures);
             summary_.add(facts.kernel, sample, &bound);
             if (grid.isWhole())
               tables_->add(facts, grid, outcome, bound, worst);
             else
               tables_->addEstimated(facts);
           });
  failedInTime_ = false;
}

void Launcher::executeSample(const LaunchRequest& request, LaunchFacts& facts) {
  ptx::ExecutionCounts counts;
  executor_->setModel(nullptr);  // the clock of a launch that failed
  ptx::runCounted(*executor_, request.launch, counts);
  SampledLaunch& sample = facts.sample;
  sample.instructions = counts.instructions();
  sample.lanes = counts.lanes;
  const auto placed = groups_.addExecuted(executed(shapeOf(request), counts));
  sample.group = placed.group;
  sample.figures = placed.figures;
  summary_.add(facts.kernel, sample, nullptr);
  tables_->addEstimated(facts);
}

}  // namespace fermata::cudart
