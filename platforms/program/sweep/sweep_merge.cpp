#include <fermata/platforms/program/sweep/sweep_merge.h>

#include <fermata/files/output_set.h>
#include <fermata/platforms/compose/run_tables.h>
#include <fermata/results/csv.h>
#include <fermata/results/identity.h>
#include <fermata/results/writers.h>

#include <fmt/format.h>

namespace fermata::platforms {

namespace {

/// Those that the row of a run does not have already.
std::vector<std::size_t> ownColumns(const SweepPlan& plan) {
  std::vector<std::size_t> own;
  for (std::size_t i = 0; i < plan.columns.size(); ++i) {
    if (plan.columns[i] != "workload" && plan.columns[i] != "platform") own.push_back(i);
  }
  return own;
}

void appendFields(std::string& line, const std::vector<std::string>& values,
                  const std::vector<std::size_t>& columns) {
  for (const std::size_t column : columns) {
    line += ',';
    results::appendField(line, values[column]);
  }
}

/// Of runs.csv, in the form of every schema.csv.
std::string mergedSchema(const SweepPlan& plan, const std::vector<std::size_t>& own,
                         const results::Schema& schema) {
  std::vector<results::Column> columns{
      {"point", results::ColumnType::Integer, "", "number of the point in plan.csv"}};
  for (const std::size_t i : own)
    columns.push_back({plan.columns[i], results::ColumnType::Text, "", "axis of the sweep"});
  for (const results::Column& column : results::identityColumns()) columns.push_back(column);
  for (const results::Column& column : *schema.runs) columns.push_back(column);
  return results::schemaHeader() + results::schemaRows("runs.csv", columns);
}

std::vector<std::size_t> allColumns(const SweepPlan& plan) {
  std::vector<std::size_t> all(plan.columns.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
  return all;
}

}  // namespace

SweepStatus statusOf(const SweepStore& store) {
  SweepStatus status;
  status.points = store.plan().points.size();
  for (const SweepPoint& point : store.plan().points) {
    const SweepStore::State state = store.state(point);
    if (state == SweepStore::State::Done) ++status.done;
    if (state == SweepStore::State::Failed) ++status.failed;
  }
  return status;
}

void mergeSweep(const SweepStore& store, bool partial) {
  store.collectOrphans();
  const SweepPlan& plan = store.plan();
  const results::Schema schema = RunTables(false, plan.booksEnergy()).schema();
  const std::vector<std::size_t> own = ownColumns(plan);
  const std::vector<std::size_t> all = allColumns(plan);
  std::string runs = "point";
  appendFields(runs, plan.columns, own);
  runs += ',' + results::tableHeader(*schema.runs);
  std::string failed = "point";
  appendFields(failed, plan.columns, all);
  failed += ",message\n";
  std::size_t missing = 0;
  for (std::size_t i = 0; i < plan.points.size(); ++i) {
    const SweepPoint& point = plan.points[i];
    switch (store.state(point)) {
      case SweepStore::State::Missing:
        ++missing;
        break;
      case SweepStore::State::Done:
        runs += std::to_string(i);
        appendFields(runs, point.values, own);
        runs += ',' + store.result(point);
        break;
      case SweepStore::State::Failed: {
        std::string message = store.failure(point);
        message = message.substr(0, message.find('\n'));
        failed += std::to_string(i);
        appendFields(failed, point.values, all);
        failed += ',';
        results::appendField(failed, message);
        failed += '\n';
        break;
      }
    }
  }
  if (missing != 0 && !partial)
    throw InputError(
        fmt::format("{} of {} points have no result yet; expected 'fermata sweep run "
                    "{}' first, or --partial",
                    missing, plan.points.size(), store.folder().string()));
  files::OutputSet files;
  files.makeFolder(store.folder() / "merged");
  files.add(store.folder() / "merged" / "runs.csv").write(runs);
  files.add(store.folder() / "merged" / "failed.csv").write(failed);
  files.add(store.folder() / "merged" / "schema.csv").write(mergedSchema(plan, own, schema));
  files.commit();
}

}  // namespace fermata::platforms
