// A limit on the parts of dotted keys, which the TOML library lacks.
#pragma once

#include <string>
#include <string_view>

namespace fermata {

/// Largest number of parts of a key: a.b.c has three. Each part is a table in a table, and the
/// library destroys nested tables by recursion: the depth must be bounded.
inline constexpr unsigned kMostKeyParts = 32;

/// Throws InputError at the first key of more than kMostKeyParts parts. Skips strings and comments
/// and finds no other error of the text.
void checkKeyDepth(std::string_view text, const std::string& file);

}  // namespace fermata
