// A limit of dotted keys, which the TOML library has not.
#pragma once

#include <string>
#include <string_view>

namespace fermata {

/// Parts that a key may have: a.b.c has three. Each is a table in a table, which the library
/// destroys by recursion.
inline constexpr unsigned kMostKeyParts = 32;

/// Throws InputError at the first key of more than kMostKeyParts parts. Strings and comments are
/// skipped; no other error of the text is found here.
void checkKeyDepth(std::string_view text, const std::string& file);

}  // namespace fermata
