// The batch system Slurm, used through its commands.
#pragma once

#include <string>
#include <vector>

namespace fermata::platforms {

/// Returns the greatest index that Slurm allows in an array of jobs. Throws InputError if Slurm is
/// not installed, std::runtime_error if it does not answer.
unsigned greatestArrayIndex();

/// Submits a job with sbatch: options, then the command to run. Returns the job's number.
/// Complaints of sbatch go to standard error. Throws InputError if there is no sbatch,
/// std::runtime_error if it refuses.
std::string submitJob(const std::vector<std::string>& words);

/// Cancels jobs; failures are ignored.
void cancelJobs(const std::vector<std::string>& jobs);

struct JobCounts {
  unsigned running = 0;
  unsigned waiting = 0;
};
/// Counts the jobs still in the queue; each element of an array counts. Counts none if Slurm is
/// missing or no longer knows the jobs.
JobCounts jobsInQueue(const std::vector<std::string>& jobs);

/// Formats ascending numbers for options of Slurm: "1-3,7".
std::string numberList(const std::vector<unsigned>& numbers);

}  // namespace fermata::platforms
