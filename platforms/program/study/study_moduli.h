// Studies of the hardware of `ami M`: the cost of each modulus, beside published counts.
#pragma once

#include <filesystem>
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
};

std::vector<ModulusRow> modulusRows(const Study& study);
void printModuli(const Study& study, const std::vector<ModulusRow>& rows, std::ostream& out);
void writeModuli(const std::vector<ModulusRow>& rows, files::OutputSet& files,
                 const std::filesystem::path& folder);
std::vector<PicturePanel> panels(const std::vector<ModulusRow>& rows);

/// Compares the study's `figure` entries. Throws InputError for an unknown claim.
std::vector<ComparedFigure> compareModuli(const Study& study, const std::vector<ModulusRow>& rows);

}  // namespace fermata::platforms
