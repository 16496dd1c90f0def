// The scripts that Slurm runs on its nodes.
#pragma once

#include <fermata/platforms/program/sweep/sweep_program.h>

#include <filesystem>
#include <string>
#include <vector>

namespace fermata::platforms {

struct ScriptPlaces {
  std::filesystem::path folder;  ///< of the sweep
  std::filesystem::path work;    ///< base folder of relative workload names
  ProgramCopy copy;
};

/// Returns a script that runs one shard of `shards`: its number is the array's index plus the
/// script's argument. If the program does not start on a node, the node and the reason are noted in
/// log/unfit of the folder.
std::string shardScript(const ScriptPlaces& places, unsigned shards);

/// Returns a script that runs the program with `arguments`. If the program does not start on a
/// node, the script submits itself again, by sbatch with `options`, for a node that is neither this
/// one nor one of `excluded`.
std::string gatherScript(const ScriptPlaces& places, const std::vector<std::string>& arguments,
                         const std::vector<std::string>& options, const std::string& excluded);

}  // namespace fermata::platforms
