#include <fermata/platforms/cudart/timed_runs.h>

#include <fermata/platforms/compose/parameters.h>
#include <fermata/platforms/program/error_text.h>
#include <fermata/platforms/program/run_progress.h>

#include <algorithm>
#include <iostream>
#include <stdexcept>
#include <systemc>
#include <utility>

namespace fermata::cudart {
namespace {

void throwModelErrors() {
  sc_core::sc_report_handler::set_actions(sc_core::SC_ERROR, sc_core::SC_THROW);
  sc_core::sc_report_handler::set_actions(sc_core::SC_FATAL, sc_core::SC_THROW);
}

}  // namespace

TimedRuns::TimedRuns(const platforms::Measurement& settings,
                     const platforms::Configuration& configuration)
    : platform_(configuration.parameters()),
      watched_(!settings.spool.empty()),
      progress_(std::cerr, true) {
  throwModelErrors();
  const auto energy = energyOf(settings);
  energy_ = platforms::openAccount(energy, configuration.parameters());
  if (energy) prices_ = energy->prices;
  if (!settings.timeline.empty())
    timeline_.emplace(settings.timeline, settings.timelineWindow, configuration, energy_.get());
  simulation_ = std::make_unique<platforms::Simulation>(
      configuration, plain_, platforms::BuildOrder::Rising, nullptr,
      timeline_ ? timeline_->timeline().ofSms() : std::vector<Probe*>());
  simulation_->setWorkers(
      static_cast<unsigned>(std::min(settings.threads, platforms::kMostThreads)));
  simulation_->allowLead();
  simulation_->addProbe(operands_);
  if (settings.sample) simulation_->addProbe(counters_);
  if (settings.accesses) {
    worst_.emplace(configuration.parameters().crossbar.groups);
    simulation_->addProbe(*worst_);
  }
  if (timeline_) simulation_->addProbe(timeline_->timeline());
  if (energy_ != nullptr) simulation_->addEnergy(*energy_);
}

// Looks at standard error before each launch: a program may close or redirect it.
platforms::RunOutcome TimedRuns::runWatched(Workload& workload, const std::string& name) {
  if (!watched_ || !results::standardErrorIsTerminal()) return simulation_->run(workload);
  const results::WipedAfter wiped{progress_};
  return simulation_->run(workload, platforms::watchRun(progress_, name, workload.totalCtas()));
}

platforms::RunOutcome TimedRuns::simulate(Workload& workload, const std::string& name) {
  if (!timeline_) return runWatched(workload, name);
  timeline_->timeline().begin(workload, [this] { return simulation_->now(); });
  try {
    const platforms::RunOutcome outcome = runWatched(workload, name);
    platforms::warn(timeline_->finish(outcome.cycles));
    return outcome;
  } catch (...) {
    try {
      platforms::warn(timeline_->finish(std::nullopt));
    } catch (const std::exception& error) {
      platforms::warn(error.what());
    }
    throw;
  }
}

void TimedRuns::run(
    Workload& workload, const std::string& name,
    const std::function<void(const platforms::RunOutcome&, const platforms::RunBound&,
                             const platforms::WorstAccesses*)>& done) {
  counters_.reset();
  const platforms::RunOutcome outcome = simulate(workload, name);
  platforms::RunBound bound = platforms::boundOf(outcome, platform_, operands_);
  bound.registersEstimated = true;
  done(outcome, bound, worst_ ? &*worst_ : nullptr);
  operands_.reset();
  if (worst_) worst_->reset();
  if (prices_) {
    try {
      platforms::requirePrices(*prices_, *energy_, workload.kernelName(0));
    } catch (const BadInput& error) {
      platforms::warn(error.what());
      prices_.reset();  // warns once only
    }
  }
}

void TimedRuns::runSet(Workload& workload, const std::string& name,
                       const std::function<void(SetResults&)>& done) {
  const platforms::RunOutcome outcome = simulate(workload, name);
  if (!simulation_->ranBeside()) throw std::logic_error("grids of a set ran one after another");
  SetResults results(*simulation_, outcome.cycles);
  done(results);
  operands_.reset();
  if (worst_) worst_->reset();
}

}  // namespace fermata::cudart
