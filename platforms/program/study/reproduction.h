// All studies in one go: what is published, what the model gives, and what explains the difference.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <fermata/platforms/compose/connector.h>
#include <fermata/platforms/program/study/study.h>
#include <fermata/platforms/program/study/study_report.h>
#include <fermata/platforms/program/work/keyed_work.h>
#include <fermata/results/progress.h>

namespace fermata::platforms {

struct ReproducedStudy {
  Study study;
  std::vector<ComparedFigure> figures;
  std::string failure;  ///< why there are none; empty: there are
};

struct ReproductionOrder {
  std::filesystem::path folder;  ///< for a folder per study, and a store of results in `store`
  WorkOrder work;
  Connector* connector = nullptr;
};

/// Computes every study. Work that several studies share runs once, and what an earlier call has
/// stored does not run again. A study that cannot be computed keeps its reason. Throws InputError
/// and files::OutputError.
std::vector<ReproducedStudy> reproduce(std::vector<Study> studies, const ReproductionOrder& order,
                                       results::Progress& progress);

/// Returns how far ours is from the published figure: in percentage points if its unit is percent,
/// else in percent of the published figure; 0 for equal texts. Nothing if there is no such number.
std::optional<double> pointsOff(const ComparedFigure& figure);

}  // namespace fermata::platforms
