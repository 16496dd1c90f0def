// Columns of a table as compact JSON.
#pragma once

#include <fermata/platforms/program/report/report_gates.h>
#include <fermata/platforms/program/report/report_input.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace fermata::platforms {

/// As short as seven digits allow; NaN is null.
nlohmann::ordered_json jsonNumber(double value);

/// {levels, codes} where that is shorter, else {values}. Cells that are numbers, all of them, are
/// numbers; empty cells are null.
nlohmann::ordered_json jsonCells(const std::vector<std::string>& cells);
nlohmann::ordered_json jsonNumbers(const std::vector<double>& values);

struct JsonColumns {
  nlohmann::ordered_json columns = nlohmann::ordered_json::array();
  nlohmann::ordered_json same = nlohmann::ordered_json::array();  ///< of one value
};

/// Of the points: what tells them apart, and the figures that a reader compares.
JsonColumns pointColumns(const ReportInput& input, const MappingGates& gates);

}  // namespace fermata::platforms
