// fermata exec -- PROGRAM ARGUMENT...
#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <memory>

#include <fermata/platforms/compose/configuration.h>
#include <fermata/platforms/exec/run_program.h>
#include <fermata/platforms/exec/table_sink.h>
#include <fermata/platforms/program/cc/runtime_folder.h>
#include <fermata/platforms/program/cli.h>
#include <fermata/platforms/program/code_platform.h>
#include <fermata/platforms/program/error_text.h>
#include <fermata/platforms/program/measurement_options.h>
#include <fermata/platforms/program/row_output.h>
#include <fermata/platforms/program/scratch_file.h>
#include <fermata/platforms/program/timeline/timeline_output.h>
#include <fermata/results/files/temporary.h>
#include <fermata/stimuli/launch/data_directory.h>

namespace fermata::platforms {

namespace {

constexpr int kFailure = 1;

struct ExecOptions : Measurement {
  std::vector<std::string> command;
  RowOutput printed;
};

/// Lets the program load our library by CUDA's names, such as libcuda.so.1.
void nameLibraries() {
  const auto folder = runtimeFolder(std::filesystem::weakly_canonical(launch::dataDirectory()));
  if (!folder) return;
  const char* const others = std::getenv("LD_LIBRARY_PATH");
  const bool any = others != nullptr && *others != '\0';
  const std::string all = folder->string() + (any ? std::string(":") + others : "");
  ::setenv("LD_LIBRARY_PATH", all.c_str(), 1);
}

/// Hands the options to the program. Fails before it starts if its first launch would.
void handOver(const CLI::App& command, const ExecOptions& options) {
  ::unsetenv("FERMATA_OUT");  // the user's: --out and --csv alone count
  ::unsetenv("FERMATA_ROWS");
  setEnvironment(command);
  if (!options.quiet) ::setenv("FERMATA_TABLE", "1", 1);
  if (!options.out.empty()) ::setenv("FERMATA_ACCESSES", "1", 1);
  if (options.printed.isAsked()) ::setenv("FERMATA_ROWS", "1", 1);
  Measurement handed = measurementOfEnvironment();
  if (!isPlatformNamed()) {  // the program chooses alike, from the code that it registers
    CodePlatform code;
    code.addProgram(options.command.front());
    handed.platform = code.name();
  }
  (void)openPlatform(handed.platform, handed.sets);
  requireOneLaunch(handed);
  requireWithSample(handed);
  (void)energyOf(handed);
  nameLibraries();
}

/// Destinations of the rows when the program has ended.
class Tables {
 public:
  /// Throws if the folder is refused.
  explicit Tables(const ExecOptions& options) : printed_(options.printed) {
    if (!options.out.empty()) folder_ = exec::makeFolderSink(options.out);
    if (printed_.isAsked()) text_ = exec::makeTextSink("runs.csv", rows_);
  }

  /// Writes the files, then prints the rows. Returns false if no launch was kept.
  bool read(const exec::LaunchSpool& spool) {
    const bool kept = !spool.isEmpty();
    for (exec::TableSink* const sink : {folder_.get(), text_.get()}) {
      if (sink == nullptr || !kept) continue;
      exec::readSpool(spool, *sink);
      sink->finish();
    }
    if (printed_.isAsked()) printed_.print(rows_, std::cout);
    return kept || (folder_ == nullptr && text_ == nullptr);
  }

