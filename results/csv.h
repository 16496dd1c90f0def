// Comma-separated values as RFC 4180 writes them: a field is quoted when it has to be, a quote
// within it is doubled. Lines end in LF. Numbers are written so that they read back to the same
// value.
//
// Names come from outside (files, kernels, programs) and may hold anything:
//
//   two<LF>lines      ->  two\nlines
//   <ESC>[31m         ->  \x1b[31m
//   caf<E9>           ->  caf\xe9          no UTF-8
//   =HYPERLINK("x")   ->  "'=HYPERLINK(""x"")"
//   -1.5              ->  -1.5             a number
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace fermata::results {

/// Returns the text with each control character and each byte that is no UTF-8 written as an
/// escape. A backslash of its own stays as it is.
std::string printable(std::string_view text);

/// Appends a field that people and spreadsheets can open: printable, on one line, and with an
/// apostrophe before a leading = + - or @ (which spreadsheets take for a formula) unless it is a
/// number.
void appendField(std::string& line, std::string_view field);

/// Appends the field so that it reads back to the same bytes.
void appendExactField(std::string& line, std::string_view field);

/// Returns the shortest decimal form that reads back to the same double, independent of the locale.
std::string number(double value);

}  // namespace fermata::results
