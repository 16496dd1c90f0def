// Reads launch files: TOML text in, LaunchDescription out. The format is documented in README.md.
#pragma once

#include <string>
#include <string_view>

#include <fermata/stimuli/launch/description.h>

namespace fermata::launch {

/// Everything that can be checked without choosing parameters is checked: keys, types, names,
/// syntax of expressions. Reads no other file. `path` is named in errors; relative files start from
/// its folder. Throws InputError.
LaunchDescription parseLaunchFile(std::string_view text, const std::string& path);
/// The same from a file.
LaunchDescription readLaunchFile(const std::string& path);

}  // namespace fermata::launch
