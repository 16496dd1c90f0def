// Draws pictures with gnuplot, where it is installed.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace fermata::platforms {

/// Draws NAME.svg by the picture.gp of a folder. Returns the picture; an empty path if there is no
/// picture.gp; nothing if gnuplot fails or is not there, which a warning says.
std::optional<std::filesystem::path> drawPicture(const std::filesystem::path& folder,
                                                 const std::string& name);

/// Draws demo.svg from the runs.csv that the demo wrote into a folder. Returns the picture; nothing
/// if gnuplot fails or is not there, which a warning says.
std::optional<std::filesystem::path> drawDemo(const std::filesystem::path& folder);

}  // namespace fermata::platforms
