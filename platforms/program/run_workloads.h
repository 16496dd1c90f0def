// The job of `fermata run`: workloads on one platform, into result files.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <fermata/files/output_set.h>
#include <fermata/platforms/compose/configuration.h>
#include <fermata/platforms/compose/connector.h>
#include <fermata/platforms/compose/run_tables.h>
#include <fermata/platforms/energy/platform_prices.h>
#include <fermata/platforms/program/timeline/timeline_output.h>
#include <fermata/platforms/program/wave_output.h>
#include <fermata/platforms/program/workloads.h>
#include <fermata/results/progress.h>
#include <fermata/stimuli/traces/memory_trace.h>

namespace fermata::platforms {

/// One workload of a request.
struct Job {
  std::string workload;                 ///< name or path
  std::vector<std::string> parameters;  ///< "name=value"
};

struct RunRequest {
  std::string platform;
  std::vector<Job> jobs;
  launch::WorkloadOptions options;  ///< of kernels
  std::vector<std::string> sets;    ///< "path=value"
  std::string dumpFolder = ".";     ///< where buffers go that a launch file dumps
  std::string softwareHash;         ///< mapping text that kernels compute themselves; empty: none
  std::vector<Probe*> listeners;    ///< beside those whose figures RunTables has; they outlive it
  std::string record;               ///< write a trace of the (only) workload here; empty: no
  bool sources = false;             ///< fill OpenWorkload::sources of kernels
  std::optional<WaveRequest> wave;  ///< of the (only) workload; nothing: none
  std::optional<TimelineRequest> timeline;  ///< the same
  std::optional<EnergyRequest> energy;      ///< that of RunOutcome; nothing: it is not booked
  Connector* connector = nullptr;           ///< with parts of one's own; null: without
  traces::MemoryTrace* memory = nullptr;    ///< of the (only) workload: see there; null: none
};

/// Of a trace that is recorded: a file's name says whether it is compressed. Throws InputError.
void requireRecordingName(const std::string& path);

/// The platform with the request's changes, checked.
Configuration configure(const RunRequest& request);
/// Told what `tables` read of a run, the run itself, and what ran.
using RunDone =
    std::function<void(const results::RunRecord&, const RunOutcome&, const OpenWorkload&)>;
/// May a run of the platform replay what another one recorded? Not where its memory shows what is
/// loaded.
bool canReplay(const Configuration& configuration);
/// A kernel is recorded into `request.memory` while that is empty, and replayed from it, without
/// its being opened, when it is ready: the same rows. Runs them in order; `done` is called after
/// each. The trace and what launch files dump go to `outputs`, opened before the first runs, and
/// appear with it; nullptr: nothing is recorded or dumped. Waves and timelines are there
/// when a run has ended, well or not. One call a process (SystemC elaborates once).
void runWorkloads(const RunRequest& request, const Configuration& configuration,
                  const RunTables& tables, results::Progress& progress, const RunDone& done,
                  files::OutputSet* outputs = nullptr);

}  // namespace fermata::platforms
