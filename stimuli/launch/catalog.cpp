#include <fermata/stimuli/launch/catalog.h>

#include <algorithm>
#include <filesystem>

#include <fermata/stimuli/folder.h>
#include <fermata/stimuli/launch/data_directory.h>
#include <fermata/stimuli/launch/description_reader.h>
#include <fermata/stimuli/refuse.h>

namespace fermata::launch {
namespace {

namespace fs = std::filesystem;

fs::path kernelFolder() {
  return fs::path(dataDirectory()) / "cuda";
}

std::vector<std::string> workloadNames() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(kernelFolder())) {
    if (entry.path().extension() == ".toml") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::string launchFileOf(const std::string& name) {
  const auto names = workloadNames();
  if (std::find(names.begin(), names.end(), name) != names.end()) {
    return (kernelFolder() / (name + ".toml")).string();
  }
  std::string list;
  for (const std::string& each : names) list += (list.empty() ? "" : ", ") + each;
  refuseFolder(name, "a launch file (.toml) or a trace (.csv, .csv.zst), such as one in it");
  refuse("no workload '{}'; expected one of {}, or the path of a launch file (.toml)", name, list);
}

}  // namespace

std::vector<WorkloadEntry> listWorkloads() {
  std::vector<WorkloadEntry> entries;
  for (const std::string& name : workloadNames()) {
    LaunchDescription description = readLaunchFile((kernelFolder() / (name + ".toml")).string());
    entries.push_back({name, description.description, std::move(description.parameters)});
  }
  return entries;
}

bool isLaunchPath(const std::string& nameOrPath) {
  const std::string kind = fs::path(nameOrPath).extension().string();
  return kind == ".toml" || isKernelPath(nameOrPath);
}

std::unique_ptr<LaunchWorkload> openLaunch(const std::string& nameOrPath,
                                           const std::map<std::string, std::string>& parameters,
                                           WorkloadOptions options) {
  return std::make_unique<LaunchWorkload>(describe(nameOrPath, options.launch), parameters,
                                          options);
}

LaunchDescription describe(const std::string& nameOrPath, const CommandLaunch& launch) {
  if (isKernelPath(nameOrPath)) {
    if (!launch.describesLaunch()) {
      const fs::path path(nameOrPath);
      refuse(
          {nameOrPath, 0, 0},
          "a kernel alone does not say its grid and arguments; expected --entry, --grid, --block "
          "and --arg, or a launch file, such as {}.toml with kernel = \"{}\"",
          path.stem().string(), path.filename().string());
    }
    return describeLaunch(nameOrPath, launch);
  }
  LaunchDescription description =
      readLaunchFile(isLaunchPath(nameOrPath) ? nameOrPath : launchFileOf(nameOrPath));
  if (!launch.empty()) changeBuffers(description, launch);
  return description;
}

}  // namespace fermata::launch
