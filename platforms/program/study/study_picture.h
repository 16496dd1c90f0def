// The picture of a study: panels that gnuplot draws.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <fermata/files/output_set.h>
#include <fermata/platforms/program/study/study_run.h>

namespace fermata::platforms {

struct PictureSeries {
  std::string name;
  std::vector<std::optional<double>> values;  ///< one a place; absent: not drawn
};

struct PicturePanel {
  enum class Style : std::uint8_t { Bars, Stacked, Lines };
  std::string heading;
  std::string axis;  ///< what the places are; may be empty
  Style style{};
  std::vector<std::string> places;
  std::vector<PictureSeries> series;
};

/// The panels of a study of runs or searches that asks for a picture; none otherwise.
std::vector<PicturePanel> panels(const Study& study, const StudyCells& cells);

/// A script that needs nothing but gnuplot: it draws `title` and the panels as NAME.svg, where it
/// is run.
std::string gnuplotScript(const std::string& name, const std::string& title,
                          const std::vector<PicturePanel>& panels);

/// picture.gp in the folder, which must exist; nothing where there is no panel.
void writePicture(const Study& study, const std::vector<PicturePanel>& panels,
                  files::OutputSet& files, const std::filesystem::path& folder);

}  // namespace fermata::platforms
