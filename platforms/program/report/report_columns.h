// Columns of a table as compact JSON.
#pragma once

#include <fermata/platforms/program/report/report_gates.h>
#include <fermata/platforms/program/report/report_input.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace fermata::platforms {

/// Rounds to at most seven digits; NaN becomes null.
nlohmann::ordered_json jsonNumber(double value);

/// Returns {levels, codes} if that is shorter, otherwise {values}. Cells become numbers if all of
/// them are numbers; empty cells become null.
nlohmann::ordered_json jsonCells(const std::vector<std::string>& cells);
nlohmann::ordered_json jsonNumbers(const std::vector<double>& values);

struct JsonColumns {
  nlohmann::ordered_json columns = nlohmann::ordered_json::array();
  /// Columns with one value throughout.
  nlohmann::ordered_json same = nlohmann::ordered_json::array();
};

/// Returns the columns that tell the points apart and the figures that a reader compares.
JsonColumns pointColumns(const ReportInput& input, const MappingGates& gates);

}  // namespace fermata::platforms
