// Bounds of the runs of a folder, as JSON for the page.
#pragma once

#include <fermata/platforms/program/report/report_input.h>

#include <nlohmann/json.hpp>

namespace fermata::platforms {

/// Returns one entry per run that has a row in bound.csv; null: the folder has no such table.
nlohmann::ordered_json boundsJson(const ReportInput& input);

}  // namespace fermata::platforms
