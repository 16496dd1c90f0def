#include <fermata/platforms/program/report/report_input.h>

#include <fermata/platforms/program/bound/run_bound.h>
#include <fermata/platforms/program/report/source_files.h>
#include <fermata/stimuli/refuse.h>
#include <fermata/stimuli/toml/toml_file.h>

#include <cmath>

namespace fermata::platforms {

namespace {

namespace fs = std::filesystem;

constexpr const char* kHash = "software_hash=";

bool isFile(const fs::path& path) {
  std::error_code unknown;
  return fs::is_regular_file(path, unknown);
}

/// Splits "name=value;name=value", as results::text() writes it.
std::vector<std::string> settingsIn(const std::string& text) {
  std::vector<std::string> settings;
  if (text.empty()) return settings;
  settings.emplace_back();
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == ';') {
      settings.emplace_back();
    } else {
      if (text[i] == '\\' && i + 1 < text.size()) ++i;
      settings.back() += text[i];
    }
  }
  return settings;
}

std::string nameOf(const fs::path& folder) {
  fs::path whole = fs::absolute(folder).lexically_normal();
  if (!whole.has_filename()) whole = whole.parent_path();
  return whole.filename().string();
}

std::string descriptionOf(const fs::path& study) {
  if (!isFile(study)) return "";
  const toml::table table = parseTomlFile(study.string(), "a sweep in TOML");
  return table["description"].value_or(std::string());
}

/// Returns each row's point number in the plan.
std::vector<std::size_t> pointNumbers(const ReportTable& merged, const SweepPlan& plan) {
  const std::vector<double> numbers = merged.counts("point");
  std::vector<std::size_t> points;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (numbers[i] != std::floor(numbers[i]) ||
        numbers[i] >= static_cast<double>(plan.points.size()))
      refuse(merged.where(i),
             "point {} is not in plan.csv; expected 'fermata sweep merge' of this plan",
             merged.texts("point")[i]);
    points.push_back(static_cast<std::size_t>(numbers[i]));
  }
  return points;
}

ReportTable described(const fs::path& table, const fs::path& schema, const std::string& name) {
  ReportTable read = ReportTable::read(table.string());
  read.describe(ReportTable::read(schema.string()), name);
  return read;
}

ReportInput readSweepFolder(const fs::path& folder) {
  const fs::path merged = folder / "merged";
  if (!isFile(merged / "runs.csv"))
    refuse(
        "{}: the sweep has no merged/runs.csv; expected 'fermata sweep run {}', or 'fermata sweep "
        "merge {} --partial', first",
        folder.string(), folder.string(), folder.string());
  ReportInput input;
  input.sweep = true;
  input.points = described(merged / "runs.csv", merged / "schema.csv", "runs.csv");
  const SweepPlan plan = readPlan((folder / "plan.csv").string());
  input.planned = plan.points.size();
  input.description = descriptionOf(folder / "study.toml");
  for (const std::string& name : plan.columns) input.axes.push_back({name, {}});
  for (const std::size_t number : pointNumbers(input.points, plan)) {
    const SweepPoint& point = plan.points[number];
    for (std::size_t i = 0; i < plan.columns.size(); ++i)
      input.axes[i].values.push_back(point.values[i]);
    input.runs.emplace_back(runOf(plan, point));
  }
  if (isFile(merged / "failed.csv")) {
    ReportTable failed = ReportTable::read((merged / "failed.csv").string());
    if (failed.rows() != 0) input.failed = std::move(failed);
  }
  return input;
}

ReportInput readRunFolder(const fs::path& folder) {
  const fs::path schema = folder / "schema.csv";
  const auto read = [&](const char* name) { return described(folder / name, schema, name); };
  const auto readIfThere = [&](const char* name) {
    return isFile(folder / name) ? std::optional(read(name)) : std::nullopt;
  };
  ReportInput input;
  input.points = read("runs.csv");
  input.files = RunFiles{input.points,
                         read("instructions.csv"),
                         read("banks.csv"),
                         readIfThere(kBoundFile),
                         readIfThere("accesses.csv"),
                         readIfThere("energy.csv"),
                         readIfThere(kSourcesFile)};
  for (std::size_t i = 0; i < input.points.rows(); ++i) {
    SweepRun run;
    run.platform = input.points.texts("platform")[i];
    run.workload = input.points.texts("workload")[i];
    run.sets = settingsIn(input.points.texts("changes")[i]);
    for (std::string& setting : settingsIn(input.points.texts("parameters")[i])) {
      if (setting.rfind(kHash, 0) == 0) {
        run.softwareHash = setting.substr(std::string(kHash).size());
      } else {
        run.parameters.push_back(std::move(setting));
      }
    }
    input.runs.emplace_back(std::move(run));
  }
  return input;
}

}  // namespace

ReportInput readReportInput(const fs::path& folder) {
  std::error_code unknown;
  if (!fs::is_directory(folder, unknown))
    refuse("'{}' is no folder; expected that of a sweep, or of 'fermata run --out'",
           folder.string());
  const bool sweep = isFile(folder / "plan.csv");
  if (!sweep && !isFile(folder / "runs.csv"))
    refuse(
        "'{}' has neither plan.csv (a sweep) nor runs.csv (of 'fermata run --out'); expected one "
        "of them",
        folder.string());
  ReportInput input = sweep ? readSweepFolder(folder) : readRunFolder(folder);
  input.name = nameOf(folder);
  if (input.points.rows() == 0)
    refuse({input.points.file(), 1, 0}, "no row; expected a run or more");
  return input;
}

}  // namespace fermata::platforms
