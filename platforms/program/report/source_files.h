// Source files named by the instructions of a kernel, with the hash of their content. A report
// shows lines of these files only.
#pragma once

#include <fermata/results/rows.h>
#include <fermata/stimuli/launch/launch_workload.h>

#include <string>
#include <string_view>
#include <vector>

namespace fermata::platforms {

/// File name of their table in `run --out`.
inline constexpr const char* kSourcesFile = "sources.csv";

struct SourceFile {
  std::string name;  ///< without its folder, as in column source_file of other tables
  std::string hash;  ///< sourceHash() of its bytes
};

/// Returns the XXH3-128 hash, as 32 hexadecimal digits.
std::string sourceHash(std::string_view bytes);

/// Returns a kernel's sources, sorted by name: its file and the headers that its instructions name,
/// if they lie beside it or in a folder that the launch file includes. A name has two entries if
/// two folders have a file of that name.
std::vector<SourceFile> sourcesOf(const launch::LaunchWorkload& kernel);

results::Columns sourceColumns();
std::vector<results::Row> sourceRows(const std::vector<SourceFile>& sources);

}  // namespace fermata::platforms
