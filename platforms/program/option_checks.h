// Validators for options of the program.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>

namespace fermata::platforms {

/// Refuses an empty text. `what` names the expected value: "a folder", which the help calls FOLDER.
CLI::Validator notEmpty(const std::string& what);

/// Accepts a whole decimal number from `least` to `most`. The parser's own checks clamp a number
/// too large for its type to the largest value, and read 010 as eight.
CLI::Validator wholeNumber(std::uint64_t least, std::uint64_t most = UINT64_MAX);

/// Accepts a decimal number from `least` to `most`, both finite. The parser's own range check lets
/// NaN through, as no comparison with NaN holds.
CLI::Validator realNumber(double least, double most);

}  // namespace fermata::platforms
