// Reference of each point of a sweep: the point under the platform's own mapping.
#pragma once

#include <fermata/platforms/program/report/report_input.h>

#include <nlohmann/json.hpp>

namespace fermata::platforms {

/// Returns, per row, the row that differs from it in the mapping alone and has the mapping of the
/// platform's file; null: no such point. Null as a whole: no point has a reference.
nlohmann::ordered_json referencesJson(const ReportInput& input);

}  // namespace fermata::platforms
