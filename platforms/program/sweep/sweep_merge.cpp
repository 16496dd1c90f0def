#include <fermata/platforms/program/sweep/sweep_merge.h>

#include <fermata/platforms/compose/run_tables.h>
#include <fermata/results/csv.h>
#include <fermata/results/files/output_set.h>
#include <fermata/results/identity.h>
#include <fermata/results/writers.h>
#include <fermata/stimuli/refuse.h>

#include <fmt/format.h>

namespace fermata::platforms {

namespace {

/// Returns the columns that a run's row does not have already.
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

/// Returns the schema of runs.csv, in the form of every schema.csv.
std::string mergedSchema(const SweepPlan& plan, const std::vector<std::size_t>& own,
                         const results::Schema& schema) {
  std::vector<results::Column> columns{
      {"point", results::ColumnType::Integer, "", "number of the point in plan.csv"}};
  for (const std::size_t i : own)
    columns.push_back({plan.columns[i], results::ColumnType::Text, "", "axis of the sweep"});
  for (const results::Column& column : results::identityColumns()) columns.push_back(column);
  for (const results::Column& column : *schema.runs) columns.push_back(column);
  return results::schemaHeader() + results::schemaRows("runs.csv", columns) +
         results::schemaVersionRow();
}

void countPoint(const SweepStore& store, const SweepPoint& point, SweepStore::State state,
                SweepStatus& status) {
  ++status.points;
  if (state == SweepStore::State::Done) ++status.done;
  if (state == SweepStore::State::Failed && status.failed++ == 0) {
    const std::string why = store.failure(point.key);
    status.firstFailure = why.substr(0, why.find('\n'));
  }
  if (state == SweepStore::State::Damaged && status.damaged++ == 0)
    status.firstDamaged = store.damagedFile(point.key).string();
}

void requireAll(const SweepStatus& status, const SweepStore& store) {
  if (status.missing() == 0) return;
  const std::string damaged = status.damaged == 0
                                  ? ""
                                  : fmt::format(
                                        ", {} of them a damaged file (first {}: its SHA-256 is "
                                        "another than its last line says)",
                                        status.damaged, status.firstDamaged);
  refuse(
      "{} of {} points have no result yet{}; expected 'fermata sweep run {}' first, or --partial",
      status.missing(), status.points, damaged, store.folder().string());
}

std::vector<std::size_t> allColumns(const SweepPlan& plan) {
  std::vector<std::size_t> all(plan.columns.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
  return all;
}

}  // namespace

SweepStatus statusOf(const SweepStore& store) {
  SweepStatus status;
  for (const SweepPoint& point : store.plan().points)
    countPoint(store, point, store.state(point.key), status);
  return status;
}

SweepStatus mergeSweep(const SweepStore& store, bool partial) {
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
  SweepStatus status;
  for (std::size_t i = 0; i < plan.points.size(); ++i) {
    const SweepPoint& point = plan.points[i];
    const SweepStore::State state = store.state(point.key);
    countPoint(store, point, state, status);
    switch (state) {
      case SweepStore::State::Missing:
      case SweepStore::State::Damaged:
        break;
      case SweepStore::State::Done:
        runs += std::to_string(i);
        appendFields(runs, point.values, own);
        runs += ',' + store.result(point.key);
        break;
      case SweepStore::State::Failed: {
        std::string message = store.failure(point.key);
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
  if (!partial) requireAll(status, store);
  files::OutputSet files;
  files.makeFolder(store.folder() / "merged");
  files.add(store.folder() / "merged" / "runs.csv").write(runs);
  files.add(store.folder() / "merged" / "failed.csv").write(failed);
  files.add(store.folder() / "merged" / "schema.csv").write(mergedSchema(plan, own, schema));
  files.commit();
  return status;
}

}  // namespace fermata::platforms
