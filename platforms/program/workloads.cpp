#include <fermata/platforms/program/workloads.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include <fermata/stimuli/input_error.h>
#include <fermata/stimuli/launch/catalog.h>
#include <fermata/stimuli/patterns/patterns.h>
#include <fermata/stimuli/traces/trace_workload.h>

namespace fermata::platforms {

namespace {

bool endsWith(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

std::string baseName(std::string path) {
  path = std::filesystem::path(path).filename().string();
  for (const char* suffix : {".zst", ".csv", ".toml"}) {
    if (endsWith(path, suffix)) path.resize(path.size() - std::string(suffix).size());
  }
  return path;
}

OpenWorkload openTraceFile(const std::string& path, const WorkloadParameters& parameters) {
  if (!parameters.empty()) {
    throw InputError("--param " + parameters.begin()->first + ": the trace '" + path +
                     "' has no parameters");
  }
  traces::TraceOptions options;
  const char* const textAlone = std::getenv("FERMATA_NO_COMPILED_TRACES");
  if (textAlone != nullptr && *textAlone != '\0') {
    options.compileFrom = traces::TraceOptions::kNever;
  }
  return {baseName(path), traces::openTrace(path, options), {}, {}};
}

/// The name, when no software hash is asked for.
const std::string& refuseHash(const std::string& name, const char* what,
                              const launch::WorkloadOptions& options) {
  if (!options.softwareHash) return name;
  throw InputError("software hash '" + options.softwareHash->text + "': '" + name + "' is " + what +
                   ", which has no instructions to compute it; expected a kernel");
}

}  // namespace

std::vector<WorkloadChoice> listChoices() {
  std::vector<WorkloadChoice> choices;
  for (const launch::WorkloadEntry& entry : launch::listWorkloads()) {
    WorkloadChoice choice{entry.name, entry.description, {}};
    for (const auto& parameter : entry.parameters) {
      choice.parameters.emplace_back(parameter.name, std::to_string(parameter.defaultValue));
    }
    choices.push_back(std::move(choice));
  }
  for (const patterns::PatternEntry& entry : patterns::listPatterns()) {
    WorkloadChoice choice{entry.name, entry.description, {}};
    for (const auto& parameter : entry.parameters)
      choice.parameters.emplace_back(parameter.name, parameter.defaultValue);
    choices.push_back(std::move(choice));
  }
  std::sort(choices.begin(), choices.end(),
            [](const auto& a, const auto& b) { return a.name < b.name; });
  return choices;
}

OpenWorkload openWorkload(const std::string& nameOrPath, const WorkloadParameters& parameters,
                          const launch::WorkloadOptions& options) {
  if (endsWith(nameOrPath, ".csv") || endsWith(nameOrPath, ".csv.zst"))
    return openTraceFile(refuseHash(nameOrPath, "a trace", options), parameters);
  const auto& patterns = patterns::listPatterns();
  const bool isPattern = std::any_of(patterns.begin(), patterns.end(),
                                     [&](const auto& entry) { return entry.name == nameOrPath; });
  OpenWorkload open;
  open.name = baseName(nameOrPath);
  if (isPattern) {
    open.workload = patterns::openPattern(refuseHash(nameOrPath, "a pattern", options), parameters);
    open.parameters = parameters;
    return open;
  }
  auto kernel = launch::openLaunch(nameOrPath, parameters, options);
  launch::LaunchWorkload* raw = kernel.get();
  for (const auto& [name, value] : raw->parameters()) open.parameters[name] = std::to_string(value);
  open.finish = [raw](const std::string& folder) {
    raw->checkResults();
    raw->dump(folder);
  };
  open.workload = std::move(kernel);
  return open;
}

WorkloadParameters parseParameters(const std::vector<std::string>& assignments) {
  WorkloadParameters parameters;
  for (const std::string& assignment : assignments) {
    const std::size_t equals = assignment.find('=');
    if (equals == std::string::npos || equals == 0) {
      throw InputError("--param '" + assignment + "'; expected name=value");
    }
    if (!parameters.emplace(assignment.substr(0, equals), assignment.substr(equals + 1)).second) {
      throw InputError("--param " + assignment.substr(0, equals) +
                       " is given twice; expected one value");
    }
  }
  return parameters;
}

}  // namespace fermata::platforms
