// fermata run PLATFORM WORKLOAD...
#include <fmt/format.h>

#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <string_view>

#include <fermata/platforms/energy/energy_tables.h>
#include <fermata/platforms/energy/platform_prices.h>
#include <fermata/platforms/energy/power_picture.h>
#include <fermata/platforms/program/cli.h>
#include <fermata/platforms/program/option_checks.h>
#include <fermata/platforms/program/report/worst_accesses.h>
#include <fermata/platforms/program/run_table.h>
#include <fermata/platforms/program/run_workloads.h>
#include <fermata/results/writers.h>

namespace fermata::platforms {

namespace {

struct RunOptions {
  RunRequest request;
  std::vector<std::string> workloads;
  std::vector<std::string> parameters;  ///< for every workload
  std::string out;
  std::string prices;  ///< name of a price table; empty: no energy is booked
  Cycle window = 1000;
  std::string wave;
  std::string waveWindow;
  bool accesses = false;
  std::string timeline;
  std::string timelineWindow;
  bool timing = false;
  bool quiet = false;
};

constexpr std::size_t kRowsAtOnce = 1000;

/// Positions in the schema of the tables that only some runs have.
enum Other : std::size_t { SourcesTable, EnergyTable, PowerTable };

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
    out << fmt::format(
        "energy at the nominal prices of {0}; 'fermata prices {0} {1}' has all, and which are of "
        "use for comparisons only\n",
        asked_, platform);
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
  schema.others = {{kSourcesFile, sourceColumns()}};
  if (energy) {
    schema.others.push_back({kEnergyFile, energyColumns()});
    schema.others.push_back({kPowerFile, powerColumns()});
  }
  if (accesses) schema.others.push_back({kAccessesFile, WorstAccesses::columns()});
  return schema;
}

void run(RunOptions& options) {
  if (!options.out.empty()) options.request.dumpFolder = options.out;
  options.request.sources = !options.out.empty();
  files::OutputSet files;  // tables, dumps and the trace appear all or none
  for (const std::string& workload : options.workloads) {
    options.request.jobs.push_back({workload, options.parameters});
  }
  if (!options.quiet)
    options.request.options.print = [](std::string_view text) { std::cout << text; };
  const bool books = !options.prices.empty();
  if (books) options.request.energy = {openPriceTable(options.prices), options.window};
  if (!options.wave.empty()) {
    options.request.wave = WaveRequest{options.wave, {}};
    if (!options.waveWindow.empty())
      options.request.wave->window = parseWaveWindow(options.waveWindow);
  }
  if (!options.timeline.empty()) {
    options.request.timeline = TimelineRequest{options.timeline, std::nullopt};
    if (!options.timelineWindow.empty())
      options.request.timeline->window = parseTimelineWindow(options.timelineWindow);
  }
  const Configuration configuration = configure(options.request);
  const RunTables tables(options.timing, books);
  std::optional<results::ResultWriter> writer;
  const results::Schema schema = schemaOf(tables, books, options.accesses);
  if (!options.out.empty()) writer.emplace(files, options.out, schema);
  WorstAccesses worst(configuration.parameters().crossbar.groups);
  if (options.accesses) options.request.listeners.push_back(&worst);
  std::optional<EnergyFiles> energy;
  if (books)
    energy.emplace(options.request.energy->prices, options.prices, writer ? &*writer : nullptr);
  results::Progress progress(std::cerr, results::standardErrorIsTerminal());
  RunTable table(options.timing, books);
  runWorkloads(
      options.request, configuration, tables, progress,
      [&](const results::RunRecord& record, const RunOutcome& outcome, const OpenWorkload& open) {
        if (writer) {
          writer->add(record);
          writer->add(SourcesTable, record.identity, sourceRows(open.sources));
        }
        if (options.accesses) {
          writer->add(schema.others.size() - 1, record.identity, worst.rows(*open.workload));
          worst.reset();
        }
        if (energy) energy->add(record, *outcome.energy);
        table.add(record);
      },
      &files);
  if (energy && writer) energy->draw(configuration.parameters().name, files, options.out);
  files.commit();
  if (!options.quiet) {
    table.print(std::cout);
    if (energy) energy->print(options.request.platform, std::cout);
  }
  if (energy) energy->requireAllPrices();
}

}  // namespace

