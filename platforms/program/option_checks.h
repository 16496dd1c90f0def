// What options of the program accept.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>

namespace fermata::platforms {

/// Refuses an empty text. `what`: "a folder".
CLI::Validator notEmpty(const std::string& what);

/// A whole decimal number, `least` to `most`. The parser's own checks let a number through that is
/// too large for its type, as the largest there is, and read 010 as eight.
CLI::Validator wholeNumber(std::uint64_t least, std::uint64_t most = UINT64_MAX);

/// A decimal number, `least` to `most`, which are finite. The parser's own check of a range lets
/// NaN through, as no comparison with it holds.
CLI::Validator realNumber(double least, double most);

}  // namespace fermata::platforms
