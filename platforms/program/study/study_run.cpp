#include <fermata/platforms/program/study/study_run.h>

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include <fermata/models/probe/sharing.h>
#include <fermata/models/transaction/warp_access.h>
#include <fermata/platforms/compose/parameters.h>
#include <fermata/platforms/energy/platform_prices.h>
#include <fermata/platforms/program/child_processes.h>
#include <fermata/platforms/program/run_workloads.h>
#include <fermata/platforms/program/study/study_pieces.h>
#include <fermata/platforms/program/study/study_text.h>
#include <fermata/stimuli/refuse.h>

namespace fermata::platforms {

namespace {

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

/// Counts the bytes that active lanes of global accesses ask for.
class GlobalBytes : public Probe {
 public:
  unsigned events() const override { return GlobalAccesses; }
  void globalAccess(const WarpAccess& access) override {
    const WarpInstruction& instruction = access.instruction;
    bytes_ += std::uint64_t{laneCount(instruction.active)} * instruction.bytesPerLane;
  }
  double bytes() const { return static_cast<double>(bytes_); }

 private:
  std::uint64_t bytes_ = 0;
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

/// Returns the runs of one workload under one variant.
RunRequest requestOf(const StudyWorkload& workload, const StudyVariant& variant,
                     const std::string& mapping, const std::string& locks) {
  RunRequest request;
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
  return request;
}

/// Sums up the runs of a request and returns the columns in order. Called in a child.
std::string runOne(const Study& study, const StudyWorkload& workload, RunRequest request) {
  RunTables tables;
  SharingCounters sharing;
  if (study.countsSharing()) {
    request.listeners.push_back(&sharing);
    tables.runs.add(SharingCounters::figures(),
                    [&](const RunOutcome&) { return &sharing.counts().totals(); });
  }
  SharedThreads threads;
  if (study.countsThreads()) request.listeners.push_back(&threads);
  GlobalBytes bytes;
  if (study.countsBytes()) request.listeners.push_back(&bytes);
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
  const auto count = static_cast<double>(request.jobs.size());
  if (sum.energy) sum.energy->average(count);
  std::string line = field(subwarps(configuration), 1) + field(threads.threads(), count) +
                     field(bytes.bytes(), count) +
                     field(configuration.parameters().clock.frequencyMhz, 1) +
                     (sum.energy ? sum.energy->text() : "") + '\t';
  forEachColumn(study, [&](const auto& column) { line += field(sum.*column.figure, count); });
  return line;
}

/// Returns what the result of runOne() depends on.
KeyedInputs runInputs(const Study& study, const RunRequest& request) {
  KeyedInputs inputs{
      "study run 2", request.platform, request.jobs.front().workload, study.power, {},
      request.sets};
  for (std::size_t i = 0; i < request.jobs.size(); ++i) {
    for (const std::string& parameter : request.jobs[i].parameters)
      inputs.parameters.push_back(fmt::format("{} {}", i, parameter));
  }
  inputs.settings.push_back("software hash " + request.softwareHash);
  inputs.settings.push_back(fmt::format("counts sharing {} threads {} bytes {}",
                                        study.countsSharing(), study.countsThreads(),
                                        study.countsBytes()));
  return inputs;
}

/// Returns KeyedWork::executes of a request: several runs do not share a recording.
std::string executes(const RunRequest& request) {
  if (request.jobs.size() != 1) return "";
  const Job& job = request.jobs.front();
  return fmt::format("{}\n{}\n{}", job.workload, request.softwareHash,
                     fmt::join(job.parameters, "\n"));
}

}  // namespace

bool isFor(const StudyVariant& variant, const StudyWorkload& workload) {
  const auto& only = variant.workloads;
  return only.empty() || std::find(only.begin(), only.end(), workload.label) != only.end();
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

std::vector<StudyPiece> runPieces(const Study& study, const StudyCells& cells,
                                  Connector* connector) {
  std::vector<StudyPiece> pieces;
  if (study.kind != Study::Kind::Runs) return pieces;
  for (std::size_t w = 0; w < study.workloads.size(); ++w) {
    for (std::size_t v = 0; v < study.variants.size(); ++v) {
      if (!cells[w][v]) continue;
      const StudyWorkload& workload = study.workloads[w];
      const StudyVariant& variant = study.variants[v];
      RunRequest request = requestOf(workload, variant, cells[w][v]->mapping, cells[w][v]->locks);
      request.connector = connector;
      StudyPiece piece{w, v, runInputs(study, request), executes(request), {}};
      piece.work = [&study, &workload, &variant,
                    request = std::move(request)](traces::MemoryTrace* trace) {
        try {
          RunRequest mine = request;
          mine.memory = trace;
          return runOne(study, workload, std::move(mine));
        } catch (const InputError& error) {
          refuse(variant.where, "{}: {}", workload.label, error.what());
        }
      };
      pieces.push_back(std::move(piece));
    }
  }
  return pieces;
}

void setRun(const Study& study, const StudyPiece& piece, const std::string& result,
            StudyCells& cells) {
  const auto fields = split(result, '\t');
  StudyCell& cell = *cells[piece.workload][piece.variant];
  cell.estimate = false;
  std::size_t at = 0;
  setField(cell.subwarps, fields.at(at++));
  setField(cell.sharedThreads, fields.at(at++));
  setField(cell.globalBytes, fields.at(at++));
  setField(cell.megahertz, fields.at(at++));
  if (const std::string& energy = fields.at(at++); !energy.empty())
    cell.energy = StudyEnergy::parse(energy);
  forEachColumn(study, [&](const auto& column) { setField(cell.*column.figure, fields.at(at++)); });
  cell.cycles -= study.variants[piece.variant].less;
  cell.cycles *= static_cast<double>(study.time.perCycle);
}

namespace {

/// Works on pieces of one study, in child processes, and enters their results.
template <class Enter>
void workOnPieces(const Study& study, const std::vector<StudyPiece>& pieces, const char* what,
                  const StudyProgress& progress, StudyCells& cells, Enter enter) {
  std::vector<ChildTask> tasks;
  for (const StudyPiece& piece : pieces) tasks.emplace_back([&] { return piece.work(nullptr); });
  const auto results =
      runInChildren(tasks, 0, [&](std::size_t done) { progress(what, done, tasks.size()); });
  for (std::size_t i = 0; i < pieces.size(); ++i) enter(study, pieces[i], results[i], cells);
}

}  // namespace

StudyCells runStudy(const Study& study, const StudyProgress& progress, Connector* connector) {
  StudyCells cells = emptyCells(study);
  workOnPieces(study, searchPieces(study), "searches", progress, cells, setSearches);
  workOnPieces(study, runPieces(study, cells, connector), "runs", progress, cells, setRun);
  return cells;
}

}  // namespace fermata::platforms
