// fermata run WORKLOAD... --platform PLATFORM
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <string_view>

#include <fermata/platforms/compose/parameters.h>
#include <fermata/platforms/energy/energy_tables.h>
#include <fermata/platforms/energy/platform_prices.h>
#include <fermata/platforms/energy/power_picture.h>
#include <fermata/platforms/program/bound/run_bound.h>
#include <fermata/platforms/program/called_as.h>
#include <fermata/platforms/program/choose_platform.h>
#include <fermata/platforms/program/cli.h>
#include <fermata/platforms/program/measurement_options.h>
#include <fermata/platforms/program/report/worst_accesses.h>
#include <fermata/platforms/program/row_output.h>
#include <fermata/platforms/program/run_table.h>
#include <fermata/platforms/program/run_workloads.h>
#include <fermata/results/writers.h>

namespace fermata::platforms {

namespace {

constexpr std::size_t kRowsAtOnce = 1000;

/// Positions in the schema of the tables that only some runs have.
enum Other : std::size_t { SourcesTable, BoundTable, EnergyTable, PowerTable };

/// Writes the files that `--power` adds to those of the runs.
class EnergyFiles {
 public:
  /// `asked`: text by which the table was requested.
  EnergyFiles(const PriceTable& prices, std::string asked, results::ResultWriter* writer)
      : prices_(prices), asked_(std::move(asked)), writer_(writer) {}

  void add(const results::RunRecord& record, const EnergyAccount& account) {
    try {
      requirePrices(prices_, account, record.identity.workload);
    } catch (const InputError& error) {
      if (!missing_) missing_ = error;
    }
    if (writer_ == nullptr) return;
    writer_->add(EnergyTable, record.identity, energyRows(account));
    std::vector<results::Row> rows;  // written in portions: there may be millions
    const auto write = [&] {
      writer_->add(PowerTable, record.identity, rows);
      rows.clear();
    };
    forEachPowerRow(account, [&](const results::Row& row) {
      rows.push_back(row);
      if (rows.size() == kRowsAtOnce) write();
    });
    write();
    picture_.add(record.identity.workload, account);
  }
  void draw(const std::string& platform, files::OutputSet& files, const std::string& folder) const {
    if (picture_.empty()) return;
    files.add(std::filesystem::path(folder) / "power.gp")
        .write(picture_.script("Power on " + platform + ", prices of " + prices_.name));
  }
  void print(const std::string& platform, std::ostream& out) const {
    out << asCalled(fmt::format(
        "energy at the nominal prices of {0}; 'fermata prices {0} {1}' has all, and which are of "
        "use for comparisons only\n",
        asked_, platform));
  }
  /// Throws if an action had no price. Call it when the files are written, so that nothing is lost.
  void requireAllPrices() const {
    if (missing_) throw InputError(*missing_);
  }

