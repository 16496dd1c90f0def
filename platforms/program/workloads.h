// Workloads by the name or path that a user types.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include <fermata/models/vocabulary/workload.h>
#include <fermata/platforms/program/report/source_files.h>
#include <fermata/stimuli/launch/launch_workload.h>
#include <fermata/stimuli/traces/sass/kernel_header.h>

namespace fermata::platforms {

using WorkloadParameters = std::map<std::string, std::string>;

/// A workload and what to do when it has run.
struct OpenWorkload {
  std::string name;  ///< as rows name it: without folder and suffix
  std::unique_ptr<Workload> workload;
  WorkloadParameters parameters;  ///< effective values, defaults included
  /// The workload if it is a launch file, otherwise null.
  launch::LaunchWorkload* kernel = nullptr;
  std::string path;                 ///< as the user gave it
  std::vector<SourceFile> sources;  ///< of a kernel, if RunRequest::sources is set
  /// Call it after the run. Returns what the workload tolerated and its user should know; an empty
  /// text or an empty function: nothing.
  std::function<std::string()> warning;

  /// Prints the warning, if any, on standard error.
  void warn() const;
};

struct ParameterChoice {
  std::string name;
  std::string standard;  ///< its default value
  std::string allowed;   ///< "16 or 32", "0 to 6"; empty: the description says
  std::string description;
};

struct WorkloadChoice {
  std::string name;
  std::string description;
  std::vector<ParameterChoice> parameters;
};

/// Lists the built-in kernels and patterns.
std::vector<WorkloadChoice> listChoices();
/// Finds a built-in workload, or a launch file by its path. Throws InputError.
WorkloadChoice findChoice(const std::string& nameOrPath);
/// Returns whether a name is that of a trace: a recorded run (.csv, .csv.zst) or a trace of machine
/// code (sass::isSassName).
bool isTracePath(const std::string& name);
/// Returns whether a trace of machine code has the parameter: trace_shared, trace_registers and
/// unknown_opcodes do what the options of these names do.
bool isTraceParameter(const std::string& workload, const std::string& parameter);
/// Opens a built-in name, a launch file (.toml) or a trace (isTracePath). If the environment sets
/// FERMATA_NO_COMPILED_TRACES, only the text of a trace is read. `options` are for kernels,
/// `settings` for traces of machine code. Throws InputError.
OpenWorkload openWorkload(const std::string& nameOrPath, const WorkloadParameters& parameters,
                          const launch::WorkloadOptions& options = {},
                          const sass::TraceSettings& settings = {});
/// Returns the name that rows use, unless another workload has the same one.
std::string workloadName(const std::string& nameOrPath);
/// Renames different workloads that have the same name, with as much of their paths as needed
/// ("a/k" and "b/k"). The suffix is added if nothing else differs ("k.toml" and "k.csv").
void tellApart(std::vector<OpenWorkload>& workloads);
/// Parses "name=value" texts. Throws InputError.
WorkloadParameters parseParameters(const std::vector<std::string>& assignments);

}  // namespace fermata::platforms
