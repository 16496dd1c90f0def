// fermata sweep plan|run|work|submit|status|merge
#include <fmt/format.h>

#include <filesystem>
#include <iostream>
#include <memory>

#include <fermata/platforms/program/cli.h>
#include <fermata/platforms/program/csv_line.h>
#include <fermata/platforms/program/error_text.h>
#include <fermata/platforms/program/number_text.h>
#include <fermata/platforms/program/option_checks.h>
#include <fermata/platforms/program/row_output.h>
#include <fermata/platforms/program/sweep/sweep_merge.h>
#include <fermata/platforms/program/sweep/sweep_submit.h>
#include <fermata/platforms/program/sweep/sweep_work.h>
#include <fermata/stimuli/folder.h>
#include <fermata/stimuli/refuse.h>

namespace fermata::platforms {

namespace {

constexpr std::uint64_t kMostShards = 1000000;

struct SweepOptions {
  std::vector<std::string> places;  ///< a study and a folder, or only a folder
  std::string shard = "1/1";
  SweepShard part;
  WorkOrder order;
  bool partial = false;
  SubmitOrder submit;
  std::string after;  ///< set by the job behind an array: missing points, rounds without progress
  RowOutput rows;     ///< of the status
  Connector* connector = nullptr;
};

bool isStudy(const std::string& place) {
  return place.size() > 5 && place.compare(place.size() - 5, 5, ".toml") == 0;
}

SweepShard parseShard(const std::string& text) {
  const auto pair = parseNumberPair(text, '/');
  if (!pair || pair->first < 1 || pair->first > pair->second || pair->second > kMostShards)
    refuse("--shard '{}'; expected I/K: one of K, from 1/K to K/K", text);
  return {static_cast<unsigned>(pair->first), static_cast<unsigned>(pair->second)};
}

void plan(const std::string& study, const std::string& folder) {
  const SweepStudy sweep = readSweep(study);
  const SweepPlan planned = planSweep(sweep, digestsOfHere());
  SweepStore::create(folder, sweep.text, planned);
}

void warnOfDamage(std::size_t points, const std::string& first, const char* what) {
  if (points == 0) return;
  warn(
      fmt::format("{} points {}: the file is damaged, first {} (its SHA-256 is another than its "
                  "last line says)",
                  points, what, first));
}

void printStatus(const SweepStore& store) {
  const SweepStatus status = statusOf(store);
  std::cout << fmt::format("{} of {} points done, {} failed, {} missing\n", status.done,
                           status.points, status.failed, status.missing());
  if (status.failed != 0)
    std::cout << fmt::format("the first that failed: {}\n", readable(status.firstFailure));
  warnOfDamage(status.damaged, status.firstDamaged, "are missing");
}

/// Runs a shard. Returns the exit code: 1 if points failed or the machine stopped some.
int work(const SweepStore& store, const SweepOptions& options) {
  checkKeys(store.plan(), digestsOfHere());
  results::Progress progress(std::cerr, results::standardErrorIsTerminal());
  const WorkTally tally =
      workSweep(store, options.part, options.order, options.connector, progress);
  warnOfDamage(tally.damaged, tally.firstDamaged, "were run again");
  if (tally.left != 0)
    std::cerr << fmt::format(
        "fermata: error: {} points have no result, the last {}; expected the "
        "same command again\n",
        tally.left, tally.why);
  if (tally.replayed != 0)
    std::cerr << fmt::format("fermata: {} points replayed what another had executed\n",
                             tally.replayed);
  return tally.failed + tally.left == 0 ? 0 : 1;
}

/// Merges if no point is missing.
SweepStatus gather(const SweepStore& store) {
  const SweepStatus status = statusOf(store);
  if (status.missing() == 0) mergeSweep(store, false);
  printStatus(store);
  if (status.missing() == 0)
    std::cout << fmt::format("Tables: {}/merged/{{runs,failed,schema}}.csv\n",
                             store.folder().string());
  return status;
}

int run(SweepOptions& options) {
  if (options.places.size() == 2) {
    if (!isStudy(options.places[0]))
      refuseFolder(options.places[0], "a study (.toml), then a folder");
    if (!isStudy(options.places[0]))
      refuse("'{}'; expected a study (.toml) and a folder, or a folder", options.places[0]);
    plan(options.places[0], options.places[1]);
  } else if (isStudy(options.places[0]) && std::filesystem::is_regular_file(options.places[0])) {
    refuse(
        "'{0}' is a study; expected a folder for its points, too: 'fermata sweep run {0} FOLDER'",
        options.places[0]);
  }
  const SweepStore store(options.places.back());
  const int code = work(store, options);
  gather(store);
  return code;
}

int submit(SweepOptions& options) {
  for (const std::string& word : options.submit.options) {
    if (word.size() < 2 || word[0] != '-')
      refuse(
          "--slurm-option '{}'; expected an option of sbatch in one word, as "
          "--slurm-option=--partition=long",
          word);
  }
  const SweepStore store(options.places[0]);
  checkKeys(store.plan(), digestsOfHere());
  if (!options.after.empty()) {
    const auto last = parseNumberPair(options.after, '/');
    if (!last) refuse("--after '{}'; expected MISSING/IDLE", options.after);
    options.submit.last = SubmitRound{last->first, static_cast<unsigned>(last->second)};
  }
  if (statusOf(store).missing() == 0) return gather(store).failed == 0 ? 0 : 1;
  std::cout << submitSweep(store, options.submit);
  return 0;
}

void addAtOnce(CLI::App& command, const std::shared_ptr<SweepOptions>& options) {
  command
      .add_option("-j,--jobs", options->order.atOnce,
                  "Limits the points that run at a time (default: one per core)")
      ->transform(wholeNumber(1, 4096));
  command.add_flag("--retry-failed", options->order.retryFailed,
                   "Runs points that failed before, too");
  command.add_flag(
      "!--execute-all", options->order.replay,
      "Executes the kernels of every point. No point replays what another has executed.");
}

/// Adds a command of `sweep` that takes the folder of a sweep.
CLI::App* addFolderCommand(CLI::App& sweep, const char* name, const char* description,
                           const std::shared_ptr<SweepOptions>& options) {
  CLI::App* command = sweep.add_subcommand(name, description);
  command->add_option("folder", options->places, "Takes the folder of a sweep")
      ->required()
      ->expected(1)
      ->type_name("FOLDER");
  return command;
}

}  // namespace

void addSweepCommand(CLI::App& app, Invocation& invocation) {
  const auto options = std::make_shared<SweepOptions>();
  options->connector = invocation.connector;
  CLI::App* sweep = app.add_subcommand(
      "sweep", "Runs every combination of axes: what-if studies on one machine or many");
  sweep->require_subcommand(1);

  CLI::App* command = sweep->add_subcommand("plan", "Makes a folder with the points of a study");
  command->add_option("study_and_folder", options->places, "Takes the study (.toml) and the folder")
      ->required()
      ->expected(2)
      ->type_name("FILE");
  command->callback([options] {
    plan(options->places[0], options->places[1]);
    printStatus(SweepStore(options->places[1]));
  });

  command = sweep->add_subcommand(
      "run",
      "Runs the points that have no result yet, and merges. Plans first if a study is given.");
  command
      ->add_option("folder", options->places,
                   "Takes the folder of a sweep, or a study (.toml) and a folder")
      ->required()
      ->expected(1, 2)
      ->type_name("FILE");
  addAtOnce(*command, options);
  command->callback([options, &invocation] { invocation.exitCode = run(*options); });

  command = addFolderCommand(*sweep, "work", "Runs one shard of a sweep: what a batch system calls",
                             options);
  command
      ->add_option("--shard", options->shard,
                   "Selects the points: I/K is every K-th point, from the I-th")
      ->required();
  addAtOnce(*command, options);
  command->callback([options, &invocation] {
    options->part = parseShard(options->shard);
    invocation.exitCode = work(SweepStore(options->places[0]), *options);
  });

  sweep->footer(
      "Examples:\n  fermata sweep run which.toml which -j 4\n  fermata sweep status which");
  command = addFolderCommand(
      *sweep, "submit",
      "Hands a sweep to Slurm: jobs for missing points until none is missing, then a merge",
      options);
  command
      ->add_option("--slurm", options->submit.shards,
                   "Sets the number of shards, one array element per shard")
      ->required()
      ->transform(wholeNumber(1, kMostShards));
  command
      ->add_option(
          "--slurm-option", options->submit.options,
          "Passes one word to sbatch, for instance --slurm-option=--partition=gpu. Repeatable.")
      ->allow_extra_args(false);
  command->add_option("--after", options->after)->group("");  // passed by the job behind an array
  command->callback([options, &invocation] { invocation.exitCode = submit(*options); });

  command = addFolderCommand(*sweep, "status", "Prints how many points have a result", options);
  addRowOutput(*command, options->rows, "the counts");
  command->callback([options] {
    const SweepStore store(options->places[0]);
    if (options->rows.isAsked()) {
      const SweepStatus status = statusOf(store);
      options->rows.print("points,done,failed,missing\n" +
                              csvLine(status.points, status.done, status.failed, status.missing()),
                          std::cout);
      return;
    }
    printStatus(store);
    if (const auto jobs = submittedJobs(store))
      std::cout << fmt::format("Slurm: {} jobs run, {} wait\n", jobs->running, jobs->waiting);
  });

  command =
      addFolderCommand(*sweep, "merge", "Writes all results into one table, in merged/", options);
  command->add_flag("--partial", options->partial, "Merges although points are missing");
  command->callback([options] {
    const SweepStatus merged = mergeSweep(SweepStore(options->places[0]), options->partial);
    warnOfDamage(merged.damaged, merged.firstDamaged, "are left out");
  });
}

}  // namespace fermata::platforms
