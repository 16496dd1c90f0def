#include <fermata/platforms/program/report/report_data.h>

#include <fermata/platforms/program/report/report_bounds.h>
#include <fermata/platforms/program/report/report_columns.h>
#include <fermata/platforms/program/report/report_front.h>
#include <fermata/platforms/program/report/report_references.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

namespace fermata::platforms {

namespace {

using nlohmann::ordered_json;

constexpr const char* kParameterAxis = "param.";

bool saysTheWork(const std::string& axis) {
  return axis == "workload" || axis == "seed" || axis.rfind(kParameterAxis, 0) == 0;
}

bool varies(const std::vector<std::string>& values) {
  return std::any_of(values.begin(), values.end(),
                     [&](const std::string& value) { return value != values.front(); });
}

bool anyOf(const std::vector<double>& values) {
  return std::any_of(values.begin(), values.end(), [](double value) { return !std::isnan(value); });
}

/// Groups of comparable points: a kernel with its parameters.
struct Works {
  std::vector<std::string> names;
  std::vector<std::size_t> of;
};

/// Returns the name of a row in a folder of runs: the kernel of a program's launch; otherwise the
/// workload, with parameters if rows of the workload differ in them.
std::string runName(const ReportTable& runs, std::size_t row) {
  if (runs.has("kernel")) return runs.texts("kernel")[row];
  const std::vector<std::string>& workloads = runs.texts("workload");
  const std::vector<std::string>& parameters = runs.texts("parameters");
  for (std::size_t i = 0; i < runs.rows(); ++i) {
    if (workloads[i] == workloads[row] && parameters[i] != parameters[row])
      return workloads[row] + ' ' + parameters[row];
  }
  return workloads[row];
}

std::string workName(const ReportInput& input, std::size_t row) {
  if (!input.sweep) return runName(input.points, row);
  std::string name;
  for (const AxisColumn& axis : input.axes) {
    if (axis.name == "workload") name = axis.values[row] + name;
    if (axis.name != "workload" && saysTheWork(axis.name) && varies(axis.values))
      name += fmt::format(" {}={}", axis.name == "seed" ? axis.name : axis.name.substr(6),
                          axis.values[row]);
  }
  return name;
}

Works worksOf(const ReportInput& input) {
  Works works;
  std::map<std::string, std::size_t> known;
  for (std::size_t i = 0; i < input.points.rows(); ++i) {
    std::string name = workName(input, i);
    const auto [at, isNew] = known.try_emplace(name, works.names.size());
    if (isNew) works.names.push_back(std::move(name));
    works.of.push_back(at->second);
  }
  return works;
}

std::vector<double> energyOf(const ReportInput& input) {
  if (input.points.has("energy_nj")) return input.points.numbers("energy_nj");
  return std::vector<double>(input.points.rows(), std::numeric_limits<double>::quiet_NaN());
}

ordered_json effectsJson(const std::vector<AxisEffect>& effects) {
  ordered_json all = ordered_json::array();
  for (const AxisEffect& effect : effects) {
    ordered_json values = ordered_json::array();
    for (const AxisValue& value : effect.values) {
      values.push_back({{"value", value.value},
                        {"points", value.points},
                        {"mean", jsonNumber(value.mean)},
                        {"least", jsonNumber(value.least)},
                        {"most", jsonNumber(value.most)},
                        {"best", value.best}});
    }
    all.push_back({{"name", effect.name},
                   {"range", jsonNumber(effect.range())},
                   {"values", std::move(values)}});
  }
  return all;
}

/// Judges axes over cycles and energy. The kernel is not an axis: kernels do different work, so
/// their ratio says nothing.
ordered_json axesJson(const ReportInput& input, const std::vector<double>& cycles,
                      const std::vector<double>& energy) {
  const auto judged = [&](const std::vector<double>& figure) {
    std::vector<AxisEffect> effects = axisEffects(input.axes, figure);
    effects.erase(std::remove_if(effects.begin(), effects.end(),
                                 [](const AxisEffect& one) {
                                   return one.name == "workload" || one.name == "seed";
                                 }),
                  effects.end());
    return effectsJson(effects);
  };
  ordered_json axes{{"cycles", judged(cycles)}};
  if (anyOf(energy)) axes["energy"] = judged(energy);
  return axes;
}

std::vector<double> picked(const std::vector<double>& values,
                           const std::vector<std::size_t>& rows) {
  std::vector<double> out;
  for (const std::size_t row : rows) out.push_back(values[row]);
  return out;
}

ordered_json plainNumbers(const std::vector<double>& values) {
  ordered_json out = ordered_json::array();
  for (const double value : values) out.push_back(jsonNumber(value));
  return out;
}

/// Returns a front over the objectives that exist. Rows of a kernel follow from its number.
ordered_json frontJson(const std::string& name, bool relative, const std::vector<std::size_t>& rows,
                       const std::vector<double>& cycles, const std::vector<double>& energy,
                       const std::vector<double>& gates) {
  std::vector<std::vector<double>> objectives{cycles};
  if (anyOf(energy)) objectives.push_back(energy);
  if (anyOf(gates)) objectives.push_back(gates);
  ordered_json json{{"name", name}, {"relative", relative}, {"front", paretoFront(objectives)}};
  if (relative) {
    json["rows"] = rows;
    json["cycles"] = plainNumbers(cycles);
    json["energy"] = plainNumbers(energy);
    json["gates"] = plainNumbers(gates);
  }
  return json;
}

ordered_json frontsJson(const ReportInput& input, const Works& works,
                        const std::vector<double>& cycles, const std::vector<double>& energy,
                        const std::vector<double>& gates) {
  ordered_json fronts = ordered_json::array();
  if (works.names.size() > 1 && input.sweep) {
    std::vector<AxisColumn> rest;
    for (const AxisColumn& axis : input.axes) {
      if (!saysTheWork(axis.name)) rest.push_back(axis);
    }
    const Configurations all = overWorks(works.of, works.names.size(), rest, cycles, energy);
    if (!all.rows.empty())
      fronts.push_back(frontJson("all kernels", true, all.rows, all.cycles, all.energy,
                                 picked(gates, all.rows)));
  }
  for (std::size_t work = 0; work < works.names.size(); ++work) {
    std::vector<std::size_t> rows;
    for (std::size_t i = 0; i < works.of.size(); ++i) {
      if (works.of[i] == work) rows.push_back(i);
    }
    fronts.push_back(frontJson(works.names[work], false, rows, picked(cycles, rows),
                               picked(energy, rows), picked(gates, rows)));
  }
  return fronts;
}

/// Returns conflicts by kernel and mapping, aggregated over all other axes.
ordered_json conflictsJson(const ReportInput& input, const Works& works) {
  const ReportTable& points = input.points;
  const auto wavefronts = points.counts("wavefronts");
  const auto excessive = points.counts("wavefronts_excessive");
  const std::vector<std::string>& indexers = points.texts("indexer");
  std::vector<std::string> mappings;
  for (const std::string& text : indexers) {
    if (std::find(mappings.begin(), mappings.end(), text) == mappings.end())
      mappings.push_back(text);
  }
  struct Sum {
    double points = 0, wavefronts = 0, excessive = 0;
  };
  std::vector<std::vector<Sum>> sums(works.names.size(), std::vector<Sum>(mappings.size()));
  for (std::size_t i = 0; i < points.rows(); ++i) {
    const auto column = std::find(mappings.begin(), mappings.end(), indexers[i]) - mappings.begin();
    Sum& sum = sums[works.of[i]][static_cast<std::size_t>(column)];
    ++sum.points;
    sum.wavefronts += wavefronts[i];
    sum.excessive += excessive[i];
  }
  ordered_json percent = ordered_json::array();
  ordered_json cycles = ordered_json::array();
  for (const auto& kernel : sums) {
    std::vector<double> shares;
    std::vector<double> means;
    for (const Sum& sum : kernel) {  // no wavefronts: 0 percent; no point: unknown
      shares.push_back(sum.points == 0 ? std::numeric_limits<double>::quiet_NaN()
                                       : 100 * sum.excessive / std::max(1.0, sum.wavefronts));
      means.push_back(sum.points == 0 ? std::numeric_limits<double>::quiet_NaN()
                                      : sum.excessive / sum.points);
    }
    percent.push_back(plainNumbers(shares));
    cycles.push_back(plainNumbers(means));
  }
  return {{"kernels", works.names},
          {"mappings", mappings},
          {"percent", std::move(percent)},
          {"cycles", std::move(cycles)}};
}

ordered_json accessJson(const ReportAccess& access) {
  ordered_json lane, bank, word, group, pile;
  for (const ReportLane& one : access.lanes) {
    lane.push_back(one.lane);
    bank.push_back(one.bank);
    word.push_back(one.word);
    group.push_back(one.group);
    pile.push_back(one.pile);
  }
  return {{"place", access.place},
          {"source", access.source},
          {"opcode", access.opcode},
          {"degree", access.degree},
          {"passes", access.passes},
          {"ideal", access.ideal},
          {"banks", access.banks},
          {"conflict_cycles", access.conflictCycles},
          {"lane", lane},
          {"bank", bank},
          {"word", word},
          {"group", group},
          {"pile", pile}};
}

ordered_json detailJson(const ReportInput& input, const RunDetail& detail) {
  ordered_json lines = ordered_json::array();
  for (const ReportLine& line : detail.lines) {
    lines.push_back({{"place", line.place},
                     {"source", line.source},
                     {"opcode", line.opcode},
                     {"accesses", line.accesses},
                     {"wavefronts", line.wavefronts},
                     {"ideal", line.ideal},
                     {"conflict_cycles", line.conflictCycles},
                     {"passes", line.passes}});
  }
  ordered_json accesses = ordered_json::array();
  for (const ReportAccess& access : detail.accesses) accesses.push_back(accessJson(access));
  return {{"row", detail.row},
          {"label", runLabel(input, detail.row)},
          {"banks", plainNumbers(detail.banks)},
          {"lines", std::move(lines)},
          {"accesses", std::move(accesses)},
          {"note", detail.note},
          {"source_note", detail.sourceNote}};
}

ordered_json failedJson(const ReportInput& input) {
  if (!input.failed) return nullptr;
  ordered_json columns = ordered_json::array();
  for (const ReportColumn& column : input.failed->columns()) {
    ordered_json one{
        {"name", column.name}, {"title", column.name}, {"unit", ""}, {"description", ""}};
    one.update(jsonCells(column.cells));
    columns.push_back(std::move(one));
  }
  return {{"rows", input.failed->rows()}, {"columns", std::move(columns)}};
}

ordered_json energyJson(const ReportInput& input) {
  if (!input.files || !input.files->energy) return nullptr;
  const ReportTable& table = *input.files->energy;
  const auto values = table.numbers("energy_nominal_fj");
  std::map<std::pair<std::string, std::string>, double> sums;
  std::vector<std::pair<std::string, std::string>> order;
  for (std::size_t i = 0; i < table.rows(); ++i) {
    if (std::isnan(values[i])) continue;
    const std::pair<std::string, std::string> key{table.texts("workload")[i],
                                                  table.texts("component")[i]};
    if (sums.emplace(key, 0).second) order.push_back(key);
    sums[key] += values[i];
  }
  ordered_json rows = ordered_json::array();
  for (const auto& key : order)
    rows.push_back(
        {{"run", key.first}, {"component", key.second}, {"nj", jsonNumber(sums[key] * 1e-6)}});
  return rows;
}

ordered_json missingJson(const ReportInput& input, const std::vector<double>& energy,
                         const MappingGates& gates) {
  ordered_json missing{{"energy", nullptr}, {"gates", nullptr}};
  if (!anyOf(energy))
    missing["energy"] = input.sweep ? "the sweep has no prices (prices = \"fermi-40nm\" in [base])"
                                    : "the run has no prices (--power fermi-40nm)";
  if (!gates.unknown.empty()) missing["gates"] = fmt::format("{}", gates.unknown.front());
  return missing;
}

}  // namespace

std::string runLabel(const ReportInput& input, std::size_t row) {
  const ReportTable& points = input.points;
  const std::string launch =
      points.has("launch") ? " (launch " + points.texts("launch")[row] + ')' : std::string();
  return workName(input, row) + launch + ", " + points.texts("indexer")[row];
}

ordered_json reportData(const ReportInput& input, const MappingGates& gates,
                        const std::vector<RunDetail>& details) {
  const auto cycles = input.points.counts("cycles");
  const auto energy = energyOf(input);
  const Works works = worksOf(input);
  JsonColumns columns = pointColumns(input, gates);
  ordered_json data{{"name", input.name},
                    {"description", input.description},
                    {"kind", input.sweep ? "sweep" : "run"},
                    {"points", input.points.rows()},
                    {"planned", input.sweep ? input.planned : input.points.rows()},
                    {"columns", std::move(columns.columns)},
                    {"same", std::move(columns.same)},
                    {"bounds", boundsJson(input)},
                    {"references", referencesJson(input)},
                    {"axes", axesJson(input, cycles, energy)},
                    {"works", {{"names", works.names}, {"codes", works.of}}},
                    {"fronts", frontsJson(input, works, cycles, energy, gates.gates)},
                    {"conflicts", conflictsJson(input, works)},
                    {"energy", energyJson(input)},
                    {"failed", failedJson(input)},
                    {"missing", missingJson(input, energy, gates)}};
  data["details"] = ordered_json::array();
  for (const RunDetail& detail : details) data["details"].push_back(detailJson(input, detail));
  return data;
}

}  // namespace fermata::platforms
