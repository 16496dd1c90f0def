// Draws a study: panels for gnuplot.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <fermata/platforms/program/study/study_run.h>
#include <fermata/results/files/output_set.h>

namespace fermata::platforms {

struct PictureSeries {
  std::string name;
  std::vector<std::optional<double>> values;  ///< one per place; empty: not drawn
};

struct PicturePanel {
  enum class Style : std::uint8_t { Bars, Stacked, Lines };
  std::string heading;
  std::string axis;       ///< name of the places; may be empty
  std::string unit;       ///< of the values, with their name
  bool isFactor = false;  ///< a line at 1 shows what is neither gain nor loss
  Style style{};
  std::vector<std::string> places;
  std::vector<PictureSeries> series;
};

/// Returns the panels of a study of runs or searches that asks for a picture, otherwise none.
std::vector<PicturePanel> panels(const Study& study, const StudyCells& cells);

/// Returns a self-contained gnuplot script that draws `title` and the panels to NAME.svg in the
/// current folder.
std::string gnuplotScript(const std::string& name, const std::string& title,
                          const std::vector<PicturePanel>& panels);

/// Writes picture.gp to the folder, which must exist. Writes nothing if there is no panel.
void writePicture(const Study& study, const std::vector<PicturePanel>& panels,
                  files::OutputSet& files, const std::filesystem::path& folder);

}  // namespace fermata::platforms
