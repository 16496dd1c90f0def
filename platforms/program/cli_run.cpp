// fermata run PLATFORM WORKLOAD...
#include <fmt/format.h>

#include <iostream>
#include <memory>
#include <optional>
#include <string_view>

#include <fermata/platforms/program/cli.h>
#include <fermata/platforms/program/option_checks.h>
#include <fermata/platforms/program/run_table.h>
#include <fermata/platforms/program/run_workloads.h>
#include <fermata/results/writers.h>

namespace fermata::platforms {

namespace {

struct Options {
  RunRequest request;
  std::vector<std::string> workloads;
  std::vector<std::string> parameters;  ///< for every workload
  std::string out;
  bool timing = false;
  bool quiet = false;
};

void run(Options& options) {
  if (!options.out.empty()) options.request.dumpFolder = options.out;
  files::OutputSet files;  // tables, dumps and the trace: all or none
  for (const std::string& workload : options.workloads) {
    options.request.jobs.push_back({workload, options.parameters});
  }
  if (!options.quiet)
    options.request.options.print = [](std::string_view text) { std::cout << text; };
  const Configuration configuration = configure(options.request);
  const RunTables tables(options.timing);
  std::optional<results::ResultWriter> writer;
  if (!options.out.empty()) writer.emplace(files, options.out, tables.schema());
  results::Progress progress(std::cerr, results::standardErrorIsTerminal());
  RunTable table(options.timing);
  runWorkloads(
      options.request, configuration, tables, progress,
      [&](const results::RunRecord& record) {
        if (writer) writer->add(record);
        table.add(record);
      },
      &files);
  files.commit();
  if (!options.quiet) table.print(std::cout);
}

}  // namespace

void addRunCommand(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("run", "Run workloads on a platform and write what they did as CSV");
  command
      ->add_option("platform", options->request.platform,
                   "Name (fermata platforms) or path of a platform file")
      ->required();
  command
      ->add_option("workloads", options->workloads,
                   "Names (fermata workloads), launch files (.toml) or traces (.csv, .csv.zst)")
      ->required();
  command->add_option("--param", options->parameters, "Workload parameter: name=value, repeatable")
      ->allow_extra_args(false);
  command
      ->add_option(
          "--set", options->request.sets,
          "Platform parameter: path=value, repeatable, for instance scratchpad.indexer='ami 33'")
      ->allow_extra_args(false);
  command
      ->add_option(
          "--out", options->out,
          "Folder for runs.csv, instructions.csv, banks.csv and schema.csv; none: a table only")
      ->check(notEmpty("a folder"));
  command
      ->add_option("--software-hash", options->request.softwareHash,
                   "Let the kernels hash their shared addresses themselves: a mapping such as "
                   "'xor k1=0 k2=5 mask=7' (see fermata softhash)")
      ->check([](const std::string& text) {
        return text.empty() ? std::string("an empty mapping; expected one such as 'perm k=1'")
                            : std::string();
      });
  command
      ->add_option("--record", options->request.record,
                   "Write a trace of the run (.csv or .csv.zst; a FIFO or a device takes it plain)")
      ->check(notEmpty("a file"));
  command
      ->add_option("--budget", options->request.options.instructionBudget,
                   "Warp instructions of a launch beyond which it counts as an infinite loop")
      ->capture_default_str()
      ->transform(wholeNumber(1));
  command->add_flag("--check-uninitialised", options->request.options.checkUninitialised,
                    "Refuse reads of memory that was never written");
  command->add_flag("--allow-stray-reads", options->request.options.allowStrayReads,
                    "Let kernels load outside of every buffer: zeros, and a warning");
  command->add_flag("--timing", options->timing,
                    "Add wall_seconds: files then differ from run to run");
  command->add_flag("--quiet", options->quiet, "Print neither the table nor what kernels print");
  command->callback([options] { run(*options); });
}

}  // namespace fermata::platforms
