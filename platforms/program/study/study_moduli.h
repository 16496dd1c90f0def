// Studies of the hardware of `ami M` and `seznec M`, by modulus, beside published counts.
#pragma once

#include <filesystem>
#include <optional>
#include <ostream>
#include <vector>

#include <fermata/platforms/program/study/study_picture.h>
#include <fermata/platforms/program/study/study_report.h>
#include <fermata/results/files/output_set.h>

namespace fermata::platforms {

struct ModulusRow {
  std::uint32_t modulus = 0;
  unsigned levels = 0;      ///< rows of the array per digit
  unsigned width = 0;       ///< bits of a digit
  unsigned fullAdders = 0;  ///< for addresses of Study::addressBits
  /// Address bits times levels: the axis of figure 3. The paper says that the area is proportional
  /// to it.
  unsigned area = 0;

  /// A mapping by this modulus, for a memory of Study::modulusWords words.
  struct Built {
    std::optional<double> gates;  ///< gate equivalents for bank and row of a lane; empty: no price
    std::uint32_t rows = 0;       ///< of each bank
  };
  Built ami{};
  Built seznec{};
};

std::vector<ModulusRow> modulusRows(const Study& study);
void printModuli(const Study& study, const std::vector<ModulusRow>& rows, std::ostream& out);
void writeModuli(const Study& study, const std::vector<ModulusRow>& rows, files::OutputSet& files,
                 const std::filesystem::path& folder);
/// Returns the picture: gates, if the study has a memory; otherwise levels and widths.
std::vector<PicturePanel> panels(const Study& study, const std::vector<ModulusRow>& rows);

/// Compares the study's `figure` entries. Throws InputError for an unknown claim.
std::vector<ComparedFigure> compareModuli(const Study& study, const std::vector<ModulusRow>& rows);

}  // namespace fermata::platforms
