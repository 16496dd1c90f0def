#include <fermata/platforms/program/report/report_rerun.h>

#include <fermata/platforms/compose/parameters.h>
#include <fermata/platforms/program/caught.h>
#include <fermata/platforms/program/child_processes.h>
#include <fermata/platforms/program/report/source_files.h>
#include <fermata/platforms/program/report/worst_accesses.h>
#include <fermata/platforms/program/sweep/sweep_work.h>
#include <fermata/results/writers.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <sstream>

namespace fermata::platforms {

namespace {

using nlohmann::json;

std::string tableText(const results::Columns& columns, const results::RunIdentity& identity,
                      const std::vector<results::Row>& rows) {
  return results::tableHeader(*columns) + results::rowsText(identity, rows);
}

/// Returns the run's tables as text, or an error. Called in a child.
std::string runAgain(const SweepRun& run, Connector* connector) {
  try {
    RunRequest request = requestOf(run, connector);
    request.sources = true;
    const Configuration configuration = configure(request);
    WorstAccesses worst(configuration.parameters().crossbar.groups);
    request.listeners.push_back(&worst);
    const RunTables tables;
    const results::Schema schema = tables.schema();
    json texts;
    runQuietly(
        request, configuration, tables,
        [&](const results::RunRecord& record, const RunOutcome&, const OpenWorkload& open) {
          results::ResultTexts rows(schema);
          rows.add(record);
          texts = {
              {"runs", results::tableHeader(*schema.runs) + rows.runs},
              {"instructions", results::tableHeader(*schema.instructions) + rows.instructions},
              {"banks", results::tableHeader(*schema.banks) + rows.banks},
              {"accesses",
               tableText(WorstAccesses::columns(), record.identity, worst.rows(*open.workload))},
              {"sources", tableText(sourceColumns(), record.identity, sourceRows(open.sources))}};
        });
    return texts.dump(-1, ' ', false, json::error_handler_t::replace);
  } catch (...) {
    return json{{"wrong", caught().what}}.dump(-1, ' ', false, json::error_handler_t::replace);
  }
}

ReportTable tableIn(const json& texts, const char* name) {
  return ReportTable::read(std::make_unique<std::istringstream>(texts.at(name).get<std::string>()),
                           std::string(name) + ".csv of the run again");
}

Rerun checked(const ReportInput& input, std::size_t row, const json& texts) {
  if (texts.contains("wrong")) return {{}, texts.at("wrong").get<std::string>()};
  RunFiles files{tableIn(texts, "runs"),     tableIn(texts, "instructions"),
                 tableIn(texts, "banks"),    {},
                 tableIn(texts, "accesses"), {},
                 tableIn(texts, "sources")};
  for (const char* const column : {"cycles", "warp_instructions", "wavefronts_excessive"}) {
    const std::string& now = files.runs.texts(column).at(0);
    const std::string& then = input.points.texts(column)[row];
    if (now != then)
      return {{},
              fmt::format("run again it has {} = {}, and {} in the table: the program or the "
                          "kernel is another by now",
                          column, now, then)};
  }
  return {std::move(files), ""};
}

}  // namespace

std::vector<Rerun> rerun(const ReportInput& input, const std::vector<std::size_t>& rows,
                         Connector* connector, results::Progress& progress) {
  std::vector<ChildTask> tasks;
  for (const std::size_t row : rows) {
    tasks.push_back([&input, row, connector] { return runAgain(input.runs[row], connector); });
  }
  std::vector<std::string> texts;
  try {
    texts = runInChildren(tasks, 0, [&](std::size_t done) {
      progress.update(done, tasks.size(), "runs of the worst points again");
    });
  } catch (const std::runtime_error& error) {  // a child died: the report goes on without it
    return std::vector<Rerun>(rows.size(), {{}, error.what()});
  }
  progress.finish();
  std::vector<Rerun> all;
  for (std::size_t i = 0; i < rows.size(); ++i)
    all.push_back(checked(input, rows[i], json::parse(texts[i])));
  return all;
}

}  // namespace fermata::platforms