void addRunCommand(CLI::App& app, Connector* connector) {
  const auto options = std::make_shared<RunOptions>();
  options->request.connector = connector;
  CLI::App* command =
      app.add_subcommand("run", "Runs workloads on a platform and writes what they did as CSV");
  command
      ->add_option(
          "platform", options->request.platform,
          "Selects the platform: a name (fermata platforms) or the path of a platform file")
      ->required();
  command
      ->add_option("workloads", options->workloads,
                   "Takes workloads: names (fermata workloads), launch files (.toml) or traces "
                   "(.csv, .csv.zst)")
      ->required();
  command
      ->add_option("--param", options->parameters,
                   "Sets a parameter of every workload: name=value. Repeatable.")
      ->allow_extra_args(false);
  command
      ->add_option("--set", options->request.sets,
                   "Sets a platform parameter: path=value, for instance scratchpad.indexer='ami "
                   "33'. Repeatable.")
      ->allow_extra_args(false);
  CLI::Option* const out =
      command->add_option("--out", options->out,
                          "Writes runs.csv, instructions.csv, banks.csv, sources.csv and "
                          "schema.csv to this folder. --power adds energy.csv, power.csv and "
                          "power.gp. Without --out, the command only prints a table.");
  out->check(notEmpty("a folder"));
  command
      ->add_flag("--accesses", options->accesses,
                 "Writes accesses.csv, too: lanes, words and banks of the worst access of each "
                 "instruction")
      ->needs(out);
  CLI::Option* const power = command
                                 ->add_option("--power", options->prices,
                                              "Books energy at the prices of a table: a name "
                                              "(fermata prices) or the path of a .toml file")
                                 ->check(notEmpty("a table of prices"));
  command
      ->add_option("--window", options->window,
                   "Sets the length of a window of power over time, in cycles")
      ->capture_default_str()
      ->transform(wholeNumber(1))
      ->needs(power);
  command
      ->add_option("--software-hash", options->request.softwareHash,
                   "Makes the kernels hash their shared addresses themselves, by a mapping such as "
                   "'xor k1=0 k2=5 mask=7' (see fermata softhash)")
      ->check([](const std::string& text) {
        return text.empty() ? std::string("an empty mapping; expected one such as 'perm k=1'")
                            : std::string();
      });
  command
      ->add_option(
          "--record", options->request.record,
          "Writes a trace of the run (.csv or .csv.zst). A FIFO or a device gets plain CSV.")
      ->check(notEmpty("a file"));
  CLI::Option* const wave =
      command
          ->add_option("--wave", options->wave,
                       "Writes the signals of RTL blocks (--set rtl.indexer=rtl and others) to a "
                       ".fst file, for GTKWave")
          ->check(notEmpty("a file"));
  command
      ->add_option(
          "--wave-window", options->waveWindow,
          "Limits the waves to the cycles from:to, without the last one (default: all cycles)")
      ->check(notEmpty("from:to"))
      ->needs(wave);
  CLI::Option* const timeline =
      command
          ->add_option("--timeline", options->timeline,
                       "Writes what happens in each cycle, as tracks of warps, ports, banks, "
                       "replays and barriers. The name of the file ends in " +
                           timelineFormats())
          ->check(notEmpty("a file"));
  command
      ->add_option("--timeline-window", options->timelineWindow,
                   fmt::format("Limits the timeline to the cycles from:to, without the last one "
                               "(default: the first {})",
                               kTimelineCycles))
      ->check(notEmpty("from:to"))
      ->needs(timeline);
  command
      ->add_option("--budget", options->request.options.instructionBudget,
                   "Limits the warp instructions of a launch. A launch beyond the limit counts as "
                   "an infinite loop.")
      ->capture_default_str()
      ->transform(wholeNumber(1));
  command->add_flag("--check-uninitialised", options->request.options.checkUninitialised,
                    "Refuses reads of memory that was never written");
  command->add_flag(
      "--allow-stray-reads", options->request.options.allowStrayReads,
      "Lets kernels load outside of every buffer. Such loads give zeros and a warning.");
  command->add_flag("--timing", options->timing,
                    "Adds wall_seconds, which makes files differ from run to run");
  command->add_flag("--quiet", options->quiet, "Omits the table and what kernels print");
  command->callback([options] { run(*options); });
}

}  // namespace fermata::platforms
