// fermata exec -- PROGRAM ARGUMENT...
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <map>
#include <memory>
#include <string_view>

#include <fermata/platforms/compose/configuration.h>
#include <fermata/platforms/energy/price_table.h>
#include <fermata/platforms/exec/run_program.h>
#include <fermata/platforms/exec/settings.h>
#include <fermata/platforms/exec/table_sink.h>
#include <fermata/platforms/program/cli.h>
#include <fermata/platforms/program/option_checks.h>
#include <fermata/platforms/program/run_workloads.h>
#include <fermata/platforms/program/scratch_file.h>
#include <fermata/platforms/program/timeline/timeline_output.h>
#include <fermata/results/files/temporary.h>
#include <fermata/stimuli/input_error.h>

namespace fermata::platforms {

namespace {

namespace fs = std::filesystem;

constexpr int kFailure = 1;

struct ExecOptions {
  std::vector<std::string> command;
  std::string platform;
  std::vector<std::string> sets;
  std::string out;
  std::string launches;
  std::string record;
  std::string timeline;
  std::string timelineWindow;
  std::string prices;
  std::string window;
  std::string budget;
  bool functional = false;
  bool accesses = false;
  bool checkUninitialised = false;
  bool allowStrayReads = false;
  bool timing = false;
  bool quiet = false;
};

/// Makes a path absolute: the program may change its folder before its first launch.
std::string absolute(const std::string& path) {
  return path.empty() ? path : fs::absolute(path).string();
}
/// Makes a path of an existing file absolute; returns a name unchanged.
std::string absoluteFile(const std::string& name) {
  std::error_code error;
  return fs::is_regular_file(name, error) ? absolute(name) : name;
}

using Variables = std::map<std::string, std::string>;

Variables variablesOf(const ExecOptions& options) {
  Variables all;
  const auto give = [&](const char* name, const std::string& value) {
    if (!value.empty()) all[name] = value;
  };
  const auto raise = [&](const char* name, bool flag) {
    if (flag) all[name] = "1";
  };
  give("FERMATA_PLATFORM", absoluteFile(options.platform));
  std::string sets;
  for (const std::string& set : options.sets) sets += set + '\n';
  give("FERMATA_SET", sets);
  give("FERMATA_LAUNCHES", options.launches);
  give("FERMATA_RECORD", absolute(options.record));
  give("FERMATA_TIMELINE", absolute(options.timeline));
  give("FERMATA_TIMELINE_WINDOW", options.timelineWindow);
  give("FERMATA_POWER", absoluteFile(options.prices));
  give("FERMATA_WINDOW", options.window);
  give("FERMATA_BUDGET", options.budget);
  raise("FERMATA_FUNCTIONAL", options.functional);
  raise("FERMATA_ACCESSES", options.accesses);
  raise("FERMATA_CHECK_UNINITIALISED", options.checkUninitialised);
  raise("FERMATA_ALLOW_STRAY_READS", options.allowStrayReads);
  raise("FERMATA_TIMING", options.timing);
  raise("FERMATA_TABLE", !options.quiet);
  return all;
}

/// Fails before the program starts if its first launch would: reads settings and platform.
void check(const Variables& variables) {
  for (const auto& [name, value] : variables) setenv(name.c_str(), value.c_str(), 1);
  const exec::Settings settings = exec::settingsOfEnvironment();
  (void)openPlatform(settings.platform, settings.sets);
  exec::requireOneLaunch(settings);
  if (!settings.record.empty()) requireRecordingName(settings.record);
  if (!settings.timeline.empty()) requireTimelineName(settings.timeline);
  if (!settings.prices.empty()) (void)openPriceTable(settings.prices);
  if (!settings.timelineWindow.empty()) (void)parseTimelineWindow(settings.timelineWindow);
}

/// Returns false if no launch was kept.
bool readInto(exec::TableSink& folder, const exec::LaunchSpool& spool) {
  if (spool.isEmpty()) return false;
  exec::readSpool(spool, folder);
  folder.finish();
  return true;
}

int execute(const ExecOptions& options) {
  Variables variables = variablesOf(options);
  check(variables);
  std::unique_ptr<exec::TableSink> folder;
  if (!options.out.empty())
    // Throws before the program runs if the folder is refused.
    folder = exec::makeFolderSink(options.out);
  const ScratchFile scratch("launches", "spool");
  const std::string path = absolute(scratch.path());
  const exec::LaunchSpool spool = exec::LaunchSpool::create(path);
  const files::Temporary known(path, files::Temporary::Kind::File);
  setenv("FERMATA_SPOOL", path.c_str(), 1);
  setenv("FERMATA_OUT", absolute(options.out).c_str(), 1);  // overrides the user's environment
  const int code = exec::runProgram(options.command);
  const bool failed = spool.hasFailed();
  if (folder != nullptr && !readInto(*folder, spool)) {
    std::cerr << "fermata: warning: the program "
              << (failed ? "kept no launch" : "launched nothing through libfermata_cudart.so")
              << "; '" << options.out << "' is not written\n";
  }
  return code == 0 && failed ? kFailure : code;
}

}  // namespace

void addExecCommand(CLI::App& app, int& exitCode) {
  const auto options = std::make_shared<ExecOptions>();
  CLI::App* command = app.add_subcommand(
      "exec", "Runs a CUDA program made by 'fermata cc', with every launch on the model");
  command->add_option("command", options->command, "Takes the program and its arguments, after --")
      ->required();
  command
      ->add_option("--platform", options->platform,
                   "Selects the platform: a name (fermata platforms) or the path of a platform "
                   "file (default: gtx480)")
      ->check(notEmpty("a platform"));
  command
      ->add_option("--set", options->sets,
                   "Sets a platform parameter: path=value, for instance scratchpad.indexer='ami "
                   "33'. Repeatable.")
      ->allow_extra_args(false);
  CLI::Option* const out =
      command
          ->add_option("--out", options->out,
                       "Writes runs.csv (one row per launch), instructions.csv, banks.csv and "
                       "schema.csv to this folder. --power and --accesses add their tables.")
          ->check(notEmpty("a folder"));
  CLI::Option* const functional = command->add_flag(
      "--functional", options->functional, "Executes every launch without timing it: no cycles");
  command
      ->add_option("--launches", options->launches,
                   "Times only the launches with these numbers, counted from 0: 3 or 3-7. Executes "
                   "the others without timing.")
      ->check(notEmpty("launches"))
      ->excludes(functional);
  command
      ->add_option("--record", options->record,
                   "Writes a trace (.csv or .csv.zst) of the launches that --launches names "
                   "(default: of all launches)")
      ->check(notEmpty("a file"));
  CLI::Option* const timeline =
      command
          ->add_option("--timeline", options->timeline,
                       "Writes what happens in each cycle of the launch that --launches names. The "
                       "name of the file ends in " +
                           timelineFormats())
          ->check(notEmpty("a file"));
  command
      ->add_option("--timeline-window", options->timelineWindow,
                   "Limits the timeline to the cycles from:to, without the last one (default: the "
                   "first 10000)")
      ->check(notEmpty("from:to"))
      ->needs(timeline);
  CLI::Option* const power = command
                                 ->add_option("--power", options->prices,
                                              "Books energy at the prices of a table: a name "
                                              "(fermata prices) or the path of a .toml file")
                                 ->check(notEmpty("a table of prices"));
  command
      ->add_option("--window", options->window,
                   "Sets the length of a window of power over time, in cycles (default: 1000)")
      ->check(wholeNumber(1))
      ->needs(power);
  command
      ->add_flag("--accesses", options->accesses,
                 "Writes accesses.csv, too: lanes, words and banks of the worst access of each "
                 "instruction")
      ->needs(out);
  command
      ->add_option("--budget", options->budget,
                   "Limits the warp instructions of a launch (default: 10000000000). A launch "
                   "beyond the limit counts as an infinite loop.")
      ->check(wholeNumber(1));
  command->add_flag("--check-uninitialised", options->checkUninitialised,
                    "Refuses reads of memory that was never written");
  command->add_flag("--allow-stray-reads", options->allowStrayReads,
                    "Lets kernels load outside of every buffer. Such loads give zeros.");
  command->add_flag("--timing", options->timing,
                    "Adds wall_seconds, which makes files differ from run to run");
  command->add_flag("--quiet", options->quiet, "Omits the table of launches on standard error");
  command->callback([options, &exitCode] { exitCode = execute(*options); });
}

}  // namespace fermata::platforms
