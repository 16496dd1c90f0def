#include <fermata/platforms/program/study/study_run.h>

#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <map>
#include <utility>

#include <fermata/models/probe/sharing.h>
#include <fermata/models/search/conflict_count.h>
#include <fermata/models/search/search.h>
#include <fermata/models/transaction/warp_access.h>
#include <fermata/platforms/compose/parameters.h>
#include <fermata/platforms/energy/platform_prices.h>
#include <fermata/platforms/program/child_processes.h>
#include <fermata/platforms/program/run_workloads.h>
#include <fermata/platforms/program/search/access_collection.h>
#include <fermata/platforms/program/study/study_accesses.h>
#include <fermata/platforms/program/study/study_text.h>
#include <fermata/results/progress.h>
#include <fermata/stimuli/refuse.h>

namespace fermata::platforms {

namespace {

bool isFor(const StudyVariant& variant, const StudyWorkload& workload) {
  const auto& only = variant.workloads;
  return only.empty() || std::find(only.begin(), only.end(), workload.label) != only.end();
}

/// Accesses of one workload, collected once for all variants that change neither the platform nor
/// the parameters.
class VariantAccesses {
 public:
  explicit VariantAccesses(const StudyWorkload& workload) : workload_(workload) {}

  const StudyAccesses& of(const StudyVariant& variant) {
    const auto key = std::make_pair(variant.sets, variant.parameters);
    const auto known = accesses_.find(key);
    if (known != accesses_.end()) return known->second;
    try {
      return accesses_.emplace(key, studyAccesses(workload_, variant)).first->second;
    } catch (const InputError& error) {
      if (variant.sets.empty() && variant.parameters.empty()) throw;
      refuse(variant.where, "{}: {}", workload_.label, error.what());
    }
  }

