// Reads launch files: TOML text in, LaunchDescription out. The format is documented in README.md.
#pragma once

#include <string>
#include <string_view>

#include <fermata/stimuli/launch/description.h>

namespace fermata::launch {

/// Parses a launch file and checks everything that does not depend on chosen parameters: keys,
/// types, names, syntax of expressions. Reads no other file. `path` is named in errors; relative
/// files start from its folder. Throws InputError.
LaunchDescription parseLaunchFile(std::string_view text, const std::string& path);
/// Reads a file and parses it with parseLaunchFile().
LaunchDescription readLaunchFile(const std::string& path);

}  // namespace fermata::launch
