// Parses a TOML file with the TOML library and turns its errors into InputError.
#pragma once

#include <toml++/toml.h>

#include <string>
#include <string_view>

#include <fermata/stimuli/input_error.h>

namespace fermata {

/// Parses a text; errors name `file`. Throws InputError with what is wrong, "; expected " and
/// `expected`, for instance "a study in TOML".
toml::table parseToml(std::string_view text, const std::string& file, const std::string& expected);
/// Returns the text of a file. Throws InputError with the message `refusal` if it cannot be read:
/// it is missing, a folder, or not permitted.
std::string readTextFile(const std::string& file, const std::string& refusal);
/// Reads and parses a file. Throws like parseToml(), and also if the file cannot be read.
toml::table parseTomlFile(const std::string& file, const std::string& expected);

/// Returns the place of a key or a value: placeOf(file, node.source()).
SourceLocation placeOf(const std::string& file, const toml::source_region& region);

/// Returns what a node is, for errors: "an integer", "a table" ..
std::string describeType(const toml::node& node);

}  // namespace fermata
