// Beginning of every script for a picture that gnuplot draws.
#pragma once

#include <cstddef>
#include <string>

namespace fermata::results {

/// Returns a text as gnuplot reads it: in quotes, on one line.
std::string gnuplotText(const std::string& text);

/// Sizes of a picture, in pixels.
struct PictureSize {
  std::size_t width = 0;
  std::size_t height = 0;
  std::size_t font = 13;
};

/// Rows and columns of a picture's panels.
struct PanelGrid {
  std::size_t rows = 1;
  std::size_t columns = 1;
};

/// Returns the head of a script that needs nothing but gnuplot. The script draws NAME.svg in the
/// folder where it is run, with the panels of `grid` under `title`. It must end with "unset
/// multiplot". `file`: the script's own name.
std::string gnuplotHead(const std::string& file, const std::string& name, const PictureSize& size,
                        const PanelGrid& grid, const std::string& title);

}  // namespace fermata::results