 private:
  const StudyWorkload& workload_;
  std::map<std::pair<std::vector<std::string>, Parameters>, StudyAccesses> accesses_;
};

bool searches(const StudyVariant& variant) {
  return variant.search || variant.lockSearch;
}

search::Found find(const SearchChoice& choice, const search::AccessSets& sets,
                   const indexing::Shape& shape) {
  return search::search(choice.mappingClass, choice.method, {sets, shape});
}

/// Runs the searches of one workload; returns one line per variant: mapping and conflicts left.
/// Called in a child.
std::string searchOne(const Study& study, const StudyWorkload& workload) {
  VariantAccesses accessesOf(workload);
  std::string lines;
  for (std::size_t v = 0; v < study.variants.size(); ++v) {
    const StudyVariant& variant = study.variants[v];
    if (!isFor(variant, workload)) continue;
    if (!searches(variant) && study.kind == Study::Kind::Runs) continue;
    const StudyAccesses& accesses = accessesOf.of(variant);
    const search::AccessSets& sets = accesses.collected.sets;
    std::string mapping = variant.mapping;
    std::uint64_t conflicts = 0;
    if (variant.search) {
      const search::Found found = find(*variant.search, sets, accesses.shape);
      mapping = found.mapping;
      conflicts = sets.whole(found.after);
    } else {
      conflicts = accesses.conflicts(mapping);
    }
    std::string locks;
    if (variant.lockSearch) locks = find(*variant.lockSearch, sets, accesses.lockShape).mapping;
    lines += fmt::format("{}\t{}\t{}\t{}\t{}\t{}\n", v, mapping, locks, conflicts, sets.accesses(),
                         sets.sampled() ? 1 : 0);
  }
  return lines;
}

/// Runs the searches of every workload for which a variant asks.
StudyCells searchAll(const Study& study, const StudyProgress& progress) {
  StudyCells cells(study.workloads.size());
  std::vector<ChildTask> tasks;
  std::vector<std::size_t> rows;
  for (std::size_t w = 0; w < study.workloads.size(); ++w) {
    const StudyWorkload& workload = study.workloads[w];
    cells[w].resize(study.variants.size());
    const bool asked =
        study.kind == Study::Kind::Searches ||
        std::any_of(study.variants.begin(), study.variants.end(), [&](const StudyVariant& variant) {
          return searches(variant) && isFor(variant, workload);
        });
    if (!asked) continue;
    rows.push_back(w);
    tasks.push_back([&study, &workload] { return searchOne(study, workload); });
  }
  const auto found =
      runInChildren(tasks, 0, [&](std::size_t done) { progress("searches", done, tasks.size()); });
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (const std::string& line : split(found[i], '\n')) {
      const auto fields = split(line, '\t');
      StudyCell cell;
      cell.mapping = fields.at(1);
      cell.locks = fields.at(2);
      cell.conflicts = std::stod(fields.at(3));
      cell.accesses = std::stod(fields.at(4));
      cell.estimate = fields.at(5) == "1";
      cell.baseline = study.variants[std::stoul(fields.at(0))].baseline;
      cells[rows[i]][std::stoul(fields.at(0))] = cell;
    }
  }
  return cells;
}

std::vector<std::string> assignments(const StudyWorkload& workload, const StudyVariant& variant,
                                     const Parameters& run) {
  Parameters all = workload.parameters;
  for (const auto& [name, value] : run) all[name] = value;
  for (const auto& [name, value] : variant.parameters) all[name] = value;
  std::vector<std::string> out;
  for (const auto& [name, value] : all) out.push_back(name + "=" + value);
  return out;
}

/// A column of runs.csv and its figure in a cell. If the platform lacks the part, a CellColumn
/// gives 0 and a PartColumn gives nothing.
struct CellColumn {
  const char* name;
  double StudyCell::*figure;
};
struct PartColumn {
  const char* name;
  std::optional<double> StudyCell::*figure;
};
constexpr CellColumn kColumns[] = {{"shared_accesses", &StudyCell::accesses},
                                   {"wavefronts_excessive", &StudyCell::conflicts},
                                   {"cycles", &StudyCell::cycles},
                                   {"warp_instructions", &StudyCell::warpInstructions},
                                   {"global_accesses", &StudyCell::globalAccesses},
                                   {"l1_bank_conflict_cycles", &StudyCell::l1Conflicts},
                                   {"replays", &StudyCell::replays},
                                   {"squashes", &StudyCell::squashes},
                                   {"max_passes", &StudyCell::maxDegree},
                                   {"atomic_rounds", &StudyCell::atomicRounds},
                                   {"lock_tries", &StudyCell::lockTries},
                                   {"lock_failures_position", &StudyCell::lockFailuresPosition},
                                   {"lock_failures_alias", &StudyCell::lockFailuresAlias},
                                   {"lock_failures_other_warp", &StudyCell::lockFailuresOtherWarp},
                                   {"wavefronts", &StudyCell::wavefronts},
                                   {"wavefronts_ideal", &StudyCell::wavefrontsIdeal},
                                   {"thread_instructions", &StudyCell::threadInstructions}};
constexpr PartColumn kPartColumns[] = {{"stall_bank_conflict", &StudyCell::stallBankConflict},
                                       {"stall_schedule_fail", &StudyCell::stallScheduleFail},
                                       {"stall_writeback", &StudyCell::stallWriteback},
                                       {"history_hits", &StudyCell::historyHits},
                                       {"history_misses", &StudyCell::historyMisses},
                                       {"history_wrong", &StudyCell::historyWrong}};
constexpr CellColumn kSharingColumns[] = {{"vector_broadcasts", &StudyCell::vectorBroadcasts},
                                          {"warp_broadcasts", &StudyCell::warpBroadcasts},
                                          {"lane_broadcasts", &StudyCell::laneBroadcasts},
                                          {"scatters", &StudyCell::scatters}};

/// Counts active lanes of shared accesses.
class SharedThreads : public Probe {
 public:
  unsigned events() const override { return SharedAccesses; }
  void sharedAccess(const WarpAccess& access) override {
    threads_ += laneCount(access.instruction.active);
  }
  double threads() const { return static_cast<double>(threads_); }

