#include <fermata/platforms/program/sweep/sweep_submit.h>

#include <fermata/platforms/program/sweep/sweep_program.h>
#include <fermata/platforms/program/sweep/sweep_scripts.h>
#include <fermata/results/files/output_file.h>
#include <fermata/stimuli/refuse.h>

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <set>

namespace fermata::platforms {

namespace {

namespace fs = std::filesystem;

constexpr unsigned kMostIdle = 3;
const std::string kExclude = "--exclude=";

void writeFile(const fs::path& path, const std::string& text) {
  files::OutputFile file(path);
  file.write(text);
  file.commit();
}

std::vector<unsigned> shardsThatMiss(const SweepStore& store, unsigned shards) {
  std::set<unsigned> missing;
  const auto& points = store.plan().points;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!store.hasResult(points[i].key)) missing.insert(static_cast<unsigned>(i % shards) + 1);
  }
  return {missing.begin(), missing.end()};
}

/// Returns the nodes on which the program does not start.
std::vector<std::string> unfitNodes(const fs::path& folder) {
  std::vector<std::string> nodes;
  std::error_code none;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder / "log" / "unfit", none))
    nodes.push_back(entry.path().filename().string());
  std::sort(nodes.begin(), nodes.end());
  return nodes;
}

struct Options {
  std::vector<std::string> words;
  /// Nodes, separate as a second --exclude would replace the first.
  std::vector<std::string> excluded;
};

/// Returns the user's options. With sbatch, later options win.
Options optionsOf(const SubmitOrder& order) {
  Options options;
  for (const std::string& option : order.options) {
    if (option.rfind(kExclude, 0) == 0) {
      options.excluded.push_back(option.substr(kExclude.size()));
    } else {
      options.words.push_back(option);
    }
  }
  return options;
}

std::vector<std::string> joined(std::vector<std::string> front,
                                const std::vector<std::string>& back) {
  front.insert(front.end(), back.begin(), back.end());
  return front;
}

/// Returns the words for sbatch. The user's options may override `ours` but not `fixed`.
std::vector<std::string> sbatchWords(const Options& options, const fs::path& folder,
                                     const std::vector<std::string>& ours,
                                     const std::vector<std::string>& fixed) {
  std::vector<std::string> words = joined(joined(ours, options.words), fixed);
  words.push_back("--chdir=" + folder.string());
  const auto excluded = joined(options.excluded, unfitNodes(folder));
  if (!excluded.empty()) words.push_back(fmt::format("{}{}", kExclude, fmt::join(excluded, ",")));
  return words;
}

fs::path jobsFile(const fs::path& folder) {
  return folder / "slurm" / "jobs";
}

/// Returns the submitted jobs. The last one is the job behind the arrays.
std::vector<std::string> readJobs(const fs::path& folder) {
  std::vector<std::string> jobs;
  std::ifstream in(jobsFile(folder));
  for (std::string job; std::getline(in, job);) jobs.push_back(job);
  return jobs;
}

unsigned idleRounds(const SubmitRound& last, std::size_t missing, const fs::path& folder) {
  const unsigned idle = missing < last.missing ? 0 : last.idle + 1;
  if (idle < kMostIdle) return idle;
  throw std::runtime_error(
      fmt::format("{} points have no result, and {} rounds brought none; the files in {} say why, "
                  "and a job without one ran on a node that does not see the folder; expected "
                  "'fermata sweep submit' again once that is mended",
                  missing, idle, (folder / "log").string()));
}

void begin(const SweepStore& store, const fs::path& folder) {
  const auto counts = submittedJobs(store);
  if (counts && counts->running + counts->waiting != 0)
    refuse("jobs of this sweep are in the queue; expected them to end, or 'scancel {}'",
           fmt::join(readJobs(folder), " "));
  std::error_code ignored;
  fs::remove_all(folder / "log" / "unfit", ignored);
}

void makeFolders(const fs::path& folder) {
  for (const fs::path& part : {folder / "slurm", folder / "log" / "unfit"}) {
    std::error_code error;
    fs::create_directories(part, error);
    if (error) files::failWith(error.value(), "cannot make", part);
  }
}

