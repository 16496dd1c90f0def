// Draws pictures with gnuplot, where it is installed.
#pragma once

#include <filesystem>
#include <string>

namespace fermata::platforms {

/// Draws NAME.svg by the picture.gp of a folder. Returns the picture; an empty path if there is
/// no picture.gp, or if gnuplot fails (which a warning says).
std::filesystem::path drawPicture(const std::filesystem::path& folder, const std::string& name);

}  // namespace fermata::platforms
