// Everything that a page shows, as JSON: the tables read, and the figures derived from them.
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
///   same: [{title, value}],             columns with one value in every point
///   bounds: [{row, run, bound, text, slots: {use: issue-slot cycles}, sms, cycles, instructions,
///             wavefronts, ideal, resident, occupancy, limiter, least, most}],   null: not known
///   references: [row or null]           per row: that under the platform's own mapping; null: none
///   axes: {cycles: [{name, range, values: [{value, points, mean, least, most, best}]}],
///          energy: ...},
///   works: {names, codes},              the unit of comparison: kernel and its parameters
///   fronts: [{name, relative, rows, cycles, energy, gates, front}],   indices into the arrays
///   conflicts: {kernels, mappings, percent: [kernel][mapping], cycles: [kernel][mapping]},
///                                       null: no point
///   details: [{row, label, banks, lines, accesses, note, source_note}],
///   missing: {energy, gates}            why energy or gates are absent; null: present
/// }
nlohmann::ordered_json reportData(const ReportInput& input, const MappingGates& gates,
                                  const std::vector<RunDetail>& details);

/// Returns a label such as "transpose tile=32, ami 33".
std::string runLabel(const ReportInput& input, std::size_t row);

}  // namespace fermata::platforms
