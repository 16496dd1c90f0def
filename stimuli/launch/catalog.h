// The workloads that come with Fermata, and how a name or a path becomes one.
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

/// The workloads of the data directory (see data_directory.h), by name. Throws InputError.
std::vector<WorkloadEntry> listWorkloads();

/// True for what openLaunch() takes as a path: it ends in .toml, .cu or .ptx.
bool isLaunchPath(const std::string& nameOrPath);

/// Opens a workload by its name, or a launch file by its path. InputError: no such name (the names
/// there are), a bare kernel file, an unknown parameter, a value that is not allowed.
std::unique_ptr<LaunchWorkload> openLaunch(const std::string& nameOrPath,
                                           const std::map<std::string, std::string>& parameters,
                                           WorkloadOptions options = {});

}  // namespace fermata::launch
