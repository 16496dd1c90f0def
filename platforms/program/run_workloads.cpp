#include <fermata/platforms/program/run_workloads.h>

#include <fmt/format.h>

#include <filesystem>
#include <sstream>

#include <fermata/platforms/compose/chip.h>
#include <fermata/platforms/compose/parameters.h>
#include <fermata/platforms/compose/simulation.h>
#include <fermata/platforms/program/error_text.h>
#include <fermata/platforms/program/run_progress.h>
#include <fermata/platforms/program/timeline/timeline_output.h>
#include <fermata/platforms/program/wave_output.h>
#include <fermata/stimuli/refuse.h>
#include <fermata/stimuli/traces/sass/access_list.h>
#include <fermata/stimuli/traces/trace_output.h>
#include <fermata/stimuli/traces/trace_recorder.h>

namespace fermata::platforms {

namespace {

results::Settings settings(const WorkloadParameters& parameters) {
  results::Settings out;
  for (const auto& [name, value] : parameters) out.push_back({name, value});
  return out;
}

/// Builds the software hash for the platform's banks and word width. Its text then means the same
/// to kernels, scratchpad and searches.
launch::WorkloadOptions optionsOf(const RunRequest& request, const Configuration& configuration) {
  launch::WorkloadOptions options = kernelOptions(request, configuration.parameters());
  options.print = request.print;
  if (request.softwareHash.empty()) return options;
  const ScratchpadParameters& scratchpad = configuration.parameters().scratchpad;
  options.softwareHash = software_hash::HashRequest();
  options.softwareHash->text = request.softwareHash;
  options.softwareHash->banks = scratchpad.banks;
  options.softwareHash->words = scratchpad.bytes / scratchpad.bankBytes;
  options.softwareHash->bankBytes = scratchpad.bankBytes;
  return options;
}

bool replays(const RunRequest& request, const Configuration& configuration) {
  return request.memory != nullptr && canReplay(configuration) &&
         request.memory->state() == traces::MemoryTrace::State::Ready &&
         request.memory->code() == configuration.parameters().core.code &&
         request.memory->bufferGap() == configuration.parameters().bufferGap;
}

OpenWorkload open(const RunRequest& request, const Job& job, const Configuration& configuration) {
  if (sass::isAccessListName(job.workload))
    refuse(
        "'{}' lists accesses alone, without other instructions or their order: no cycles follow; "
        "expected 'fermata search {}', which counts conflicts",
        job.workload, job.workload);
  if (!replays(request, configuration))
    return openWorkload(job.workload, parseParameters(job.parameters),
                        optionsOf(request, configuration), traceSettings(request));
  OpenWorkload open;
  open.name = workloadName(job.workload);
  open.path = job.workload;
  open.workload = std::make_unique<traces::MemoryTraceWorkload>(*request.memory);
  open.parameters = request.memory->parameters();
  return open;
}

void requireOneRun(const RunRequest& request) {
  if (request.jobs.size() == 1) return;
  if (!request.record.empty())
    refuse("--record takes one workload; expected one trace file for one run");
  if (!request.wave.empty())
    refuse("--wave takes one workload; expected one file of waves for one run");
  if (!request.timeline.empty())
    refuse("--timeline takes one workload; expected one timeline for one run");
  if (request.memory != nullptr) throw std::logic_error("a trace in memory is of one workload");
}

/// Tracks of a timeline grow in the order of time, and SMs in epochs do not go in that order.
void requireCycleByCycle(const RunRequest& request, const PlatformParameters& platform) {
  if (request.timeline.empty() || platform.epoch == 0 || platform.sms == 1) return;
  refuse(
      "--timeline with chip.epoch = {}: SMs in epochs do not go in the order of time; expected "
      "--set chip.epoch=0",
      platform.epoch);
}

void requireTwoFiles(const RunRequest& request) {
  if (request.wave.empty() || request.timeline.empty()) return;
  const auto place = [](const std::string& name) {
    std::error_code unknown;
    const auto whole = std::filesystem::weakly_canonical(std::filesystem::absolute(name), unknown);
    return unknown ? std::filesystem::path(name) : whole;
  };
  if (place(request.timeline) != place(request.wave)) return;
  refuse("--timeline '{}' is the file of --wave; expected another", request.timeline);
}

/// Finishes a file of a failed run and ignores errors of the file: the run's error is reported.
template <class Finish>
void finishAfterError(Finish finish) {
  try {
    warn(finish());
  } catch (const std::exception& error) {
    warn(error.what());
  }
}

/// Returns the launches of the workload as one that runs those of several streams side by side;
/// null: there are none.
Workload* sideBySide(const OpenWorkload& open, const PlatformParameters& platform) {
  if (open.kernel == nullptr) return nullptr;
  return open.kernel->sideBySide(platform.sms * platform.core.limits.warps);
}

/// Finishes waves and timeline when the run has ended, also with an error.
template <class Run>
RunOutcome withWaves(std::optional<WaveOutput>& wave, std::optional<TimelineOutput>& timeline,
                     Run run) {
  std::optional<RunOutcome> outcome;
  try {
    outcome.emplace(run());
    if (wave) warn(wave->finish());
  } catch (...) {
    if (wave && !outcome) finishAfterError([&] { return wave->finish(); });
    const auto cycles = outcome ? std::optional<Cycle>(outcome->cycles) : std::nullopt;
    if (timeline) finishAfterError([&] { return timeline->finish(cycles); });
    throw;
  }
  if (timeline) warn(timeline->finish(outcome->cycles));
  return *outcome;
}

}  // namespace

void requireRecordingName(const std::string& path) {
  using files::Destination;
  if (traces::isTraceName(path) ||
      files::destinationOf(path, files::Streams::InPlace).kind != Destination::Kind::File)
    return;
  refuse("--record '{}'; expected a name that ends in .csv or .csv.zst (compressed)", path);
}

bool canReplay(const Configuration& configuration) {
  return !configuration.parameters().verify;
}

void RunRequest::addJobs() {
  for (const std::string& workload : workloads) jobs.push_back({workload, parameters});
}

Configuration configure(const RunRequest& request) {
  return openPlatform(request.platform, request.sets);
}

void runWorkloads(const RunRequest& request, const Configuration& configuration,
                  const RunTables& tables, results::Progress& progress, const RunDone& done,
                  files::OutputSet* outputs) {
  requireOneRun(request);
  requireTwoFiles(request);
  requireCycleByCycle(request, configuration.parameters());
  std::vector<OpenWorkload> opened;  // all opened before the first runs: a wrong name costs no time
  for (const Job& job : request.jobs) opened.push_back(open(request, job, configuration));
  tellApart(opened);
  for (OpenWorkload& open : opened) {
    if (request.sources && open.kernel != nullptr) open.sources = sourcesOf(*open.kernel);
  }
  files::OutputFile* recording = nullptr;
  if (outputs != nullptr) {
    for (OpenWorkload& open : opened) {
      if (open.kernel != nullptr) open.kernel->openDumps(*outputs, request.dumpFolder);
    }
    if (!request.record.empty()) {
      requireRecordingName(request.record);
      recording = &outputs->add(request.record, files::Streams::InPlace);
    }
  }

  std::optional<WaveOutput> wave;
  if (!request.wave.empty()) wave.emplace(request.wave, request.waveWindow);
  const std::unique_ptr<EnergyAccount> energy =
      openAccount(request.energy, configuration.parameters());
  std::optional<TimelineOutput> timeline;
  if (!request.timeline.empty())
    timeline.emplace(request.timeline, request.timelineWindow, configuration, energy.get());
  Connector plain;
  Simulation simulation(configuration, request.connector == nullptr ? plain : *request.connector,
                        BuildOrder::Rising, wave ? &wave->waves() : nullptr,
                        timeline ? timeline->timeline().ofSms() : std::vector<Probe*>());
  simulation.setWorkers(
      static_cast<unsigned>(std::min<std::uint64_t>(request.threads, kMostThreads)));
  simulation.allowLead();
  if (wave) wave->requireBlocks();
  for (Probe* listener : request.listeners) simulation.addProbe(*listener);
  if (timeline) simulation.addProbe(timeline->timeline());
  if (energy != nullptr) simulation.addEnergy(*energy);
  for (OpenWorkload& open : opened) {
    std::unique_ptr<traces::TraceRecorder> recorder;
    Workload* workload = open.workload.get();
    if (recording != nullptr) {
      recorder = std::make_unique<traces::TraceRecorder>(*workload, *recording);
      workload = recorder.get();
    }
    std::unique_ptr<traces::MemoryTraceRecorder> memory;
    if (request.memory != nullptr && open.kernel != nullptr &&
        request.memory->state() == traces::MemoryTrace::State::Empty) {
      memory = std::make_unique<traces::MemoryTraceRecorder>(*workload, *request.memory);
      if (open.kernel->readsClock()) memory->refuse();
      workload = memory.get();
    }
    const PlatformParameters& platform = configuration.parameters();
    const bool inOrder = recorder != nullptr || timeline || platform.verify;
    if (Workload* const set = inOrder ? nullptr : sideBySide(open, platform); set != nullptr) {
      if (memory) memory->refuse();
      workload = set;
    }
    if (timeline) timeline->timeline().begin(*workload, [&simulation] { return simulation.now(); });
    const RunOutcome outcome = withWaves(wave, timeline, [&] {
      const results::WipedAfter wiped{progress};
      return simulation.run(*workload, watchRun(progress, open.name, open.workload->totalCtas()));
    });
    open.warn();
    if (open.kernel != nullptr) {
      open.kernel->checkResults();
      open.kernel->dump();
    }
    if (recorder) recorder->finish();
    if (memory) memory->finish(open.parameters, platform.core.code, platform.bufferGap);
    WorkloadParameters parameters = open.parameters;
    if (!request.softwareHash.empty()) parameters["software_hash"] = request.softwareHash;
    const results::RunIdentity identity{open.name, settings(parameters),
                                        configuration.parameters().name, configuration.changes()};
    done(tables.record(identity, *workload, outcome), outcome, open);
    open.workload.reset();  // frees its memory
  }
  simulation.checkNamedInstructions();
}

void runQuietly(const RunRequest& request, const Configuration& configuration,
                const RunTables& tables, const RunDone& done) {
  std::ostringstream nowhere;
  results::Progress progress(nowhere, false);
  runWorkloads(request, configuration, tables, progress, done);
}

}  // namespace fermata::platforms
