// A TOML file as the TOML library parses it, with errors of ours.
#pragma once

#include <toml++/toml.h>

#include <string>
#include <string_view>

#include <fermata/stimuli/input_error.h>

namespace fermata {

/// Parses a text; `file` is what errors name. Throws InputError: what is wrong "; expected " and
/// `expected`, for instance "a study in TOML".
toml::table parseToml(std::string_view text, const std::string& file, const std::string& expected);
/// The text of a file. Throws InputError, with this message, when it cannot be read: one that is
/// missing, without permission, or a folder.
std::string readTextFile(const std::string& file, const std::string& refusal);
/// The same of a file that is read; also throws when it cannot be.
toml::table parseTomlFile(const std::string& file, const std::string& expected);

/// Where a key or a value stands: placeOf(file, node.source()).
SourceLocation placeOf(const std::string& file, const toml::source_region& region);

/// "an integer", "a table" ..: what a node is, for errors.
std::string describeType(const toml::node& node);

}  // namespace fermata
