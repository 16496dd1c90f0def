#include <fermata/platforms/program/sweep/sweep_plan.h>

#include <fermata/platforms/compose/configuration.h>
#include <fermata/platforms/program/workloads.h>
#include <fermata/results/csv.h>
#include <fermata/stimuli/launch/data_directory.h>

#include <fmt/format.h>
#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

namespace fermata::platforms {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostPoints = 10'000'000;
constexpr const char* kParameter = "param.";

bool startsWith(const std::string& text, const std::string& start) {
  return text.rfind(start, 0) == 0;
}

std::string bytesOf(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

/// Of a launch file: itself and what lies beside it, from which it may read; of a trace: itself.
std::string workloadDigest(const std::string& name) {
  fs::path file(name);
  if (!file.has_extension()) file = fs::path(launch::dataDirectory()) / "cuda" / (name + ".toml");
  std::error_code unknown;
  if (!fs::is_regular_file(file, unknown)) return "";
  std::vector<fs::path> files{file};
  if (file.extension() == ".toml") {
    const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
    const bool built = name.find('.') == std::string::npos;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
      // Of a built-in workload, the files of its name and the headers.
      const bool own = !built || entry.path().stem().string().rfind(file.stem().string(), 0) == 0 ||
                       entry.path().extension() == ".h";
      if (entry.is_regular_file() && entry.path() != file && own) files.push_back(entry.path());
    }
  }
  std::sort(files.begin() + 1, files.end());
  std::string all;
  for (const fs::path& one : files)
    all += one.filename().string() + ' ' + sha256(bytesOf(one)) + '\n';
  return sha256(all);
}

bool matches(const SweepExclude& exclude, const SweepPlan& plan,
             const std::vector<std::string>& values) {
  return std::all_of(exclude.begin(), exclude.end(), [&](const auto& one) {
    const auto column = std::find(plan.columns.begin(), plan.columns.end(), one.first);
    const std::string& value = values[static_cast<std::size_t>(column - plan.columns.begin())];
    return std::find(one.second.begin(), one.second.end(), value) != one.second.end();
  });
}

std::string setPath(const std::string& column) {
  return column == "mapping" ? "scratchpad.indexer" : column;
}

bool isParameter(const std::string& column) {
  return column == "seed" || startsWith(column, kParameter);
}

std::string parameterName(const std::string& column) {
  return column == "seed" ? column : column.substr(std::string(kParameter).size());
}

/// An axis that names nothing would fail every point.
void checkNames(const SweepStudy& study, const SweepPlan& plan) {
  std::set<std::string> platforms;
  std::set<std::string> workloads;
  const auto forEachAxis = [&](auto visit) {
    for (const SweepAxis& axis : study.base) visit(axis);
    for (const SweepGroup& group : study.groups) {
      for (const SweepAxis& axis : group) visit(axis);
    }
  };
  const auto at = [](const SweepAxis& axis, auto check) {
    try {
      check();
    } catch (const InputError& error) {
      throw InputError(axis.where, fmt::format("axis '{}': {}", axis.name, error.what()));
    }
  };
  forEachAxis([&](const SweepAxis& axis) {
    for (const std::string& value : axis.values) {
      if (axis.name == "platform") {
        at(axis, [&] { openPlatform(value); });
        platforms.insert(value);
      } else if (axis.name == "workload") {
        at(axis, [&] { findChoice(value); });
        workloads.insert(value);
      }
    }
  });
  if (workloads.empty())
    throw InputError(SourceLocation{study.file},
                     "the sweep has no workload; expected one in base or axes");
  if (platforms.empty())
    throw InputError(SourceLocation{study.file},
                     "the sweep has no platform; expected one in base or axes");
  forEachAxis([&](const SweepAxis& axis) {
    if (axis.name == "platform" || axis.name == "workload") return;
    if (isParameter(axis.name)) {
      const bool known = std::any_of(workloads.begin(), workloads.end(), [&](const auto& name) {
        if (fs::path(name).extension() == ".csv" || fs::path(name).extension() == ".zst")
          return false;  // a trace has none
        const auto parameters = findChoice(name).parameters;
        return std::any_of(parameters.begin(), parameters.end(), [&](const ParameterChoice& one) {
          return one.name == parameterName(axis.name);
        });
      });
      if (!known)
        throw InputError(axis.where, fmt::format("axis '{}': no workload of the sweep has the "
                                                 "parameter '{}'",
                                                 axis.name, parameterName(axis.name)));
      return;
    }
    at(axis,
       [&] { openPlatform(*platforms.begin()).set(setPath(axis.name), axis.values.front()); });
  });
  (void)plan;
}

/// The same run has the same text, whatever the order of the axes.
std::string canonical(const SweepRun& run, const SweepDigests& digests) {
  std::vector<std::string> sets = run.sets;
  std::vector<std::string> parameters = run.parameters;
  std::sort(sets.begin(), sets.end());
  std::sort(parameters.begin(), parameters.end());
  return fmt::format("fermata sweep 1\nmodel {}\nplatform {} {}\n{}\nworkload {} {}\n{}\n",
                     digests.model, run.platform, digests.platform(run.platform),
                     fmt::join(sets, "\n"), run.workload, digests.workload(run.workload),
                     fmt::join(parameters, "\n"));
}

/// Fields of one line of RFC 4180, without line breaks in them.
std::vector<std::string> fieldsOf(const std::string& line) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (quoted && c == '"' && i + 1 < line.size() && line[i + 1] == '"') {
      fields.back() += line[++i];
    } else if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      fields.emplace_back();
    } else {
      fields.back() += c;
    }
  }
  return fields;
}

}  // namespace

