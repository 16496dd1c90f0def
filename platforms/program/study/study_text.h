// Formats the figures of a study: cells of a table for a person, lines of CSV.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <fermata/platforms/program/study/study.h>

namespace fermata::platforms {

/// Formats for a person, rounded to suit the measure; "-" if there is no value.
std::string shown(std::optional<double> value, Measure measure);
/// Returns the pieces of a text between separators; none behind a last separator.
std::vector<std::string> split(const std::string& text, char separator);

}  // namespace fermata::platforms
