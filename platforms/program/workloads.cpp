#include <fermata/platforms/program/workloads.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <filesystem>

#include <fermata/platforms/program/error_text.h>
#include <fermata/stimuli/folder.h>
#include <fermata/stimuli/launch/catalog.h>
#include <fermata/stimuli/launch/data_directory.h>
#include <fermata/stimuli/launch/description_reader.h>
#include <fermata/stimuli/patterns/patterns.h>
#include <fermata/stimuli/refuse.h>
#include <fermata/stimuli/traces/csv_rows.h>
#include <fermata/stimuli/traces/sass/sass_workload.h>
#include <fermata/stimuli/traces/trace_output.h>
#include <fermata/stimuli/traces/trace_workload.h>

namespace fermata::platforms {

namespace {

constexpr const char* kWorkloadFile =
    "a launch file (.toml) or a trace (.csv, .csv.zst, .traceg, kernelslist.g), such as one in it";

namespace fs = std::filesystem;

bool endsWith(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

std::string withoutSuffix(std::string path) {
  if (traces::isTraceName(path)) {
    path.resize(path.size() -
                std::string(traces::isCompressedName(path) ? ".csv.zst" : ".csv").size());
  } else if (sass::isSassName(path)) {
    path = sass::withoutSassSuffix(path);
  } else if (endsWith(path, ".toml")) {
    path.resize(path.size() - std::string(".toml").size());
  }
  return path;
}

/// Returns the last `parts` names of a path.
std::string tail(const fs::path& path, std::size_t parts) {
  fs::path kept;
  for (auto part = path.end(); parts != 0 && part != path.begin(); --parts) {
    kept = kept.empty() ? *--part : *--part / kept;
  }
  return kept.string();
}

/// Returns the user's path, normalised.
fs::path pathOf(const OpenWorkload& open) {
  return fs::path(open.path).lexically_normal();
}

bool isFile(const OpenWorkload& open) {
  return launch::isLaunchPath(open.path) || isTracePath(open.path);
}

bool areSame(const OpenWorkload& a, const OpenWorkload& b) {
  return isFile(a) == isFile(b) && (isFile(a) ? fs::absolute(a.path).lexically_normal() ==
                                                    fs::absolute(b.path).lexically_normal()
                                              : a.path == b.path);
}

/// Returns the shortest end of the path that no other workload shares.
std::string nameAmong(const std::vector<const OpenWorkload*>& others, const OpenWorkload& open) {
  const fs::path mine = pathOf(open);
  const auto most = static_cast<std::size_t>(std::distance(mine.begin(), mine.end()));
  for (const bool suffix : {false, true}) {
    const auto shown = [&](const fs::path& path, std::size_t parts) {
      return suffix ? tail(path, parts) : withoutSuffix(tail(path, parts));
    };
    for (std::size_t parts = 1; parts <= most; ++parts) {
      const std::size_t itsParts = parts == most ? SIZE_MAX : parts;
      const std::string name = shown(mine, parts);
      if (std::none_of(others.begin(), others.end(), [&](const OpenWorkload* other) {
            return shown(pathOf(*other), itsParts) == name;
          })) {
        return name;
      }
    }
  }
  return open.path;
}

/// Returns whether the environment asks that only the text of traces is read.
bool readsTextAlone() {
  const char* const textAlone = std::getenv("FERMATA_NO_COMPILED_TRACES");
  return textAlone != nullptr && *textAlone != '\0';
}

OpenWorkload openSassTrace(const std::string& path, const sass::TraceSettings& settings) {
  sass::SassOptions options;
  options.settings = settings;
  options.opcodeFile = launch::dataDirectory() + "/sass_opcodes.toml";
  if (readsTextAlone()) options.compileFrom = sass::SassOptions::kNever;
  auto trace = std::make_unique<sass::SassWorkload>(path, std::move(options));
  OpenWorkload open;
  open.name = workloadName(path);
  open.path = path;
  open.warning = [raw = trace.get()] { return raw->warning(); };
  open.workload = std::move(trace);
  return open;
}

std::uint32_t traceNumber(const std::string& name, const std::string& text) {
  std::uint32_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || stop != end || value == 0 || value > 0x7fffffff)
    refuse("--param {}={}; expected a whole number from 1 to {}", name, text, 0x7fffffff);
  return value;
}

/// Returns the settings with those that parameters replace. Throws if a parameter is none of them.
sass::TraceSettings withParameters(sass::TraceSettings settings, const std::string& path,
                                   const WorkloadParameters& parameters) {
  for (const auto& [name, value] : parameters) {
    if (name == "trace_shared") {
      settings.shared = traceNumber(name, value);
    } else if (name == "trace_registers") {
      settings.registers = traceNumber(name, value);
    } else if (name == "unknown_opcodes") {
      if (value != "integer") refuse("--param unknown_opcodes={}; expected integer", value);
      settings.unknownAsInteger = true;
    } else {
      refuse(
          "--param {}: the trace '{}' has no such parameter; expected trace_shared, "
          "trace_registers or unknown_opcodes",
          name, path);
    }
  }
  return settings;
}

OpenWorkload openTraceFile(const std::string& path, const WorkloadParameters& parameters,
                           const sass::TraceSettings& settings) {
  if (sass::isSassName(path)) {
    OpenWorkload open = openSassTrace(path, withParameters(settings, path, parameters));
    open.parameters = parameters;
    return open;
  }
  if (!parameters.empty())
    refuse("--param {}: the trace '{}' has no parameters", parameters.begin()->first, path);
  traces::TraceOptions options;
  if (readsTextAlone()) options.compileFrom = traces::TraceOptions::kNever;
  return {workloadName(path), traces::openTrace(path, options), {}, nullptr, path, {}, {}};
}

/// Returns the name. Throws if a software hash or a launch is requested: `what` cannot have one.
const std::string& refuseOptions(const std::string& name, const char* what,
                                 const launch::WorkloadOptions& options) {
  if (!options.launch.empty())
    refuse(
        "'{}' is {}, which has no launch and no buffers; expected a launch file or a kernel "
        "file (.cu, .ptx) with the options of a launch",
        name, what);
  if (!options.softwareHash) return name;
  refuse(
      "software hash '{}': '{}' is {}, which has no instructions to compute it; expected a kernel",
      options.softwareHash->text, name, what);
}

WorkloadChoice choiceOf(const std::string& name, const std::string& description,
                        const std::vector<launch::Parameter>& parameters) {
  WorkloadChoice choice{name, description, {}};
  for (const launch::Parameter& parameter : parameters) {
    choice.parameters.push_back(
        {parameter.name, parameter.defaultText(), parameter.allowedText(), parameter.description});
  }
  return choice;
}

std::string strayText(const ptx::StrayReads& reads) {
  if (reads.count == 0) return "";
  return std::to_string(reads.count) + (reads.count == 1 ? " load of a lane" : " loads of lanes") +
         " outside of every buffer gave zeros; the first: " + reads.first;
}

}  // namespace

std::vector<WorkloadChoice> listChoices() {
  std::vector<WorkloadChoice> choices;
  for (const launch::WorkloadEntry& entry : launch::listWorkloads()) {
    choices.push_back(choiceOf(entry.name, entry.description, entry.parameters));
  }
  for (const patterns::PatternEntry& entry : patterns::listPatterns()) {
    WorkloadChoice choice{entry.name, entry.description, {}};
    for (const auto& parameter : entry.parameters) {
      choice.parameters.push_back(
          {parameter.name, parameter.defaultValue, "", parameter.description});
    }
    choices.push_back(std::move(choice));
  }
  std::sort(choices.begin(), choices.end(),
            [](const auto& a, const auto& b) { return a.name < b.name; });
  return choices;
}

WorkloadChoice findChoice(const std::string& nameOrPath) {
  if (endsWith(nameOrPath, ".toml")) {
    const launch::LaunchDescription file = launch::readLaunchFile(nameOrPath);
    return choiceOf(nameOrPath, file.description, file.parameters);
  }
  std::string list;
  for (WorkloadChoice& choice : listChoices()) {
    if (choice.name == nameOrPath) return std::move(choice);
    list += (list.empty() ? "" : ", ") + choice.name;
  }
  refuseFolder(nameOrPath, kWorkloadFile);
  refuse("no workload '{}'; expected one of {}, or the path of a launch file (.toml)", nameOrPath,
         list);
}

bool isTracePath(const std::string& name) {
  return traces::isTraceName(name) || sass::isSassName(name);
}

bool isTraceParameter(const std::string& workload, const std::string& parameter) {
  return sass::isSassName(workload) &&
         (parameter == "trace_shared" || parameter == "trace_registers" ||
          parameter == "unknown_opcodes");
}

std::string workloadName(const std::string& nameOrPath) {
  return withoutSuffix(fs::path(nameOrPath).filename().string());
}

OpenWorkload openWorkload(const std::string& nameOrPath, const WorkloadParameters& parameters,
                          const launch::WorkloadOptions& options,
                          const sass::TraceSettings& settings) {
  traces::refuseCompiled(nameOrPath);
  if (isTracePath(nameOrPath))
    return openTraceFile(refuseOptions(nameOrPath, "a trace", options), parameters, settings);
  const auto& patterns = patterns::listPatterns();
  const bool isPattern = std::any_of(patterns.begin(), patterns.end(),
                                     [&](const auto& entry) { return entry.name == nameOrPath; });
  OpenWorkload open;
  open.name = workloadName(nameOrPath);
  open.path = nameOrPath;
  if (isPattern) {
    open.workload =
        patterns::openPattern(refuseOptions(nameOrPath, "a pattern", options), parameters);
    open.parameters = parameters;
    return open;
  }
  auto kernel = launch::openLaunch(nameOrPath, parameters, options);
  open.kernel = kernel.get();
  open.parameters = kernel->parameters();
  open.warning = [raw = kernel.get()] { return strayText(raw->strayReads()); };
  open.workload = std::move(kernel);
  return open;
}

void tellApart(std::vector<OpenWorkload>& workloads) {
  std::vector<std::string> names;
  for (const OpenWorkload& open : workloads) {
    std::vector<const OpenWorkload*> others;
    for (const OpenWorkload& other : workloads) {
      if (other.name == open.name && !areSame(other, open)) others.push_back(&other);
    }
    names.push_back(others.empty() ? open.name : nameAmong(others, open));
  }
  for (std::size_t i = 0; i < workloads.size(); ++i) workloads[i].name = names[i];
}

void OpenWorkload::warn() const {
  const std::string text = warning ? warning() : std::string();
  if (!text.empty()) platforms::warn(name + ": " + text);
}

WorkloadParameters parseParameters(const std::vector<std::string>& assignments) {
  WorkloadParameters parameters;
  for (const std::string& assignment : assignments) {
    const std::size_t equals = assignment.find('=');
    if (equals == std::string::npos || equals == 0)
      refuse("--param '{}'; expected name=value", assignment);
    if (!parameters.emplace(assignment.substr(0, equals), assignment.substr(equals + 1)).second)
      refuse("--param {} is given twice; expected one value", assignment.substr(0, equals));
  }
  return parameters;
}

}  // namespace fermata::platforms
