// Comma-separated values as RFC 4180 writes them: a field is quoted when it has to be, a quote
// within it is doubled. Lines end in LF. Numbers are written so that they read back to the same
// value.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace fermata::results {

/// Appends the field, quoted when it holds a comma, a quote or a line break.
void appendField(std::string& line, std::string_view field);

/// The shortest decimal form that reads back to the same double, independent of the locale.
std::string number(double value);

}  // namespace fermata::results
