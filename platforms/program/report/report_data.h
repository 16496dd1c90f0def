// All that a page shows, as JSON: what was read, and what follows from it.
#pragma once

#include <fermata/platforms/program/report/report_details.h>
#include <fermata/platforms/program/report/report_gates.h>
#include <fermata/platforms/program/report/report_input.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace fermata::platforms {

/// {
///   name, description, kind: "sweep" or "run", points, planned, failed: table or null,
///   columns: [{name, title, unit, description, values: [...]} or, instead of values, {levels,
///             codes}: values[i] is levels[codes[i]]; null: none],
///   same: [{title, value}],             what is the same in every point
///   axes: {cycles: [{name, range, values: [{value, points, mean, least, most, best}]}], energy:
///   ..} works: {names, codes},              what is compared with what: kernel and its parameters
///   fronts: [{name, relative, rows, cycles, energy, gates, front}],   numbers into the arrays
///   conflicts: {kernels, mappings, percent: [kernel][mapping], cycles: the same; null: no point}
///   details: [{row, label, banks, lines, accesses, note, source_note}],
///   missing: {energy, gates}            why there is none; null: there is
/// }
nlohmann::ordered_json reportData(const ReportInput& input, const MappingGates& gates,
                                  const std::vector<RunDetail>& details);

/// "transpose tile=32, ami 33".
std::string runLabel(const ReportInput& input, std::size_t row);

}  // namespace fermata::platforms
