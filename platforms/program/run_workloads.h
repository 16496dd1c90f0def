// The job of `fermata run`: workloads on one platform, into result files.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <fermata/platforms/compose/configuration.h>
#include <fermata/platforms/compose/connector.h>
#include <fermata/platforms/compose/run_tables.h>
#include <fermata/platforms/energy/platform_prices.h>
#include <fermata/platforms/program/measurement.h>
#include <fermata/platforms/program/workloads.h>
#include <fermata/results/files/output_set.h>
#include <fermata/results/progress.h>
#include <fermata/stimuli/traces/memory_trace.h>

namespace fermata::platforms {

/// One workload of a request.
struct Job {
  std::string workload;                 ///< name or path
  std::vector<std::string> parameters;  ///< "name=value"
};

struct RunRequest : Measurement {
  std::vector<Job> jobs;
  std::function<void(std::string_view)> print;  ///< as in launch::WorkloadOptions
  std::string dumpFolder = ".";                 ///< folder for the buffers that a launch file dumps
  std::vector<Probe*> listeners;  ///< besides those that fill RunTables; not owned, must outlive it
  bool sources = false;           ///< fill OpenWorkload::sources of kernels
  std::optional<EnergyRequest> energy;    ///< prices for RunOutcome's energy; empty: none is booked
  Connector* connector = nullptr;         ///< adds the caller's parts; null: no such parts
  traces::MemoryTrace* memory = nullptr;  ///< of the only workload, see runWorkloads(); null: none

  /// Adds a job for each of `workloads`, with `parameters`.
  void addJobs();
};

/// Checks the name of a trace to be recorded; its ending says whether the file is compressed.
/// Throws InputError.
void requireRecordingName(const std::string& path);

/// Returns the platform with the request's changes applied and checked.
Configuration configure(const RunRequest& request);
/// Receives the record for `tables`, the outcome of the run, and the workload that ran.
using RunDone =
    std::function<void(const results::RunRecord&, const RunOutcome&, const OpenWorkload&)>;
/// Returns whether a run of this platform may replay a recording made on another one. False if the
/// platform's memory shows what is loaded.
bool canReplay(const Configuration& configuration);
/// Runs the workloads in order and calls `done` after each.
/// If `request.memory` is empty, the kernel is recorded into it. If it is ready, the kernel is
/// replayed from it without being opened; the rows are the same.
/// The recorded trace and the buffers that launch files dump are written to `outputs`, opened
/// before the first run, and appear with it; nullptr: nothing is recorded or dumped. Waves and
/// timelines appear when a run has ended, even with an error. Call it once per process (SystemC
/// elaborates once).
void runWorkloads(const RunRequest& request, const Configuration& configuration,
                  const RunTables& tables, results::Progress& progress, const RunDone& done,
                  files::OutputSet* outputs = nullptr);

/// Runs the workloads like runWorkloads(), without a progress line, and writes no file.
void runQuietly(const RunRequest& request, const Configuration& configuration,
                const RunTables& tables, const RunDone& done);

}  // namespace fermata::platforms
