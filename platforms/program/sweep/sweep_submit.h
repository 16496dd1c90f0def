// A sweep as jobs of Slurm: an array of shards, and behind it a job that submits again what is
// missing, until nothing is, and then merges.
#pragma once

#include <fermata/platforms/program/sweep/slurm.h>
#include <fermata/platforms/program/sweep/sweep_store.h>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace fermata::platforms {

/// How it stood when the last array was submitted.
struct SubmitRound {
  std::size_t missing = 0;  ///< points
  unsigned idle = 0;        ///< rounds before it, without a break, that brought nothing
};

struct SubmitOrder {
  unsigned shards = 1;
  std::vector<std::string> options;  ///< words for sbatch
  std::optional<SubmitRound> last;   ///< none: a person asks, not the job behind an array
};

/// Submits the shards that miss points. `order.last` is none: earlier jobs of the sweep must have
/// left the queue, and what was said against nodes is forgotten. Returns what to tell. Throws
/// InputError, files::OutputError or OutputRefused, std::runtime_error where Slurm refuses or where
/// three rounds brought nothing. Precondition: points are missing.
std::string submitSweep(const SweepStore& store, const SubmitOrder& order);

/// Those of the last submit that are still in the queue; none where there was no submit.
std::optional<JobCounts> submittedJobs(const SweepStore& store);

}  // namespace fermata::platforms
