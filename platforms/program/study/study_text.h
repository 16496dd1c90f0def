// How a study writes its figures: cells of a table for a person, lines of CSV.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <fermata/platforms/program/study/study.h>

namespace fermata::platforms {

/// For a person, rounded as suits the measure; "-": there is none.
std::string shown(std::optional<double> value, Measure measure);
/// For a program: every digit; empty: there is none.
std::string csvNumber(std::optional<double> value);
/// The fields as a line of CSV.
std::string csvLine(const std::vector<std::string>& fields);

}  // namespace fermata::platforms
