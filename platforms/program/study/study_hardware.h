// Studies of the hardware of an elastic pipeline and of a conflict-aware schedule: tables 1 and 2
// of Gou and Gaydadjiev, Elastic Pipeline, CF 2011, from the parameters of a platform. Nothing
// runs.
#pragma once

#include <filesystem>
#include <ostream>
#include <vector>

#include <fermata/files/output_set.h>
#include <fermata/platforms/program/study/study_report.h>

namespace fermata::platforms {

struct HardwareRow {
  HardwarePart part{};
  std::vector<double> amounts;  ///< by variant
};

/// A row for each part that the study prints or compares. Throws InputError at a variant whose
/// platform has no such part.
std::vector<HardwareRow> hardwareRows(const Study& study);
/// Those that it prints.
void printHardware(const Study& study, const std::vector<HardwareRow>& rows, std::ostream& out);
void writeHardware(const Study& study, const std::vector<HardwareRow>& rows,
                   files::OutputSet& files, const std::filesystem::path& folder);
/// The study's `cost`s. Throws InputError for an unknown claim.
std::vector<ComparedFigure> compareHardware(const Study& study,
                                            const std::vector<HardwareRow>& rows);

}  // namespace fermata::platforms
