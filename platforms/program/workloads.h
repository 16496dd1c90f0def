// Workloads by the name or path that a user types.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include <fermata/models/core/workload.h>
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
};

struct WorkloadChoice {
  std::string name;
  std::string description;
  std::vector<std::pair<std::string, std::string>> parameters;  ///< name and default
};

/// Built-in kernels and patterns.
std::vector<WorkloadChoice> listChoices();
/// A built-in name, a launch file (.toml) or a trace (.csv, .csv.zst), of which the text alone is
/// read when the environment sets FERMATA_NO_COMPILED_TRACES. `options` are for kernels. Throws
/// InputError.
OpenWorkload openWorkload(const std::string& nameOrPath, const WorkloadParameters& parameters,
                          const launch::WorkloadOptions& options = {});
/// Gives those of one name that are not the same workload names that differ: as much of their paths
/// as it takes ("a/k" and "b/k"), with the suffix where that is all that differs ("k.toml" and
/// "k.csv").
void tellApart(std::vector<OpenWorkload>& workloads);
/// From "name=value". Throws InputError.
WorkloadParameters parseParameters(const std::vector<std::string>& assignments);

}  // namespace fermata::platforms
