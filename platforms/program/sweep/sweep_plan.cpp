#include <fermata/platforms/program/sweep/sweep_plan.h>

#include <fermata/platforms/compose/configuration.h>
#include <fermata/platforms/energy/price_table.h>
#include <fermata/platforms/program/workloads.h>
#include <fermata/results/csv.h>
#include <fermata/stimuli/refuse.h>
#include <fermata/stimuli/toml/toml_file.h>
#include <fermata/stimuli/traces/csv_rows.h>
#include <fermata/stimuli/traces/sass/access_list.h>

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>

namespace fermata::platforms {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostPoints = 10'000'000;
constexpr const char* kParameter = "param.";
constexpr const char* kPrices = "prices";

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
  return column == "seed" || column.rfind(kParameter, 0) == 0;
}

std::string parameterName(const std::string& column) {
  return column == "seed" ? column : column.substr(std::string(kParameter).size());
}

/// Throws InputError unless the name is a workload's. A trace is not read: that may take long.
void requireWorkload(const std::string& name) {
  if (!isTracePath(name)) {
    findChoice(name);
  } else if (std::error_code error; !fs::is_regular_file(name, error)) {
    refuse("no trace '{}'; expected a file", name);
  } else if (sass::isAccessListName(name)) {
    refuse("'{}' lists accesses alone, from which no cycles follow; expected another trace", name);
  }
}

/// Checks the names on the axes: an unknown one would fail every point.
void checkNames(const SweepStudy& study) {
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
      refuse(axis.where, "axis '{}': {}", axis.name, error.what());
    }
  };
  forEachAxis([&](const SweepAxis& axis) {
    for (const std::string& value : axis.values) {
      if (axis.name == "platform") {
        at(axis, [&] { openPlatform(value); });
        platforms.insert(value);
      } else if (axis.name == "workload") {
        at(axis, [&] { requireWorkload(value); });
        workloads.insert(value);
      } else if (axis.name == kPrices) {
        at(axis, [&] { openPriceTable(value); });
      }
    }
  });
  if (workloads.empty())
    refuse(SourceLocation{study.file}, "the sweep has no workload; expected one in base or axes");
  if (platforms.empty())
    refuse(SourceLocation{study.file}, "the sweep has no platform; expected one in base or axes");
  forEachAxis([&](const SweepAxis& axis) {
    if (axis.name == "platform" || axis.name == "workload" || axis.name == kPrices) return;
    if (isParameter(axis.name)) {
      const bool known = std::any_of(workloads.begin(), workloads.end(), [&](const auto& name) {
        if (isTracePath(name)) return isTraceParameter(name, parameterName(axis.name));
        const auto parameters = findChoice(name).parameters;
        return std::any_of(parameters.begin(), parameters.end(), [&](const ParameterChoice& one) {
          return one.name == parameterName(axis.name);
        });
      });
      if (!known)
        refuse(axis.where, "axis '{}': no workload of the sweep has the parameter '{}'", axis.name,
               parameterName(axis.name));
      return;
    }
    at(axis,
       [&] { openPlatform(*platforms.begin()).set(setPath(axis.name), axis.values.front()); });
  });
}

std::string keyOf(const SweepRun& run, const Digests& digests) {
  return keyOf(KeyedInputs{"fermata sweep 1", run.platform, run.workload, run.prices,
                           run.parameters, run.sets},
               digests);
}

}  // namespace

bool SweepPlan::booksEnergy() const {
  return std::find(columns.begin(), columns.end(), kPrices) != columns.end();
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
    } else if (column == kPrices) {
      run.prices = value;
    } else if (isParameter(column)) {
      run.parameters.push_back(parameterName(column) + '=' + value);
    } else {
      run.sets.push_back(setPath(column) + '=' + value);
    }
  }
  return run;
}

SweepPlan planSweep(const SweepStudy& study, const Digests& digests) {
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
      refuse(group.front().where, "the sweep has more than {} points; expected fewer", kMostPoints);
  }
  checkNames(study);
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
    point.key = keyOf(runOf(plan, point), digests);
    if (!keys.insert(point.key).second)
      refuse(SourceLocation{study.file},
             "two points run the same: {}; expected axes that differ, and each row of a zip once",
             fmt::join(point.values, ", "));
    plan.points.push_back(std::move(point));
  }
  if (plan.points.empty())
    refuse(SourceLocation{study.file}, "every point is excluded; expected one or more");
  return plan;
}

void checkKeys(const SweepPlan& plan, const Digests& digests) {
  std::size_t others = 0;
  std::optional<SweepRun> first;
  for (const SweepPoint& point : plan.points) {
    const SweepRun run = runOf(plan, point);
    if (keyOf(run, digests) == point.key) continue;
    ++others;
    if (!first) first = run;
  }
  if (!first) return;
  refuse(
      "{} of {} points were planned for another program or other files than these, first {} on {}; "
      "expected those of the plan, or a new folder",
      others, plan.points.size(), first->workload, first->platform);
}

std::string planText(const SweepPlan& plan) {
  std::string text = "point,key";
  for (const std::string& column : plan.columns) {
    text += ',';
    results::appendExactField(text, column);
  }
  text += '\n';
  for (std::size_t i = 0; i < plan.points.size(); ++i) {
    text += fmt::format("{},{}", i, plan.points[i].key);
    for (const std::string& value : plan.points[i].values) {
      if (value.find_first_of("\r\n") != std::string::npos)
        refuse("a sweep cannot keep '{}'; expected values without a line break",
               results::printable(value));
      text += ',';
      results::appendExactField(text, value);
    }
    text += '\n';
  }
  return text;
}

SweepPlan readPlan(const std::string& file) {
  SweepPlan plan;
  traces::CsvRows rows(traces::openInput(file), file);
  while (rows.next() && rows.size() > 2) {
    std::vector<std::string> values;
    for (std::size_t i = 2; i < rows.size(); ++i) values.emplace_back(rows[i]);
    if (plan.columns.empty()) {
      plan.columns = std::move(values);
    } else {
      plan.points.push_back({std::move(values), std::string(rows[1])});
    }
  }
  const std::string text = readTextFile(file, "cannot read the plan; expected a readable file");
  if (plan.points.empty() || planText(plan) != text)
    refuse(SourceLocation{file},
           "this is no plan of a sweep; expected what 'fermata sweep plan' wrote");
  return plan;
}

}  // namespace fermata::platforms
