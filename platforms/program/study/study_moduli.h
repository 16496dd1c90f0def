// Studies of the hardware of `ami M`: what each modulus costs, and the published counts beside it.
#pragma once

#include <filesystem>
#include <ostream>
#include <vector>

#include <fermata/files/output_set.h>
#include <fermata/platforms/program/study/study_picture.h>
#include <fermata/platforms/program/study/study_report.h>

namespace fermata::platforms {

struct ModulusRow {
  std::uint32_t modulus = 0;
  unsigned levels = 0;      ///< rows of the array a digit
  unsigned width = 0;       ///< of a digit, in bits
  unsigned fullAdders = 0;  ///< for addresses of Study::addressBits
  /// The axis of figure 3: address bits times levels, to which the paper says the area is
  /// proportional.
  unsigned area = 0;
};

std::vector<ModulusRow> modulusRows(const Study& study);
void printModuli(const Study& study, const std::vector<ModulusRow>& rows, std::ostream& out);
void writeModuli(const std::vector<ModulusRow>& rows, files::OutputSet& files,
                 const std::filesystem::path& folder);
std::vector<PicturePanel> panels(const std::vector<ModulusRow>& rows);

/// The study's `figure`s. Throws InputError for an unknown claim.
std::vector<ComparedFigure> compareModuli(const Study& study, const std::vector<ModulusRow>& rows);

}  // namespace fermata::platforms
