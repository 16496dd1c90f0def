// Lists the workloads that come with Fermata, and opens one by its name or path.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include <fermata/stimuli/launch/description.h>
#include <fermata/stimuli/launch/launch_workload.h>

namespace fermata::launch {

struct WorkloadEntry {
  std::string name;
  std::string description;
  std::vector<Parameter> parameters;
};

/// Returns the workloads of the data directory (see data_directory.h), by name. Throws InputError.
std::vector<WorkloadEntry> listWorkloads();

/// Returns true if openLaunch() takes the text as a path: it ends in .toml, .cu or .ptx.
bool isLaunchPath(const std::string& nameOrPath);

/// Describes a workload by its name, a launch file or a kernel file by its path, with what the
/// command line says of its launch. Throws InputError.
LaunchDescription describe(const std::string& nameOrPath, const CommandLaunch& launch = {});

/// Opens a workload by its name, or a launch file or a kernel file by its path. Throws InputError
/// for an unknown name (listing the known ones), a kernel file without a launch, an unknown
/// parameter, or a value that is not allowed.
std::unique_ptr<LaunchWorkload> openLaunch(const std::string& nameOrPath,
                                           const std::map<std::string, std::string>& parameters,
                                           WorkloadOptions options = {});

}  // namespace fermata::launch
