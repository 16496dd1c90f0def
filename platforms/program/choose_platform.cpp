#include <fermata/platforms/program/choose_platform.h>

#include <algorithm>
#include <filesystem>

#include <fermata/platforms/compose/configuration.h>
#include <fermata/platforms/program/workloads.h>
#include <fermata/stimuli/launch/catalog.h>
#include <fermata/stimuli/launch/data_directory.h>
#include <fermata/stimuli/launch/newer_architectures.h>
#include <fermata/stimuli/launch/plan.h>
#include <fermata/stimuli/patterns/patterns.h>
#include <fermata/stimuli/ptx/module.h>
#include <fermata/stimuli/refuse.h>
#include <fermata/stimuli/toml/toml_file.h>
#include <fermata/stimuli/traces/sass/kernel_list.h>

namespace fermata::platforms {

namespace {

namespace fs = std::filesystem;

/// Reads no platform file: there are dozens.
bool isPlatformName(const std::string& word) {
  if (word.empty() || word.find('/') != std::string::npos) return false;
  std::error_code unknown;
  return fs::is_regular_file(fs::path(launch::dataDirectory()) / "platforms" / (word + ".toml"),
                             unknown);
}

/// Returns the launch file of a workload; empty: it has none. Reads no file.
std::string launchFileOf(const std::string& workload) {
  if (fs::path(workload).extension() == ".toml") return workload;
  const fs::path own = fs::path(launch::dataDirectory()) / "cuda" / (workload + ".toml");
  std::error_code unknown;  // such as a name that is too long
  return fs::exists(own, unknown) ? own.string() : "";
}

/// Returns whether the word names a workload. A .toml file is a launch file if it has a kernel: no
/// platform file has one.
bool isWorkload(const std::string& word) {
  if (isTracePath(word) || launch::isKernelPath(word)) return true;
  if (fs::path(word).extension() == ".toml") {
    std::error_code error;
    if (!fs::is_regular_file(word, error)) return false;
    try {
      return parseTomlFile(word, "a launch file or a platform file").contains("kernel");
    } catch (const InputError&) {
      return false;  // the reader of the platform says what is wrong
    }
  }
  const auto& patterns = patterns::listPatterns();
  return !launchFileOf(word).empty() ||
         std::any_of(patterns.begin(), patterns.end(),
                     [&](const patterns::PatternEntry& each) { return each.name == word; });
}

/// Returns the architecture for which a workload is compiled; empty: it states none.
std::string archOf(const std::string& workload, const WorkloadParameters& parameters,
                   const launch::CommandLaunch& launch) {
  if (launchFileOf(workload).empty() && !launch::isKernelPath(workload)) {
    if (isPlatformName(workload))
      refuse("'{0}' is a platform; expected a workload, and --platform {0}", workload);
    if (sass::isSassName(workload)) return sass::architectureOf(workload);
    if (!isTracePath(workload)) (void)findChoice(workload);  // throws if there is none
    return {};
  }
  const launch::LaunchDescription description = launch::describe(workload, launch);
  const launch::Plan plan = launch::planLaunches(description, parameters);
  if (plan.compile.arch) return launch::platformOfArchitecture(plan.compile.arch->text);
  const fs::path kernel = fs::path(description.folder) / plan.kernelFile;
  return kernel.extension() == ".ptx"
             ? launch::platformOfArchitecture(ptx::parseFile(kernel.string())->target())
             : std::string();
}

}  // namespace

std::string platformOfWorkloads(const std::vector<std::string>& workloads,
                                const std::vector<std::string>& parameters,
                                const launch::CommandLaunch& launch) {
  std::string arch;
  std::string first;
  for (const std::string& workload : workloads) {
    const std::string here = archOf(workload, parseParameters(parameters), launch);
    if (here.empty() || here == arch) continue;
    if (!arch.empty())
      refuse("'{}' is compiled for {} and '{}' for {}; expected --platform", first, arch, workload,
             here);
    arch = here;
    first = workload;
  }
  if (arch.empty())
    refuse(
        "no launch file states the machine (arch); expected --platform, for instance --platform "
        "sm_80");
  if (!isPlatformName(arch))
    refuse(
        "'{}' is compiled for {}, which no platform is named after; expected --platform, for "
        "instance --platform sm_80",
        first, arch);
  return arch;
}

void choosePlatform(Measurement& measurement) {
  std::vector<std::string>& words = measurement.workloads;
  if (words.size() < 2 || isWorkload(words.front())) {
    measurement.platform = platformOfWorkloads(words, measurement.parameters, measurement);
    return;
  }
  measurement.platform = words.front();
  words.erase(words.begin());
}

}  // namespace fermata::platforms
