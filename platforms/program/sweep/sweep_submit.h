// A sweep as Slurm jobs: an array of shards, and a job after it. That job submits missing points
// again until none is left, then merges.
#pragma once

#include <fermata/platforms/program/sweep/slurm.h>
#include <fermata/platforms/program/sweep/sweep_store.h>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace fermata::platforms {

/// State of the sweep when its last array was submitted.
struct SubmitRound {
  std::size_t missing = 0;  ///< missing points
  unsigned idle = 0;        ///< consecutive rounds before it without progress
};

struct SubmitOrder {
  unsigned shards = 1;
  std::vector<std::string> options;  ///< words for sbatch
  std::optional<SubmitRound> last;   ///< empty: called by a person, not by the job after an array
};

/// Submits the shards with missing points; returns a message for the user. If `order.last` is
/// empty, earlier jobs of the sweep must have left the queue, and the list of unfit nodes is
/// cleared. Throws InputError, files::OutputError or OutputRefused; std::runtime_error if Slurm
/// refuses or three rounds made no progress. Precondition: points are missing.
std::string submitSweep(const SweepStore& store, const SubmitOrder& order);

/// Counts the jobs of the last submit that are still in the queue; empty if there was no submit.
std::optional<JobCounts> submittedJobs(const SweepStore& store);

}  // namespace fermata::platforms
