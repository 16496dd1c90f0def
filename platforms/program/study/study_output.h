// Everything that a study shows: printed, and written to its folder.
#pragma once

#include <filesystem>
#include <ostream>
#include <vector>

#include <fermata/platforms/program/study/study_report.h>
#include <fermata/platforms/program/study/study_run.h>
#include <fermata/results/files/output_set.h>

namespace fermata::platforms {

/// Prints the study's figures and adds its files to the set; the folder must exist. Returns the
/// comparisons. `cells`: of a study of runs or searches. Throws InputError.
std::vector<ComparedFigure> reportStudy(const Study& study, const StudyCells& cells,
                                        const StudyProgress& progress, std::ostream& out,
                                        files::OutputSet& files,
                                        const std::filesystem::path& folder);

}  // namespace fermata::platforms