std::string sha256(const std::string& bytes) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned length = 0;
  if (EVP_Digest(bytes.data(), bytes.size(), digest.data(), &length, EVP_sha256(), nullptr) != 1)
    throw std::runtime_error("SHA-256 fails");
  std::string text;
  for (unsigned i = 0; i < length; ++i) text += fmt::format("{:02x}", digest[i]);
  return text;
}

SweepDigests digestsOfHere() {
  SweepDigests digests;
  digests.model = sha256(bytesOf("/proc/self/exe"));
  digests.platform = [known = std::map<std::string, std::string>()](
                         const std::string& platform) mutable -> std::string {
    auto [at, isNew] = known.try_emplace(platform);
    if (isNew) at->second = sha256(openPlatform(platform).text());
    return at->second;
  };
  digests.workload = [known = std::map<std::string, std::string>()](
                         const std::string& workload) mutable -> std::string {
    auto [at, isNew] = known.try_emplace(workload);
    if (isNew) at->second = workloadDigest(workload);
    return at->second;
  };
  return digests;
}

SweepRun runOf(const SweepPlan& plan, const SweepPoint& point) {
  SweepRun run;
  for (std::size_t i = 0; i < plan.columns.size(); ++i) {
    const std::string& column = plan.columns[i];
    const std::string& value = point.values[i];
    if (column == "platform") {
      run.platform = value;
    } else if (column == "workload") {
      run.workload = value;
    } else if (isParameter(column)) {
      run.parameters.push_back(parameterName(column) + '=' + value);
    } else {
      run.sets.push_back(setPath(column) + '=' + value);
    }
  }
  return run;
}

SweepPlan planSweep(const SweepStudy& study, const SweepDigests& digests) {
  SweepPlan plan;
  std::vector<std::string> first;
  for (const SweepAxis& axis : study.base) {
    plan.columns.push_back(axis.name);
    first.push_back(axis.values.front());
  }
  std::size_t count = 1;
  for (const SweepGroup& group : study.groups) {
    for (const SweepAxis& axis : group) plan.columns.push_back(axis.name);
    count *= group.front().values.size();
    if (count > kMostPoints)
      throw InputError(group.front().where,
                       fmt::format("the sweep has more than {} points", kMostPoints));
  }
  checkNames(study, plan);
  std::set<std::string> keys;
  for (std::size_t number = 0; number < count; ++number) {
    SweepPoint point{first, ""};
    std::size_t rest = count;
    std::size_t left = number;
    for (const SweepGroup& group : study.groups) {
      rest /= group.front().values.size();
      for (const SweepAxis& axis : group) point.values.push_back(axis.values[left / rest]);
      left %= rest;
    }
    if (std::any_of(study.excludes.begin(), study.excludes.end(),
                    [&](const SweepExclude& one) { return matches(one, plan, point.values); }))
      continue;
    point.key = sha256(canonical(runOf(plan, point), digests));
    if (!keys.insert(point.key).second)
      throw InputError(SourceLocation{study.file},
                       fmt::format("two points run the same: {}; expected axes that differ, and "
                                   "each row of a zip once",
                                   fmt::join(point.values, ", ")));
    plan.points.push_back(std::move(point));
  }
  if (plan.points.empty())
    throw InputError(SourceLocation{study.file}, "every point is excluded; expected one or more");
  return plan;
}

std::string planText(const SweepPlan& plan) {
  std::string text = "point,key";
  for (const std::string& column : plan.columns) {
    text += ',';
    results::appendField(text, column);
  }
  text += '\n';
  for (std::size_t i = 0; i < plan.points.size(); ++i) {
    text += fmt::format("{},{}", i, plan.points[i].key);
    for (const std::string& value : plan.points[i].values) {
      text += ',';
      results::appendField(text, value);
    }
    text += '\n';
  }
  return text;
}

SweepPlan parsePlan(const std::string& text, const std::string& file) {
  SweepPlan plan;
  std::size_t number = 0;
  for (std::size_t start = 0; start < text.size(); ++number) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    std::vector<std::string> fields = fieldsOf(text.substr(start, end - start));
    start = end + 1;
    if (fields.size() < 3) break;
    std::vector<std::string> values(fields.begin() + 2, fields.end());
    if (number == 0) {
      plan.columns = std::move(values);
    } else {
      plan.points.push_back({std::move(values), std::move(fields[1])});
    }
  }
  if (plan.points.empty() || planText(plan) != text)
    throw InputError(SourceLocation{file},
                     "this is no plan of a sweep; expected what 'fermata sweep plan' wrote");
  return plan;
}

}  // namespace fermata::platforms
