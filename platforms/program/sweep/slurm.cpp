#include <fermata/platforms/program/sweep/slurm.h>

#include <fermata/platforms/program/command.h>
#include <fermata/stimuli/refuse.h>

#include <fmt/format.h>

#include <cstdlib>
#include <sstream>
#include <stdexcept>

namespace fermata::platforms {

namespace {

const char* const kNeeded = "Slurm's commands in the PATH (Debian: slurm-client)";

std::string numberAtFrontOf(const std::string& text) {
  return text.substr(0, text.find_first_not_of("0123456789"));
}

}  // namespace

unsigned greatestArrayIndex() {
  const CommandOutcome config =
      runCommand({"scontrol", "show", "config"}, CommandErrors::Shown, kNeeded);
  std::istringstream lines(config.output);
  for (std::string line; config.code == 0 && std::getline(lines, line);) {
    if (line.rfind("MaxArraySize ", 0) != 0) continue;
    const std::size_t value = line.find_first_of("0123456789");
    const auto size = value == std::string::npos ? 0 : std::strtoul(&line[value], nullptr, 10);
    if (size < 2) refuse("Slurm takes no arrays of jobs here; expected MaxArraySize of 2 or more");
    return static_cast<unsigned>(size) - 1;
  }
  throw std::runtime_error(
      "'scontrol show config' does not say MaxArraySize: Slurm's controller "
      "does not answer");
}

std::string submitJob(const std::vector<std::string>& words) {
  std::vector<std::string> command{"sbatch", "--parsable"};
  command.insert(command.end(), words.begin(), words.end());
  const CommandOutcome outcome = runCommand(command, CommandErrors::Shown, kNeeded);
  const std::string job = numberAtFrontOf(outcome.output);  // may be followed by ";CLUSTER"
  if (outcome.code != 0 || job.empty())
    throw std::runtime_error(fmt::format("sbatch refuses the job (exit code {})", outcome.code));
  return job;
}

void cancelJobs(const std::vector<std::string>& jobs) {
  std::vector<std::string> command{"scancel"};
  command.insert(command.end(), jobs.begin(), jobs.end());
  runCommand(command, CommandErrors::Shown, kNeeded);
}

JobCounts jobsInQueue(const std::vector<std::string>& jobs) {
  JobCounts counts;
  // One call each: squeue refuses a list that has a forgotten job.
  for (const std::string& job : jobs) {
    CommandOutcome queue;
    try {
      queue = runCommand({"squeue", "--noheader", "--array", "--format=%T", "--jobs=" + job},
                         CommandErrors::Hidden, kNeeded);
    } catch (const InputError&) {
      return {};
    }
    if (queue.code != 0) continue;
    std::istringstream lines(queue.output);
    for (std::string state; std::getline(lines, state);)
      ++(state == "PENDING" ? counts.waiting : counts.running);
  }
  return counts;
}

std::string numberList(const std::vector<unsigned>& numbers) {
  std::string list;
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t last = i;
    while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) ++last;
    list += fmt::format("{}{}", list.empty() ? "" : ",", numbers[i]);
    if (last != i) list += fmt::format("-{}", numbers[last]);
    i = last + 1;
  }
  return list;
}

}  // namespace fermata::platforms
