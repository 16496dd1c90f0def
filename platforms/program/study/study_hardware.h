// Studies of the hardware of an elastic pipeline and of a conflict-aware schedule: tables 1 and 2
// of Gou and Gaydadjiev, Elastic Pipeline, CF 2011. They are computed from the parameters of a
// platform, without a run.
#pragma once

#include <filesystem>
#include <ostream>
#include <vector>

#include <fermata/platforms/program/study/study_report.h>
#include <fermata/results/files/output_set.h>

namespace fermata::platforms {

struct HardwareRow {
  HardwarePart part{};
  std::vector<double> amounts;  ///< per variant
};

/// Returns one row per part that the study prints or compares. Throws InputError at a variant whose
/// platform lacks the part.
std::vector<HardwareRow> hardwareRows(const Study& study);
/// Prints the rows of the parts that the study prints.
void printHardware(const Study& study, const std::vector<HardwareRow>& rows, std::ostream& out);
void writeHardware(const Study& study, const std::vector<HardwareRow>& rows,
                   files::OutputSet& files, const std::filesystem::path& folder);
/// Compares the study's `cost` entries. Throws InputError for an unknown claim.
std::vector<ComparedFigure> compareHardware(const Study& study,
                                            const std::vector<HardwareRow>& rows);

}  // namespace fermata::platforms
