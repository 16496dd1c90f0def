// The file of a platform that is named in another file or on a command line.
#pragma once

#include <filesystem>
#include <string>

namespace fermata::platforms {

/// Returns the path of a platform's file: `name` itself, relative to `folder`, if it has a slash or
/// ends in ".toml"; otherwise NAME.toml in `folder`, or the shipped one. Empty if there is none.
std::string platformFile(const std::string& name, const std::filesystem::path& folder);

}  // namespace fermata::platforms
