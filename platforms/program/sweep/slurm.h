// The batch system Slurm, through its commands.
#pragma once

#include <string>
#include <vector>

namespace fermata::platforms {

/// The greatest index that an array of jobs may have here. Throws InputError where Slurm is not
/// there, std::runtime_error where it does not answer.
unsigned greatestArrayIndex();

/// Hands a job to sbatch, with these options and what it runs; its number. What sbatch complains of
/// is on standard error. Throws InputError where there is no sbatch, std::runtime_error where it
/// refuses.
std::string submitJob(const std::vector<std::string>& words);

/// Takes jobs back, as far as that goes.
void cancelJobs(const std::vector<std::string>& jobs);

struct JobCounts {
  unsigned running = 0;
  unsigned waiting = 0;
};
/// What of these jobs is in the queue, each element of an array counted; none where Slurm is not
/// there or does not know them any more.
JobCounts jobsInQueue(const std::vector<std::string>& jobs);

/// "1-3,7": ascending numbers as options of Slurm name them.
std::string numberList(const std::vector<unsigned>& numbers);

}  // namespace fermata::platforms
