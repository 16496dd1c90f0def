#include <fermata/platforms/cudart/launcher.h>

#include <fermata/models/core/occupancy.h>
#include <fermata/platforms/compose/carveouts.h>
#include <fermata/platforms/compose/parameters.h>
#include <fermata/platforms/cudart/launch_tables.h>
#include <fermata/platforms/cudart/timed_runs.h>
#include <fermata/platforms/program/error_text.h>
#include <fermata/platforms/program/search/functional_driver.h>
#include <fermata/stimuli/input_error.h>
#include <fermata/stimuli/launch/entry_names.h>
#include <fermata/stimuli/native/kernel_compiler.h>
#include <fermata/stimuli/traces/trace_recorder.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <utility>

namespace fermata::cudart {
namespace {

constexpr unsigned kWarpsOfLargestCta = 32;

unsigned slotsOf(const platforms::PlatformParameters& platform) {
  return std::max(platform.sms * platform.core.limits.warps, kWarpsOfLargestCta);
}

ptx::ExecutorOptions optionsOf(const platforms::Measurement& settings,
                               const platforms::PlatformParameters& platform) {
  ptx::ExecutorOptions options;
  options.code = platform.core.code;
  options.carryData = platform.verify;
  options.checkUninitialised = settings.checkUninitialised;
  options.allowStrayReads = settings.allowStrayReads;
  options.capability = static_cast<unsigned>(std::lround(platform.capability * 10));
  options.instructionBudget = settings.budget;
  options.jobs = platforms::threadsOfKernels(settings);
  return options;
}

std::unique_ptr<exec::TableSink> sinkOf(const platforms::Measurement& settings,
                                        const std::optional<exec::LaunchSpool>& spool) {
  if (spool && (settings.rows || !settings.out.empty())) return exec::makeSpoolSink(*spool);
  return settings.out.empty() ? nullptr : exec::makeFolderSink(settings.out);
}

std::string progressName(const LaunchFacts& facts) {
  return fmt::format("launch {}, {}", facts.launch, facts.kernel);
}

class Nobody : public platforms::ExecutionObserver {
  void accessed(const WavefrontHalf&, const StaticInstruction&, const WarpInstruction&) override {}
};

}  // namespace

Launcher::Launcher(platforms::Measurement settings)
    : settings_(std::move(settings)),
      configuration_(platforms::openPlatform(settings_.platform, settings_.sets)),
      memory_(settings_.checkUninitialised, ptx::Reach::Wide,
              configuration_.parameters().bufferGap) {
  platforms::requireOneLaunch(settings_);
  platforms::requireWithSample(settings_);
  if (!settings_.spool.empty()) spool_.emplace(settings_.spool);
  compiler_ = native::makeKernelCompiler(settings_.compile == "off"   ? native::When::Never
                                         : settings_.compile == "now" ? native::When::Now
                                                                      : native::When::Hot);
  makeExecutor();
  sequence_ = std::make_unique<LaunchSequence>(*executor_, executor_->warpSlots());
  if (!settings_.record.empty()) {
    recorder_ = std::make_unique<traces::TraceRecorder>(*sequence_, settings_.record);
    recorder_->setWarpSlots(executor_->warpSlots());
  }
  tables_ = std::make_unique<LaunchTables>(settings_, configuration_, sinkOf(settings_, spool_));
}

Launcher::~Launcher() = default;

void Launcher::makeExecutor() {
  ptx::ExecutorOptions options = optionsOf(settings_, platform());
  // Via stdout's buffer, so that kernel and host output keep their order.
  options.print = [this](std::string_view text) {
    if (timed_ != nullptr) timed_->wipeProgress();
    std::fwrite(text.data(), 1, text.size(), stdout);
  };
  launchesOfKernels_ = std::make_shared<ptx::DeviceLaunches>(
      [this](ptx::Launch& launch) { return check_ ? check_(launch) : 0; });
  options.launches = launchesOfKernels_;
  options.compiler = compiler_.get();
  executor_ = std::make_unique<ptx::Executor>(slotsOf(platform()), memory_, options);
}

void Launcher::reset() {
  while (!memory_.allocations().empty()) memory_.release(memory_.allocations().begin()->first);
  makeExecutor();
  sequence_->use(*executor_);
}

OccupancyLimits Launcher::limits() const { return platforms::occupancyLimits(platform()); }

unsigned Launcher::residentCtas(const ptx::Launch& launch) const {
  Grid grid =
      launch::gridOf(launch, launch::writtenName(launch.kernel->name()), platform().core.code);
  grid.clusterCtas = 1;
  return occupancy(grid, platforms::limitsOf(grid, platform())).ctas;
}

bool Launcher::records(std::uint64_t launch) const {
  return recorder_ != nullptr && settings_.names(launch);
}

Workload& Launcher::workload(std::uint64_t launch) {
  if (records(launch)) return *recorder_;
  return *sequence_;
}

std::uint64_t Launcher::takeNumber() { return spool_ ? spool_->takeLaunch() : launches_++; }

std::uint64_t Launcher::runWithoutTime(const LaunchRequest& request, std::uint64_t number) {
  executor_->setModel(nullptr);  // the clock of a launch that failed
  if (!records(number)) {
    if (request.cooperative) {
      ptx::runInterleaved(*executor_, request.launch, request.launch.grid.count());
    } else {
      ptx::runFunctionally(*executor_, request.launch);
    }
    return executor_->instructionsExecuted();
  }
  sequence_->push(request.launch);
  OneLaunch one(workload(number));
  Nobody nobody;
  return platforms::drive(one, limits(), nobody);
}

void Launcher::run(const LaunchRequest& request) {
  std::vector<LaunchRequest> waiting{request};  // the next one is the last
  while (!waiting.empty()) {
    const LaunchRequest next = std::move(waiting.back());
    waiting.pop_back();
    runOne(next);
    ptx::DeviceLaunches::Queue made = launchesOfKernels_->take(memory_);
    for (auto* const launches : {&made.tails, &made.children}) {
      for (auto one = launches->rbegin(); one != launches->rend(); ++one)
        waiting.push_back({std::move(*one), false});
    }
  }
}

void Launcher::runOne(const LaunchRequest& request) {
  const std::uint64_t number = takeNumber();
  const bool recorded = records(number);
  const bool wasWhole = std::exchange(traceIsWhole_, traceIsWhole_ && !recorded);
  run(request, number);
  traceIsWhole_ = wasWhole;
  if (recorded) ++recorded_;
}

void Launcher::run(const LaunchRequest& request, std::uint64_t number) {
  LaunchFacts facts{number, launch::writtenName(request.launch.kernel->name()),
                    dimensionsText(request.launch.grid), dimensionsText(request.launch.block),
                    cycles_};
  if (!settings_.times(number)) {
    const std::uint64_t instructions = runWithoutTime(request, number);
    cycles_ += instructions;
    summary_.add(facts.kernel, instructions);
    tables_->add(facts, instructions);
  } else if (isSampled(request)) {
    runSampled(request, facts);
  } else {
    runInTime(request, facts);
  }
}

TimedRuns& Launcher::timed() {
  if (timed_ == nullptr) timed_ = std::make_unique<TimedRuns>(settings_, configuration_);
  return *timed_;
}

void Launcher::runInTime(const LaunchRequest& request, LaunchFacts& facts) {
  TimedRuns& runs = timed();
  sequence_->push(request.launch);
  OneLaunch one(workload(facts.launch));
  failedInTime_ = true;  // stays true if anything below throws
  runs.run(one, progressName(facts),
           [&](const platforms::RunOutcome& outcome, const platforms::RunBound& bound,
               const platforms::WorstAccesses* worst) {
             cycles_ += outcome.cycles;
             facts.sample = wholeLaunch(outcome);
             if (settings_.sample)
               summary_.add(facts.kernel, facts.sample, &bound);
             else
               summary_.add(facts.kernel, outcome, bound);
             tables_->add(facts, one, outcome, bound, worst);
           });
  failedInTime_ = false;
}

double Launcher::secondsAt(std::uint64_t cycle) const {
  return static_cast<double>(cycle) / (platform().clock.frequencyMhz * 1e6);
}

double Launcher::seconds() const { return secondsAt(cycles_); }

void Launcher::finishTrace() {
  if (recorder_ == nullptr) return;
  if (!traceIsWhole_) {
    platforms::warn("'" + settings_.record +
                    "' is not written: a launch that it records has failed");
    return recorder_.reset();
  }
  if (recorded_ == 0) return recorder_.reset();  // the file may belong to another program
  (void)recorder_->nextGrid();                   // returns null, which ends the trace
  recorder_->finish();
  // Each launch is a run of its own; a replay is one run.
  if (recorded_ < 2 || platforms::isFlat(platform().globalMemory)) return;
  platforms::warn(
      fmt::format("'{}' has {} launches. Each began with empty caches; a replay keeps what the one "
                  "before has left, and takes other cycles. Record one launch (--launches N) to "
                  "replay its cycles",
                  settings_.record, recorded_));
}

void Launcher::finish() {
  compiler_.reset();  // nothing is launched any more
  if (settings_.table) {
    std::fflush(stdout);  // so that the table follows the program's output
    summary_.print(std::cerr, settings_.sample ? &groups_ : nullptr);
  }
  finishTrace();
  tables_->finish();
}

void Launcher::abandon() noexcept {
  tables_.reset();
  recorder_.reset();
  try {
    if (spool_) spool_->markFailed();
  } catch (const files::OutputError&) {
    // The exit code reports it as well.
  }
}

}  // namespace fermata::cudart
