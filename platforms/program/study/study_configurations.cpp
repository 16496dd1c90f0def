// A published table of mappings beside the choices of our searches on our kernels' accesses.
#include <fmt/format.h>

#include <algorithm>

#include <fermata/models/indexing/linear.h>
#include <fermata/models/search/givargis.h>
#include <fermata/models/search/minimum_imbalance.h>
#include <fermata/platforms/program/child_processes.h>
#include <fermata/platforms/program/study/claims.h>
#include <fermata/platforms/program/study/study_accesses.h>
#include <fermata/platforms/program/study/study_run.h>
#include <fermata/platforms/program/study/study_text.h>
#include <fermata/stimuli/refuse.h>

namespace fermata::platforms {

namespace {

using search::Feature;
using search::PublishedChoice;

/// A column of the published table, named CLASS.METHOD.
struct Column {
  std::size_t index = 0;
  std::string name;
  SearchChoice choice;
};

std::vector<Column> columnsOf(const PublishedTable& table) {
  std::vector<Column> columns;
  for (std::size_t i = 0; i < table.header.size(); ++i) {
    if (table.header[i].find('.') == std::string::npos) continue;
    columns.push_back({i, table.header[i], parseSearchChoice(table.header[i], {table.file, 1, 0})});
  }
  return columns;
}

/// Parses "bits 3,4,0" or "pairs 3,0^4" to features.
std::vector<Feature> featuresOf(const std::string& text, const std::string& file) {
  std::vector<Feature> features;
  const std::string list = text.substr(std::min(text.size(), text.find(' ') + 1));
  for (const std::string& piece : split(list, ',')) {
    Feature feature = 0;
    for (const std::string& bit : split(piece, '^')) {
      if (bit.empty() || bit.size() > 2 || bit.find_first_not_of("0123456789") != std::string::npos)
        refuse({file, 0, 0},
               "'{}' is no list of address bits; expected numbers as in 'pairs 3,0^4'", text);
      feature ^= Feature{1} << std::min(31, std::stoi(bit));
    }
    features.push_back(feature);
  }
  return features;
}

bool sameInAnotherOrder(const std::string& a, const std::string& b, const std::string& file) {
  auto x = featuresOf(a, file);
  auto y = featuresOf(b, file);
  std::sort(x.begin(), x.end());
  std::sort(y.begin(), y.end());
  return x == y;
}

/// Returns why a heuristic chose another configuration.
std::string heuristicVerdict(const StudyAccesses& accesses, const SearchChoice& choice,
                             const std::string& published, const std::string& file,
                             bool independent) {
  const unsigned n = accesses.count->addressBits();
  const bool pairs = choice.mappingClass == search::MappingClass::Pairs;
  const auto features = featuresOf(published, file);
  PublishedChoice compared;
  if (choice.method == search::Method::Givargis) {
    compared = comparePublished(search::Givargis(accesses.collected.sets, n),
                                pairs ? search::pairsByRow(n) : search::singleBits(n), features,
                                independent);
  } else {
    compared = comparePublished(search::MinimumImbalance(accesses.collected.sets, n),
                                pairs ? search::singlesThenPairs(n) : search::singleBits(n),
                                features, independent);
  }
  switch (compared.verdict) {
    case PublishedChoice::Verdict::Same:
      return "equal";
    case PublishedChoice::Verdict::Tie:
      return "tie";
    case PublishedChoice::Verdict::Accesses:
      return "accesses";
  }
  return "";
}

ConfigurationRow compareOne(const StudyAccesses& accesses, const Column& column,
                            const std::string& published, const std::string& file) {
  ConfigurationRow row;
  row.search = column.name;
  row.published = published;
  const search::Found found = search::search(column.choice.mappingClass, column.choice.method,
                                             {accesses.collected.sets, accesses.shape});
  row.ours = found.mapping;
  row.before = found.before;
  row.oursAfter = found.after;
  const bool heuristic = column.choice.method != search::Method::Exhaustive;
  try {
    row.publishedAfter = accesses.conflicts(published);
  } catch (const indexing::IndexingError& error) {
    // Dependent bits are a finding; anything else is a damaged table.
    const auto features = heuristic ? featuresOf(published, file) : std::vector<Feature>();
    if (search::rankOf(features) == features.size())
      refuse({file, 0, 0}, "'{}': {}", published, error.what());
    row.publishedLegal = false;
  }
  if (row.published == row.ours) {
    row.verdict = "equal";
  } else if (!row.publishedLegal) {
    const bool reached = heuristic && heuristicVerdict(accesses, column.choice, published, file,
                                                       false) != "accesses";
    row.verdict = reached ? "dependent, and what the unchecked heuristic may choose" : "dependent";
  } else if (heuristic && sameInAnotherOrder(row.published, row.ours, file)) {
    row.verdict = "order";
  } else if (heuristic) {
    row.verdict = heuristicVerdict(accesses, column.choice, published, file, true);
  } else {
    row.verdict = row.publishedAfter == row.oursAfter ? "tie" : "accesses";
  }
  return row;
}

/// Compares every column of one workload; returns one line per column. Called in a child.
std::string compareWorkload(const StudyWorkload& workload, const PublishedTable& table,
                            const std::vector<Column>& columns,
                            const std::vector<std::string>& published) {
  const StudyAccesses accesses = studyAccesses(workload);
  std::string lines;
  for (const Column& column : columns) {
    const ConfigurationRow row = compareOne(accesses, column, published[column.index], table.file);
    lines += fmt::format("{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\n", row.search, row.published, row.ours,
                         row.before, row.publishedAfter, row.oursAfter, row.publishedLegal ? 1 : 0,
                         row.verdict);
  }
  return lines;
}

std::vector<ConfigurationRow> rowsOf(const std::string& workload, const std::string& text) {
  std::vector<ConfigurationRow> rows;
  for (const std::string& line : split(text, '\n')) {
    const std::vector<std::string> fields = split(line, '\t');
    ConfigurationRow row;
    row.workload = workload;
    row.search = fields.at(0);
    row.published = fields.at(1);
    row.ours = fields.at(2);
    row.before = std::stoull(fields.at(3));
    row.publishedAfter = std::stoull(fields.at(4));
    row.oursAfter = std::stoull(fields.at(5));
    row.publishedLegal = fields.at(6) == "1";
    row.verdict = fields.at(7);
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace

std::vector<ConfigurationRow> compareConfigurations(const Study& study,
                                                    const StudyProgress& progress) {
  const PublishedTable table = readPublished(study.published);
  const std::vector<Column> columns = columnsOf(table);
  const std::size_t key = table.column("workload");
  std::vector<ChildTask> tasks;
  for (const StudyWorkload& workload : study.workloads) {
    const auto row = std::find_if(table.rows.begin(), table.rows.end(),
                                  [&](const auto& r) { return r[key] == workload.name; });
    if (row == table.rows.end())
      refuse(workload.where, "'{}' is not in {}; expected a workload of its first column",
             workload.name, study.published);
    tasks.push_back(
        [&, published = *row] { return compareWorkload(workload, table, columns, published); });
  }
  const auto found =
      runInChildren(tasks, 0, [&](std::size_t done) { progress("searches", done, tasks.size()); });
  std::vector<ConfigurationRow> rows;
  for (std::size_t i = 0; i < found.size(); ++i) {
    for (ConfigurationRow& row : rowsOf(study.workloads[i].label, found[i])) {
      rows.push_back(std::move(row));
    }
  }
  return rows;
}

}  // namespace fermata::platforms
