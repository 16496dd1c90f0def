// fermata search WORKLOAD...
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <utility>

#include <fermata/platforms/program/choose_platform.h>
#include <fermata/platforms/program/cli.h>
#include <fermata/platforms/program/measurement_options.h>
#include <fermata/platforms/program/option_checks.h>
#include <fermata/platforms/program/program_trace.h>
#include <fermata/platforms/program/row_output.h>
#include <fermata/platforms/program/search/layout_page.h>
#include <fermata/platforms/program/search/search_apply.h>
#include <fermata/platforms/program/search/search_job.h>
#include <fermata/platforms/program/search/search_report.h>
#include <fermata/results/files/output_file.h>
#include <fermata/results/files/output_set.h>
#include <fermata/stimuli/refuse.h>

namespace fermata::platforms {

namespace {

/// Platform of layouts and accesses, which name no machine.
constexpr const char* kLayoutPlatform = "sm_80";
constexpr const char* kLikeLayoutPlatform = "sm_70 to sm_90";

struct SearchCommandOptions : SearchRequest {
  RowOutput rows;
  bool apply = false;  ///< errors of the runs end the search too
  bool noApply = false;
  bool everyInstruction = false;
  std::string html;   ///< file of the page; empty: none
  bool exec = false;  ///< the workloads are a program and its arguments
};

void checkOptions(const SearchCommandOptions& options) {
  if (options.apply && options.rows.isAsked()) refuse("--apply prints tables; expected no --csv");
  if (options.rows.isAsked() && options.pareto && options.out.empty())
    refuse("--csv prints one table; expected --out FOLDER for pareto.csv");
  if (options.apply && options.workloads.empty()) refuse("--apply runs workloads; expected one");
  if (!options.prices.empty() && options.rows.isAsked())
    refuse("--power prints tables; expected no --csv");
  if (!options.prices.empty() && options.workloads.empty())
    refuse("--power prices the runs of workloads; expected one");
  if (!options.html.empty()) checkLayoutPage(options);
}

void writeFiles(const SearchReport& report, bool pareto, const std::string& folder) {
  files::OutputSet files;
  files.makeFolder(folder);
  std::vector<std::pair<const char*, std::string>> texts{
      {"search.csv", searchCsv(report)},
      {"instructions.csv", instructionsCsv(report)},
      {"schema.csv", searchSchema()}};
  if (pareto) texts.emplace_back("pareto.csv", paretoCsv(report));
  for (const auto& [name, text] : texts) {
    files.add(std::filesystem::path(folder) / name).write(text);
  }
  files.commit();
}

/// Runs the best mappings, if conflicts can be saved and there is something to run.
Applied apply(const SearchCommandOptions& options, const SearchReport& report,
              results::Progress& progress) {
  Applied applied;
  if (options.workloads.empty()) {
    applied.notRun = "no workload runs";
  } else if (options.noApply) {
    applied.notRun = "--no-apply";
  }
  if (!applied.notRun.empty()) return applied;
  try {
    return applyBest(options, report, progress);
  } catch (const BadInput& error) {
    if (options.apply || options.energy) throw;
    applied.notRun = error.what();
  }
  return applied;
}

/// Sets the platform of a command line without --platform.
void chooseSearchPlatform(SearchCommandOptions& options) {
  if (options.exec || !options.workloads.empty()) {
    const std::vector<std::string> none;  // a program's launch files are not there
    options.platform =
        platformOfWorkloads(options.exec ? none : options.workloads, options.parameters, options);
    return;
  }
  options.platform = kLayoutPlatform;
  std::ostream& said = options.rows.isAsked() ? std::cerr : std::cout;
  said << "no --platform: " << kLayoutPlatform << ", with the banks and lane groups of "
       << kLikeLayoutPlatform << '\n';
}

void runCommandSearch(SearchCommandOptions& options, bool namesPlatform) {
  checkOptions(options);
  if (!namesPlatform) chooseSearchPlatform(options);
  options.window = 0;  // no power over time
  options.energy = energyOf(options);
  options.evenWithoutConflicts =
      options.rows.isAsked() || !options.out.empty() || !options.html.empty();
  std::optional<ProgramTrace> trace;
  if (options.exec) {
    if (options.workloads.empty())
      refuse("--exec names no program; expected it after --, as in --exec -- ./app");
    trace.emplace(options.workloads);
    options.program = std::exchange(options.workloads, {trace->path()});
  }
  std::optional<files::OutputFile> page;  // before the search: a wrong folder costs no time
  if (!options.html.empty()) page.emplace(options.html);
  results::Progress progress(std::cerr, results::standardErrorIsTerminal());
  const SearchReport report = runSearch(options, progress);
  if (!options.out.empty()) writeFiles(report, options.pareto, options.out);
  if (page) {
    page->write(layoutPage(options, report));
    page->commit();
  }
  if (options.rows.isAsked()) {
    options.rows.print(searchCsv(report), std::cout);
    return;
  }
  const Applied applied = apply(options, report, progress);
  printSearch(options, report, applied, options.everyInstruction, std::cout);
  if (options.pareto && !report.pareto.empty()) printPareto(report, std::cout);
  if (!applied.rows.empty()) printApplied(options, report, applied, std::cout);
}

void addSources(CLI::App& command, SearchRequest& request) {
  addOptions(command, request, {"workloads", "--param"});
  command.get_option("workloads")->required(false);
  command
      .add_option("--weights", request.weights,
                  "Weights the accesses of each workload, for instance 3,1 (default: 1 each)")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->transform(wholeNumber(1, 1000000));
  command
      .add_option("--accesses", request.accessFiles,
                  "Reads access sets from this file, one per row: count,word,word,...")
      ->type_name("FILE")
      ->allow_extra_args(false);
  command
      .add_option(
          "--access", request.accessTexts,
          "Describes an access as a matrix: 'threads=16x16 cols=16 matrix=0,1,1,0 offset=0,0'")
      ->allow_extra_args(false);
  command
      .add_option(
          "--layout", request.layouts,
          "Describes accesses as a layout, shape:stride in elements: '(8,4):(16,128)'. Repeatable.")
      ->allow_extra_args(false);
  command
      .add_option("--atom", request.atoms,
                  "Selects the instruction of a layout: ld.8|16|32|64|96|128, st. likewise, "
                  "atom.32|64, ldmatrix.x1|x2|x4, stmatrix.x1|x2|x4, cp.async.4|8|16, tma, "
                  "mfma.32x32x8 and other MxMxK, wgmma.m64k16 and .nNk16, or tcgen05 likewise. "
                  "Given once for all layouts, or once per layout.")
      ->allow_extra_args(false);
  command.add_option("--element", request.elementBytes, "Sets the size of an element, in bytes")
      ->capture_default_str()
      ->check(CLI::IsMember({1, 2, 4, 8, 16}));
  addOptions(command, request,
             {"--budget", "--allow-stray-reads", "--unknown-opcodes", "--trace-shared",
              "--trace-registers"});
}

void addSearches(CLI::App& command, SearchRequest& request) {
  command
      .add_option("--class", request.classes,
                  "Selects classes of mappings: perm, xor, bits, pairs, matrix, ami, padding, "
                  "swizzle, tma, or all (each but swizzle and tma). Default: all and swizzle; for "
                  "layouts: swizzle, tma, padding, matrix and ami; for vectors: swizzle, tma and "
                  "padding. "
                  "A list or repeated.")
      ->allow_extra_args(false);
  command
      .add_option("--method", request.methods,
                  "Selects search methods: exhaustive, pruned, givargis, minimum-imbalance or "
                  "general. Default: every method that searches the class. A list or repeated.")
      ->allow_extra_args(false);
  command
      .add_option("--effort", request.searchOptions.effort,
                  "Limits the number of mappings that the general search looks at")
      ->capture_default_str()
      ->transform(wholeNumber(1));
  command.add_option("--seed", request.searchOptions.seed, "Sets the seed of the general search")
      ->capture_default_str()
      ->transform(wholeNumber(0));
  command
      .add_option("--max-banks", request.searchOptions.maxBanks,
                  "Limits the modulus of class ami (default: twice the banks)")
      ->transform(wholeNumber(1, 4096));
  command
      .add_option("--vector", request.searchOptions.vectorBytes,
                  "Keeps aligned vectors of this many bytes whole (default: words of the banks)")
      ->check(CLI::IsMember({4, 8, 16, 32, 64, 128}));
  command
      .add_option("--regions", request.searchOptions.regions,
                  "Searches a mapping of its own for each of up to so many regions of the memory "
                  "(classes perm, xor, bits, pairs, matrix)")
      ->capture_default_str()
      ->transform(wholeNumber(1, 64));
  command.add_flag("--keep-occupancy", request.keepOccupancy,
                   "Leaves out padding with which an SM holds fewer CTAs of a kernel");
  command
      .add_option(
          "--worth", request.worthPercent,
          "Calls a mapping not worth it if it saves less than this percentage of the cycles")
      ->capture_default_str()
      ->check(realNumber(0, 100));
  command.add_flag("--pareto", request.pareto,
                   "Adds the compromises between XOR gates and conflicts");
}

void addMemory(CLI::App& command, SearchRequest& request) {
  addPlatformOfWorkloads(command, request,
                         std::string(". Without workloads: ") + kLayoutPlatform +
                             ", whose banks and lane groups are those of " + kLikeLayoutPlatform +
                             ".");
  addOptions(command, request, {"--set"});
  command.add_flag("--l1", request.l1,
                   "Searches l1.indexer instead of scratchpad.indexer, for the words that hits of "
                   "the L1 ask for in a run of the workloads");
  command
      .add_option("--banks", request.banks, "Sets the number of banks (default: the platform's)")
      ->transform(wholeNumber(1, 4096));
  command
      .add_option(
          "--words", request.words,
          "Sets the number of words of the memory (default: those of the platform's scratchpad)")
      ->transform(wholeNumber(1, 1U << 24));
}

}  // namespace

void addSearchCommand(CLI::App& app, Invocation& invocation) {
  const auto options = std::make_shared<SearchCommandOptions>();
  options->connector = invocation.connector;
  CLI::App* command = app.add_subcommand(
      "search", "Finds the bank mapping that suits the shared-memory accesses of workloads");
  addSources(*command, *options);
  addLaunchOptions(*command, *options, false);
  command->add_flag("--exec", options->exec,
                    "Searches over all launches of a CUDA program: --exec -- ./app ARGUMENTS");
  addSearches(*command, *options);
  addMemory(*command, *options);
  command->add_flag("--profile", options->everyInstruction,
                    "Prints every instruction with all classes of its accesses");
  CLI::Option* const noApply =
      command->add_flag("--no-apply", options->noApply,
                        "Skips the runs of the workloads with the best mapping and without it");
  command
      ->add_flag("--apply", options->apply,
                 "Runs the workloads with the best mapping and without it, as by default. With "
                 "--apply, a run that fails is an error.")
      ->excludes(noApply);
  addOptions(
      *command, *options,
      {{"--power",
        "Prints energy and energy-delay product of the runs with the best mapping and without it, "
        "at the prices of a table: a name (fermata prices) or the path of a .toml file"}});
  command->get_option("--power")->excludes(noApply);
  addRowOutput(*command, options->rows, "the rows of search.csv");
  addOptions(*command, *options,
             {{"--out",
               "Writes search.csv, instructions.csv, schema.csv and, with --pareto, pareto.csv to "
               "this folder"}});
  command
      ->add_option("--html", options->html,
                   "Writes lanes by banks before and after to this file, as a page that needs no "
                   "network; for --layout and --access")
      ->type_name("FILE")
      ->check(notEmpty("a file"));
  command->footer(
      "Conflicts are the sum of count times (degree - 1) over all access sets.\n"
      "Examples:\n  fermata search transpose --platform gtx480 --param tile=16\n"
      "  fermata search mykernel.toml --no-apply\n"
      "  fermata search reduction transpose --platform gtx480 --weights 3,1 --class xor,pairs "
      "--csv\n"
      "  fermata search --platform sm_80 --layout '(8,4):(64,8)' --atom ldmatrix.x4 --element 2 "
      "--html tile.html");
  command->callback(
      [command, options] { runCommandSearch(*options, command->count("--platform") != 0); });
}

}  // namespace fermata::platforms
