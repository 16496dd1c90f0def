// The options of `fermata cc`: nvcc's options and what each does here.
#pragma once

#include <string>

#include <fermata/platforms/program/cc/program_request.h>

namespace fermata::platforms {

struct ProgramOption {
  enum class Value { None, Given };
  const char* name;   ///< spelling: "-I"
  const char* other;  ///< alternative spelling, or null
  Value value;
  /// Applies the option; null: ignored, for a reason that the documentation states.
  void (*apply)(ProgramRequest& request, const std::string& value);
  const char* refusal;  ///< why the option is refused; null: accepted
};

/// Returns the option of this spelling, or null.
const ProgramOption* findProgramOption(const std::string& spelling);

/// Splits a word at commas and spaces. A backslash keeps the character after it.
std::vector<std::string> wordsWithin(const std::string& text);
/// Splits at commas only: paths and the values of macros contain spaces.
std::vector<std::string> listOf(const std::string& text);

}  // namespace fermata::platforms
