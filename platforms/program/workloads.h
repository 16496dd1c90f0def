// Workloads by the name or path that a user types.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include <fermata/models/core/workload.h>
#include <fermata/platforms/program/report/source_files.h>
#include <fermata/stimuli/launch/launch_workload.h>

namespace fermata::platforms {

using WorkloadParameters = std::map<std::string, std::string>;

/// A workload and what to do when it has run.
struct OpenWorkload {
  std::string name;  ///< as rows name it: no folder, no suffix
  std::unique_ptr<Workload> workload;
  WorkloadParameters parameters;             ///< effective values, defaults included
  launch::LaunchWorkload* kernel = nullptr;  ///< the workload, when it is a launch file
  std::string path;                          ///< as the user gave it
  std::vector<SourceFile> sources;           ///< of a kernel, where RunRequest::sources asks
  /// When it has run: what it let pass that its user should know. Empty, or a function that gives
  /// an empty text: nothing.
  std::function<std::string()> warning;

  /// Prints the warning, if there is one, on standard error.
  void warn() const;
};

struct ParameterChoice {
  std::string name;
  std::string standard;  ///< its default
  std::string allowed;   ///< "16 or 32", "0 to 6"; empty: the description says
  std::string description;
};

struct WorkloadChoice {
  std::string name;
  std::string description;
  std::vector<ParameterChoice> parameters;
};

/// Built-in kernels and patterns.
std::vector<WorkloadChoice> listChoices();
/// One of them, or a launch file by its path. Throws InputError.
WorkloadChoice findChoice(const std::string& nameOrPath);
/// A built-in name, a launch file (.toml) or a trace (.csv, .csv.zst), of which the text alone is
/// read when the environment sets FERMATA_NO_COMPILED_TRACES. `options` are for kernels. Throws
/// InputError.
OpenWorkload openWorkload(const std::string& nameOrPath, const WorkloadParameters& parameters,
                          const launch::WorkloadOptions& options = {});
/// What rows call it, where no other has this name.
std::string workloadName(const std::string& nameOrPath);
/// Gives those of one name that are not the same workload names that differ: as much of their paths
/// as it takes ("a/k" and "b/k"), with the suffix where that is all that differs ("k.toml" and
/// "k.csv").
void tellApart(std::vector<OpenWorkload>& workloads);
/// From "name=value". Throws InputError.
WorkloadParameters parseParameters(const std::vector<std::string>& assignments);

}  // namespace fermata::platforms