 private:
  const PriceTable& prices_;
  std::string asked_;
  results::ResultWriter* writer_;
  PowerPicture picture_;
  std::optional<InputError> missing_;
};

results::Schema schemaOf(const RunTables& tables, bool energy, bool accesses) {
  results::Schema schema = tables.schema();
  schema.others = {{kSourcesFile, sourceColumns()}, {kBoundFile, boundColumns()}};
  if (energy) {
    schema.others.push_back({kEnergyFile, energyColumns()});
    schema.others.push_back({kPowerFile, powerColumns()});
  }
  if (accesses) schema.others.push_back({kAccessesFile, WorstAccesses::columns()});
  return schema;
}

bool estimatesRegisters(const OpenWorkload& open) {
  if (open.kernel == nullptr) return false;
  const auto& launches = open.kernel->plan().launches;
  return std::any_of(launches.begin(), launches.end(),
                     [](const auto& launch) { return !launch.registersPerThread.has_value(); });
}

void run(RunRequest& request, const RowOutput& rows) {
  requireSound(request);
  if (!request.out.empty()) request.dumpFolder = request.out;
  request.sources = request.accesses = !request.out.empty();
  files::OutputSet files;  // tables, dumps and the trace appear all or none
  request.addJobs();
  std::ostream& said = rows.isAsked() ? std::cerr : std::cout;  // rows stand alone
  results::Progress progress(std::cerr, results::standardErrorIsTerminal());
  progress.onlyOnTerminal();
  if (!request.quiet) {
    request.print = [&](std::string_view text) {
      progress.finish();  // the text of a kernel has a line of its own
      said << text;
    };
  }
  request.energy = energyOf(request);
  const bool books = request.energy.has_value();
  const Configuration configuration = configure(request);
  const RunTables tables(request.timing, books);
  std::optional<results::ResultWriter> writer;
  const results::Schema schema = schemaOf(tables, books, request.accesses);
  if (!request.out.empty()) writer.emplace(files, request.out, schema);
  WorstAccesses worst(configuration.parameters().crossbar.groups);
  if (request.accesses) request.listeners.push_back(&worst);
  OperandSources operands;
  request.listeners.push_back(&operands);
  std::string bounds;
  std::optional<EnergyFiles> energy;
  if (books) energy.emplace(request.energy->prices, request.prices, writer ? &*writer : nullptr);
  RunTable table(tables, request.timing, books);
  runWorkloads(
      request, configuration, tables, progress,
      [&](const results::RunRecord& record, const RunOutcome& outcome, const OpenWorkload& open) {
        RunBound bound = boundOf(outcome, configuration.parameters(), operands);
        bound.registersEstimated = estimatesRegisters(open);
        operands.reset();
        bounds += record.identity.workload + ": " + bound.text() + '\n';
        if (writer) {
          writer->add(record);
          writer->add(SourcesTable, record.identity, sourceRows(open.sources));
          writer->add(BoundTable, record.identity, {boundRow(bound)});
        }
        if (request.accesses) {
          writer->add(schema.others.size() - 1, record.identity, worst.rows(*open.workload));
          worst.reset();
        }
        if (energy) energy->add(record, *outcome.energy);
        table.add(record);
      },
      &files);
  if (energy && writer) energy->draw(configuration.parameters().name, files, request.out);
  files.commit();
  if (rows.isAsked() || !request.quiet) table.print(std::cout, rows);
  if (!request.quiet) said << bounds;
  if (energy && !request.quiet) energy->print(request.platform, said);
  if (energy) energy->requireAllPrices();
}

}  // namespace

void addRunCommand(CLI::App& app, Invocation& invocation) {
  const auto request = std::make_shared<RunRequest>();
  request->connector = invocation.connector;
  request->threads = 0;
  CLI::App* command =
      app.add_subcommand("run", "Runs workloads on a platform and writes what they did as CSV");
  addOptions(*command, *request, {"workloads"});
  addPlatformOfWorkloads(*command, *request);
  addOptions(
      *command, *request,
      {"--param",
       "--unknown-opcodes",
       "--trace-shared",
       "--trace-registers",
       {"--set", kSetWithExample},
       {"--out",
        "Writes runs.csv, instructions.csv, banks.csv, accesses.csv, bound.csv, sources.csv and "
        "schema.csv to this folder. --power adds energy.csv, power.csv and power.gp. Without "
        "--out, the command "
        "only prints a table."},
       "--power",
       "--window",
       "--software-hash",
       "--record",
       "--wave",
       "--wave-window",
       "--timeline",
       "--timeline-window",
       "--budget",
       "--check-uninitialised",
       "--allow-stray-reads",
       "-j,--jobs",
       "--timing",
       "--quiet"});
  addLaunchOptions(*command, *request, true);
  const auto rows = std::make_shared<RowOutput>();
  addRowOutput(*command, *rows, "the rows of runs.csv");
  command->footer(
      "Examples:\n  fermata run transpose --platform gtx480 --param tile=32\n"
      "  fermata run nw scan --platform sm_80 --out results/out/two\n"
      "  fermata run tile.cu --platform sm_80 --arch sm_80 --entry transpose --grid 2,2 --block "
      "32,8 "
      "--arg in=a.npy --arg out=out:float32[64,64] --arg n=int32:64 --out results/out/tile\n"
      "The words may also come in the order of old: fermata run gtx480 transpose.");
  command->callback([command, request, rows] {
    if (command->count("--platform") == 0) choosePlatform(*request);
    run(*request, *rows);
  });
}

}  // namespace fermata::platforms
