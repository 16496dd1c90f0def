// The scripts that Slurm runs on its nodes.
#pragma once

#include <fermata/platforms/program/sweep/sweep_program.h>

#include <filesystem>
#include <string>
#include <vector>

namespace fermata::platforms {

struct ScriptPlaces {
  std::filesystem::path folder;  ///< of the sweep
  std::filesystem::path work;    ///< where relative names of workloads lead from
  ProgramCopy copy;
};

/// Works on a shard of `shards`: that of the array's index and the script's argument together. A
/// node on which the program does not start is noted in log/unfit of the folder, with why.
std::string shardScript(const ScriptPlaces& places, unsigned shards);

/// Runs the program with `arguments`. On a node on which it does not start it submits itself
/// again, by sbatch with `options`, for another node that is none of those `excluded`.
std::string gatherScript(const ScriptPlaces& places, const std::vector<std::string>& arguments,
                         const std::vector<std::string>& options, const std::string& excluded);

}  // namespace fermata::platforms
