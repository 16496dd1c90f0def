// Refuses a folder where a file is expected: a beginner's slip, whose system message would not
// help.
#pragma once

#include <filesystem>
#include <string>
#include <system_error>

#include <fermata/stimuli/input_error.h>

namespace fermata {

/// Throws InputError at `where` if `path` is a folder. `expected` says what would be right, for
/// instance "a launch file (.toml)".
inline void refuseFolder(const std::filesystem::path& path, const std::string& expected,
                         const SourceLocation& where = {}) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error))
    throw InputError(where, "'" + path.string() + "' is a folder; expected " + expected);
}

}  // namespace fermata