 private:
  RowOutput printed_;
  std::string rows_;  ///< runs.csv
  std::unique_ptr<exec::TableSink> folder_;
  std::unique_ptr<exec::TableSink> text_;
};

bool namesAny(const Measurement& measurement, std::uint64_t launches) {
  for (std::uint64_t launch = 0; launch < launches; ++launch) {
    if (measurement.names(launch)) return true;
  }
  return false;
}

/// Says what is not written or printed if no launch was kept.
std::string lossText(const ExecOptions& options) {
  std::string text;
  if (!options.out.empty()) text += fmt::format("; '{}' is not written", options.out);
  if (options.printed.isAsked()) text += "; no rows are printed";
  return text;
}

/// Warns if the program used no part of the model, or if rows that were asked for are missing.
void sayLosses(const ExecOptions& options, std::uint64_t launches, bool loaded, bool kept) {
  const std::string lost = kept ? "" : lossText(options);
  if (launches == 0 && !loaded) {
    warn(
        fmt::format("'{}' launched nothing on the model{}; expected a program made by 'fermata cc'",
                    options.command.front(), lost));
  } else if (launches == 0) {
    if (!kept) warn("the program launched no kernel" + lost);
  } else if (!namesAny(options, launches)) {
    warn(fmt::format("none of the {} launches was timed: --launches {} names none of 0 to {}{}",
                     launches, options.launches, launches - 1, lost));
  } else if (!kept) {
    warn("the program kept no launch" + lost);
  }
}

int execute(const CLI::App& command, const ExecOptions& options) {
  handOver(command, options);
  Tables tables(options);  // before the program runs: its folder may be refused
  const ScratchFile scratch("launches", "spool");
  const std::string path = std::filesystem::absolute(scratch.path());
  const exec::LaunchSpool spool = exec::LaunchSpool::create(path);
  const files::Temporary known(path, files::Temporary::Kind::File);
  setenv("FERMATA_SPOOL", path.c_str(), 1);
  const int code = exec::runProgram(options.command, options.printed.isAsked());
  const bool failed = spool.hasFailed();
  const std::uint64_t launches = exec::LaunchSpool(path).takeLaunch();  // the next number
  const bool kept = tables.read(spool);
  sayLosses(options, launches, spool.wasLoaded(), kept);
  return code == 0 && failed ? kFailure : code;
}

}  // namespace

void addExecCommand(CLI::App& app, Invocation& invocation) {
  const auto options = std::make_shared<ExecOptions>();
  CLI::App* command = app.add_subcommand(
      "exec", "Runs a CUDA program made by 'fermata cc', with every launch on the model");
  command->add_option("command", options->command, "Takes the program and its arguments, after --")
      ->required()
      ->type_name("PROGRAM");
  addOptions(
      *command, *options,
      {{"--platform",
        "Runs on this platform: name or path. Default: the one named as the architecture that the "
        "program is compiled for (-arch=sm_80: sm_80), or gtx480 where -arch names none"},
       {"--set", kSetWithExample},
       {"--out",
        "Writes runs.csv (one row per launch), instructions.csv, banks.csv, accesses.csv, "
        "bound.csv and schema.csv to this folder. --power adds its tables."},
       "--functional",
       "--compile",
       "--launches",
       "--sample",
       {"--record",
        "Writes a trace (.csv or .csv.zst) of the launches that --launches names (default: "
        "of all launches)"},
       {"--timeline",
        "Writes what happens in each cycle of the launch that --launches names. The name of "
        "the file ends in " +
            timelineFormats()},
       "--timeline-window",
       "--power",
       "--window",
       "--budget",
       "--check-uninitialised",
       {"--allow-stray-reads", "Lets kernels load outside of every buffer. Such loads give zeros."},
       "-j,--jobs",
       "--timing",
       {"--quiet", "Omits the table of launches on standard error"}},
      Unset::Environment);
  command->get_option("--platform")->default_str("");
  addRowOutput(*command, options->printed, "the rows of runs.csv");
  command->get_option("--launches")->excludes("--functional");
  command->footer(
      "Examples:\n  fermata exec --platform sm_80 -- ./app ARGUMENTS\n"
      "  fermata exec --platform sm_80 --launches 3-7 --out results/out/app -- ./app\n"
      "  fermata exec --platform sm_80 --csv -- ./app > launches.csv\n"
      "  fermata exec --platform sm_80 --sample -- ./app\n"
      "With --csv or --json the program's standard output goes to standard error.");
  command->callback(
      [command, options, &invocation] { invocation.exitCode = execute(*command, *options); });
}

}  // namespace fermata::platforms