 private:
  std::uint64_t threads_ = 0;
};

void add(double& sum, const std::optional<std::uint64_t>& figure) {
  sum += static_cast<double>(figure.value_or(0));
}

void add(std::optional<double>& sum, const std::optional<std::uint64_t>& figure) {
  if (figure) sum = sum.value_or(0) + static_cast<double>(*figure);
}

/// Formats a field of a line; empty if there is no figure.
std::string field(const std::optional<double>& sum, double runs) {
  return sum ? fmt::format("{}\t", *sum / runs) : "\t";
}

void setField(double& figure, const std::string& field) {
  figure = std::stod(field);
}

void setField(std::optional<double>& figure, const std::string& field) {
  if (!field.empty()) figure = std::stod(field);
}

/// Calls `visit(column)` for each column that the study needs.
template <class Visit>
void forEachColumn(const Study& study, Visit visit) {
  for (const CellColumn& column : kColumns) visit(column);
  for (const PartColumn& column : kPartColumns) visit(column);
  if (!study.countsSharing()) return;
  for (const CellColumn& column : kSharingColumns) visit(column);
}

/// Returns the subwarps per warp in a pipeline of stages; nothing for other pipelines.
std::optional<double> subwarps(const Configuration& configuration) {
  const auto& issue = configuration.parameters().core.issue;
  if (!isStaged(issue.pipelines.organisation)) return {};
  return issue.inOrder.stages.subwarps();
}

/// Runs one workload under one variant and sums up its runs; returns the columns in order. Called
/// in a child.
std::string runOne(const Study& study, const StudyWorkload& workload, const StudyVariant& variant,
                   const std::string& mapping, const std::string& locks, Connector* connector) {
  RunRequest request;
  request.connector = connector;
  request.platform = workload.platform;
  request.sets = variant.sets;
  if (!mapping.empty()) {
    if (variant.software)
      request.softwareHash = mapping;
    else
      request.sets.push_back("scratchpad.indexer=" + mapping);
  }
  if (!locks.empty()) request.sets.push_back("lock.indexer=" + locks);
  const std::vector<Parameters> runs =
      workload.runs.empty() ? std::vector<Parameters>{{}} : workload.runs;
  for (const Parameters& run : runs) {
    request.jobs.push_back({workload.name, assignments(workload, variant, run)});
  }
  RunTables tables;
  SharingCounters sharing;
  if (study.countsSharing()) {
    request.listeners.push_back(&sharing);
    tables.runs.add(SharingCounters::figures(),
                    [&](const RunOutcome&) { return &sharing.counts().totals(); });
  }
  SharedThreads threads;
  if (study.countsThreads()) request.listeners.push_back(&threads);
  StudyCell sum;
  if (!study.power.empty()) {
    request.energy = {openPriceTable(study.power), 0};
    sum.energy.emplace();
  }
  const Configuration configuration = configure(request);
  const auto done = [&](const results::RunRecord& record, const RunOutcome& outcome,
                        const OpenWorkload&) {
    forEachColumn(study, [&](const auto& column) {
      add(sum.*column.figure, record.run.integer(column.name));
    });
    sharing.reset();
    if (!sum.energy) return;
    requirePrices(request.energy->prices, *outcome.energy, workload.label);
    sum.energy->add(*outcome.energy, outcome.sms);
  };
  runQuietly(request, configuration, tables, done);
  const auto count = static_cast<double>(runs.size());
  if (sum.energy) sum.energy->average(count);
  std::string line = field(subwarps(configuration), 1) + field(threads.threads(), count) +
                     (sum.energy ? sum.energy->text() : "") + '\t';
  forEachColumn(study, [&](const auto& column) { line += field(sum.*column.figure, count); });
  return line;
}

void runAll(const Study& study, StudyCells& cells, const StudyProgress& progress,
            Connector* connector) {
  std::vector<ChildTask> tasks;
  std::vector<std::pair<std::size_t, std::size_t>> places;
  for (std::size_t w = 0; w < study.workloads.size(); ++w) {
    for (std::size_t v = 0; v < study.variants.size(); ++v) {
      const StudyWorkload& workload = study.workloads[w];
      const StudyVariant& variant = study.variants[v];
      if (!isFor(variant, workload)) continue;
      if (!cells[w][v]) cells[w][v].emplace().mapping = variant.mapping;
      cells[w][v]->baseline = variant.baseline;
      const StudyCell& cell = *cells[w][v];
      places.emplace_back(w, v);
      tasks.push_back([&study, &workload, &variant, &cell, connector] {
        try {
          return runOne(study, workload, variant, cell.mapping, cell.locks, connector);
        } catch (const InputError& error) {
          refuse(variant.where, "{}: {}", workload.label, error.what());
        }
      });
    }
  }
  const auto figures =
      runInChildren(tasks, 0, [&](std::size_t done) { progress("runs", done, tasks.size()); });
  for (std::size_t i = 0; i < places.size(); ++i) {
    const auto fields = split(figures[i], '\t');
    StudyCell& cell = *cells[places[i].first][places[i].second];
    cell.estimate = false;
    std::size_t at = 0;
    setField(cell.subwarps, fields.at(at++));
    setField(cell.sharedThreads, fields.at(at++));
    if (const std::string& energy = fields.at(at++); !energy.empty())
      cell.energy = StudyEnergy::parse(energy);
    forEachColumn(study,
                  [&](const auto& column) { setField(cell.*column.figure, fields.at(at++)); });
    cell.cycles -= study.variants[places[i].second].less;
    cell.cycles *= static_cast<double>(study.time.perCycle);
  }
}

}  // namespace

StudyCells runStudy(const Study& study, const StudyProgress& progress, Connector* connector) {
  if (study.variants.empty() || study.workloads.empty())
    refuse("{}: no workload or no variant; expected one of each or more", study.name);
  StudyCells cells = searchAll(study, progress);
  if (study.kind == Study::Kind::Runs) runAll(study, cells, progress, connector);
  return cells;
}

}  // namespace fermata::platforms