/// Returns the arguments of the job behind the array.
std::vector<std::string> gatherArguments(const SubmitOrder& order, const fs::path& folder,
                                         const SubmitRound& round) {
  std::vector<std::string> arguments{"sweep",
                                     "submit",
                                     folder.string(),
                                     "--slurm",
                                     std::to_string(order.shards),
                                     "--after",
                                     fmt::format("{}/{}", round.missing, round.idle)};
  for (const std::string& option : order.options) arguments.push_back("--slurm-option=" + option);
  return arguments;
}

/// Submits shards in arrays of at most `most` elements. Further arrays have an offset on the index.
std::vector<std::string> submitArrays(const SubmitOrder& order, const fs::path& folder,
                                      const std::vector<unsigned>& shards, unsigned most) {
  std::map<unsigned, std::vector<unsigned>> indices;  // indices by offset
  for (const unsigned shard : shards) {
    const unsigned lacks = (shard - 1) / most * most;
    indices[lacks].push_back(shard - lacks);
  }
  std::vector<std::string> jobs;
  try {
    for (const auto& [lacks, some] : indices) {
      auto words =
          sbatchWords(optionsOf(order), folder, {"--job-name=fermata-sweep", "--no-requeue"},
                      {"--output=log/%A_%a.log", "--array=" + numberList(some)});
      words.push_back((folder / "slurm" / "shard.sh").string());
      words.push_back(std::to_string(lacks));
      jobs.push_back(submitJob(words));
    }
  } catch (...) {
    if (!jobs.empty()) cancelJobs(jobs);
    throw;
  }
  return jobs;
}

std::string submitGather(const SubmitOrder& order, const ScriptPlaces& places,
                         const SubmitRound& round, const std::vector<std::string>& jobs) {
  const Options options = optionsOf(order);
  const std::vector<std::string> ours{"--job-name=fermata-sweep-gather", "--requeue"};
  const std::string log = "--output=log/gather_%j.log";
  const fs::path script = places.folder / "slurm" / "gather.sh";
  writeFile(script, gatherScript(places, gatherArguments(order, places.folder, round),
                                 sbatchWords(options, places.folder, ours, {log}),
                                 fmt::format("{}", fmt::join(options.excluded, ","))));
  auto words = sbatchWords(options, places.folder, ours,
                           {log, fmt::format("--dependency=afterany:{}", fmt::join(jobs, ":"))});
  words.push_back(script.string());
  return submitJob(words);
}

}  // namespace

std::string submitSweep(const SweepStore& store, const SubmitOrder& order) {
  const fs::path folder = fs::canonical(store.folder());
  const auto& points = store.plan().points;
  const auto missing = static_cast<std::size_t>(
      std::count_if(points.begin(), points.end(),
                    [&](const SweepPoint& point) { return !store.hasResult(point.key); }));
  SubmitRound round{missing, 0};
  if (order.last) {
    round.idle = idleRounds(*order.last, missing, folder);
  } else {
    begin(store, folder);
  }
  const unsigned most = greatestArrayIndex();
  makeFolders(folder);
  const ScriptPlaces places{folder, fs::current_path(), copyProgram(folder)};
  writeFile(folder / "slurm" / "shard.sh", shardScript(places, order.shards));
  const std::vector<unsigned> shards = shardsThatMiss(store, order.shards);
  std::vector<std::string> jobs = submitArrays(order, folder, shards, most);
  try {
    jobs.push_back(submitGather(order, places, round, jobs));
  } catch (...) {
    cancelJobs(jobs);
    throw;
  }
  writeFile(jobsFile(folder), fmt::format("{}\n", fmt::join(jobs, "\n")));
  std::string text;
  for (const std::string& node : unfitNodes(folder))
    text += fmt::format("Node {} cannot run the program and is left out\n", node);
  return text + fmt::format(
                    "{} of {} points are missing: {} of {} shards submitted as job {}, and what "
                    "gathers them as job {}\nWhat they say: {}/log; to end them: scancel {}\n",
                    missing, points.size(), shards.size(), order.shards,
                    fmt::join(jobs.begin(), jobs.end() - 1, ", "), jobs.back(), folder.string(),
                    fmt::join(jobs, " "));
}

std::optional<JobCounts> submittedJobs(const SweepStore& store) {
  const std::vector<std::string> jobs = readJobs(store.folder());
  if (jobs.empty()) return std::nullopt;
  return jobsInQueue(jobs);
}

}  // namespace fermata::platforms
