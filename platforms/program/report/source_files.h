// Source files that the instructions of a kernel name, with the hash of what they held: a report
// shows lines of these alone.
#pragma once

#include <fermata/results/rows.h>
#include <fermata/stimuli/launch/launch_workload.h>

#include <string>
#include <string_view>
#include <vector>

namespace fermata::platforms {

/// The table of `run --out` that has them.
inline constexpr const char* kSourcesFile = "sources.csv";

struct SourceFile {
  std::string name;  ///< without its folder, as column source_file of the other tables
  std::string hash;  ///< sourceHash() of its bytes
};

/// XXH3-128, in 32 hexadecimal digits.
std::string sourceHash(std::string_view bytes);

/// Sources of a kernel, sorted by name: its file and the headers that its instructions name, as
/// far as they lie beside it or in a folder that the launch file includes. A name has two entries
/// where two folders have a file of that name.
std::vector<SourceFile> sourcesOf(const launch::LaunchWorkload& kernel);

results::Columns sourceColumns();
std::vector<results::Row> sourceRows(const std::vector<SourceFile>& sources);

}  // namespace fermata::platforms
