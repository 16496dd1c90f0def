#include <fermata/platforms/program/sweep/sweep_scripts.h>

#include <fermata/platforms/program/command.h>

#include <fmt/format.h>

namespace fermata::platforms {

namespace {

std::string words(const std::vector<std::string>& all) {
  std::string text;
  for (const std::string& word : all) text += ' ' + shellWord(word);
  return text;
}

/// Returns the start of a script: checks whether the node can run the program. `otherwise`:
/// commands to run if it cannot.
std::string beginning(const ScriptPlaces& places, const std::string& otherwise) {
  return fmt::format(R"(#!/bin/sh
# Written by 'fermata sweep submit', anew each time.
folder={}
program={}
FERMATA_DATA={}
LC_ALL=C
export FERMATA_DATA LC_ALL
node=${{SLURMD_NODENAME:-$(hostname)}}
unfit() {{
  printf 'fermata: error: node %s: %s\n' "$node" "$1" >&2
  printf '%s\n' "$1" >"$folder/log/unfit/$node"
{}  exit 1
}}
cd {} || unfit 'the folder that the sweep was submitted in is not there; expected the same files on every node'
[ -x "$program" ] || unfit "$program is not there; expected the sweep's folder on every node"
why=$("$program" --version 2>&1) ||
  unfit "the program does not start: $why; expected the libraries that it needs on every node"
)",
                     shellWord(places.folder.string()), shellWord(places.copy.program.string()),
                     shellWord(places.copy.data.string()), otherwise,
                     shellWord(places.work.string()));
}

}  // namespace

std::string shardScript(const ScriptPlaces& places, unsigned shards) {
  return beginning(places, "") +
         fmt::format(
             "exec \"$program\" sweep work \"$folder\" --shard "
             "$((SLURM_ARRAY_TASK_ID + $1))/{} -j \"${{SLURM_CPUS_PER_TASK:-1}}\"\n",
             shards);
}

std::string gatherScript(const ScriptPlaces& places, const std::vector<std::string>& arguments,
                         const std::vector<std::string>& options, const std::string& excluded) {
  const std::string again = fmt::format(
      "  exec sbatch{} --exclude={}\"$(ls \"$folder/log/unfit\" | paste -s -d , -)\" {}\n",
      words(options), shellWord(excluded.empty() ? "" : excluded + ','),
      shellWord((places.folder / "slurm" / "gather.sh").string()));
  return beginning(places, again) + "exec \"$program\"" + words(arguments) + '\n';
}

}  // namespace fermata::platforms
