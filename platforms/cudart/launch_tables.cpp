#include <fermata/platforms/cudart/launch_tables.h>

#include <fermata/platforms/energy/energy_tables.h>
#include <fermata/results/writers.h>

#include <errno.h>
#include <fmt/format.h>

#include <utility>

namespace fermata::cudart {
namespace {

using platforms::InstructionRow;
using platforms::RunOutcome;

const Figures<LaunchFacts>& numberFigure() {
  static const Figures<LaunchFacts> all{
      {"launch", "", "number of the launch in the run, over all its programs, from 0",
       &LaunchFacts::launch}};
  return all;
}

constexpr const char* kRuns = "runs.csv";
constexpr const char* kInstructions = "instructions.csv";
constexpr const char* kBanks = "banks.csv";

}  // namespace

const Figures<LaunchFacts>& LaunchFacts::figures() {
  static const Figures<LaunchFacts> all{
      numberFigure().front(),
      {"kernel", "", "kernel that was launched", &LaunchFacts::kernel},
      {"grid", "", "CTAs of the grid in x, y and z, such as 64x8x1", &LaunchFacts::grid},
      {"block", "", "threads of a CTA in x, y and z, such as 16x16x1", &LaunchFacts::block},
      {"begin", "cycles",
       "cycle in which the launch began, counted over the launches of the program so far; a launch "
       "without time takes one per warp instruction. Launches of several streams overlap",
       &LaunchFacts::begin}};
  return all;
}

const Figures<LaunchFacts>& LaunchFacts::sampleFigures() {
  const auto half = [](exec::Sampled figure) {
    return [figure](const LaunchFacts& facts) { return facts.sample.half(figure); };
  };
  static const Figures<LaunchFacts> all{
      {"timed_ctas", "CTAs",
       "CTAs of the launch that were timed; with fewer than all, cycles and shared accesses are "
       "estimates",
       [](const LaunchFacts& facts) { return facts.sample.timedCtas; }},
      {"group", "",
       "number of the group of launches with equal counts, by its first launch; empty for a launch "
       "that is always timed",
       [](const LaunchFacts& facts) { return facts.sample.group; }},
      {"cycles_error", "cycles", "half the width of the 95 % interval of cycles",
       half(exec::Sampled::Cycles)},
      {"shared_accesses_error", "accesses",
       "half the width of the 95 % interval of shared_accesses",
       half(exec::Sampled::SharedAccesses)},
      {"wavefronts_excessive_error", "passes",
       "half the width of the 95 % interval of wavefronts_excessive",
       half(exec::Sampled::ConflictCycles)}};
  return all;
}

std::string dimensionsText(const ptx::Dim3& dimensions) {
  return fmt::format("{}x{}x{}", dimensions.x, dimensions.y, dimensions.z);
}

LaunchTables::LaunchTables(const platforms::Measurement& settings,
                           const platforms::Configuration& configuration,
                           std::unique_ptr<exec::TableSink> sink)
    : configuration_(configuration),
      books_(!settings.prices.empty()),
      accesses_(settings.accesses),
      sampled_(settings.sample),
      tables_(settings.timing, books_),
      program_(program_invocation_short_name),
      prices_(settings.prices),
      sink_(std::move(sink)) {
  tables_.runs.add(LaunchFacts::figures(), [this](const RunOutcome&) { return &facts_; });
  if (sampled_)
    tables_.runs.add(LaunchFacts::sampleFigures(), [this](const RunOutcome&) { return &facts_; });
  tables_.instructions.add(numberFigure(), [this](const InstructionRow&) { return &facts_; });
  tables_.banks.add(numberFigure(), [this](const platforms::BankRow&) { return &facts_; });
}

results::RunIdentity LaunchTables::identity(const LaunchFacts& facts) const {
  return {program_,
          {{"launch", std::to_string(facts.launch)}},
          configuration_.name(),
          configuration_.changes()};
}

void LaunchTables::open() {
  if (std::exchange(opened_, true)) return;
  results::Schema schema = tables_.schema();
  schema.others = {{platforms::kBoundFile, platforms::boundColumns()}};
  if (books_) {
    schema.others.push_back({platforms::kEnergyFile, platforms::energyColumns()});
    schema.others.push_back({platforms::kPowerFile, platforms::powerColumns()});
  }
  if (accesses_)
    schema.others.push_back({platforms::kAccessesFile, platforms::WorstAccesses::columns()});
  sink_->begin("schema.csv", results::schemaText(schema));
  sink_->begin(kRuns, results::tableHeader(*schema.runs));
  sink_->begin(kInstructions, results::tableHeader(*schema.instructions));
  sink_->begin(kBanks, results::tableHeader(*schema.banks));
  for (const auto& other : schema.others)
    sink_->begin(other.file, results::tableHeader(*other.columns));
}

void LaunchTables::append(const std::string& file, const results::RunIdentity& identity,
                          const std::vector<results::Row>& rows) {
  if (!rows.empty()) sink_->append(file, results::rowsText(identity, rows));
}

void LaunchTables::addEnergy(const results::RunIdentity& identity, const EnergyAccount& account) {
  append(platforms::kEnergyFile, identity, platforms::energyRows(account));
  std::vector<results::Row> rows;
  platforms::forEachPowerRow(account, [&](const results::Row& row) { rows.push_back(row); });
  append(platforms::kPowerFile, identity, rows);
  picture_.add(text(identity.parameters) + " " + facts_.kernel, account);
}

results::RunRecord LaunchTables::addOwn(const LaunchFacts& facts, const Workload& workload,
                                        const RunOutcome& outcome) {
  open();
  facts_ = facts;
  results::RunRecord record = tables_.record(identity(facts), workload, outcome);
  append(kRuns, record.identity, {record.run});
  append(kInstructions, record.identity, record.instructions);
  return record;
}

void LaunchTables::add(const LaunchFacts& facts, const Workload& workload,
                       const RunOutcome& outcome, const platforms::RunBound& bound,
                       const platforms::WorstAccesses* worst) {
  if (!writes()) return;
  const results::RunRecord record = addOwn(facts, workload, outcome);
  append(kBanks, record.identity, record.banks);
  append(platforms::kBoundFile, record.identity, {platforms::boundRow(bound)});
  if (outcome.energy != nullptr) addEnergy(record.identity, *outcome.energy);
  if (worst != nullptr) append(platforms::kAccessesFile, record.identity, worst->rows(workload));
  sink_->keep();
}

void LaunchTables::addBeside(const LaunchFacts& facts, const Workload& workload,
                             const RunOutcome& outcome) {
  if (!writes()) return;
  (void)addOwn(facts, workload, outcome);
  sink_->keep();
}

void LaunchTables::addCells(const LaunchFacts& facts,
                            std::vector<std::pair<const char*, results::Cell>> cells) {
  if (!writes()) return;
  open();
  const auto& columns = *tables_.runs.columns();
  std::vector<results::Cell> row(columns.size());
  const auto put = [&](const std::string& column, results::Cell cell) {
    row[results::find(columns, column)] = std::move(cell);
  };
  for (auto& [column, cell] : cells) put(column, std::move(cell));
  put("launch", facts.launch);
  put("kernel", facts.kernel);
  put("grid", facts.grid);
  put("block", facts.block);
  put("begin", facts.begin);
  append(kRuns, identity(facts), {results::Row(tables_.runs.columns(), std::move(row))});
  sink_->keep();
}

void LaunchTables::add(const LaunchFacts& facts, std::uint64_t warpInstructions) {
  addCells(facts, {{"warp_instructions", warpInstructions}});
}

void LaunchTables::addEstimated(const LaunchFacts& facts) {
  const SampledLaunch& sample = facts.sample;
  const auto launches = std::uint64_t{1};
  addCells(facts, {{"launches", launches},
                   {"ctas", sample.ctas},
                   {"warp_instructions", sample.instructions},
                   {"thread_instructions", sample.lanes},
                   {"cycles", sample.value(exec::Sampled::Cycles)},
                   {"shared_accesses", sample.value(exec::Sampled::SharedAccesses)},
                   {"wavefronts_excessive", sample.value(exec::Sampled::ConflictCycles)},
                   {"timed_ctas", sample.timedCtas},
                   {"group", *sample.group},
                   {"cycles_error", sample.half(exec::Sampled::Cycles)},
                   {"shared_accesses_error", sample.half(exec::Sampled::SharedAccesses)},
                   {"wavefronts_excessive_error", sample.half(exec::Sampled::ConflictCycles)}});
}

void LaunchTables::finish() {
  if (!writes()) return;
  open();  // a program without launches gets tables without rows
  if (!picture_.empty()) {
    sink_->put("power.gp",
               picture_.script("Power on " + configuration_.name() + ", prices of " + prices_));
  }
  sink_->finish();
}

}  // namespace fermata::cudart
