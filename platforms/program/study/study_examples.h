// Worked examples of a paper: a mapping's layout, the conflicts of an access, what a search chooses
// on a few accesses. Nothing runs.
#pragma once

#include <vector>

#include <fermata/platforms/program/study/study_report.h>

namespace fermata::platforms {

/// Computes every example of the study, beside its claim. Throws InputError.
std::vector<ComparedFigure> compareExamples(const Study& study);

}  // namespace fermata::platforms
