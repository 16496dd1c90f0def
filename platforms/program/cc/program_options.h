// The options of `fermata cc`: nvcc's, and what each is here.
#pragma once

#include <string>

#include <fermata/platforms/program/cc/program_request.h>

namespace fermata::platforms {

struct ProgramOption {
  enum class Value { None, Given };
  const char* name;   ///< as it is written: "-I"
  const char* other;  ///< its other spelling, or null
  Value value;
  /// What it does; null: nothing, for a reason that the documentation states.
  void (*apply)(ProgramRequest& request, const std::string& value);
  const char* refusal;  ///< why it is not done; null: it is
};

/// Null where there is none of this spelling.
const ProgramOption* findProgramOption(const std::string& spelling);

/// The words within one word: between commas and spaces. A backslash keeps what follows it.
std::vector<std::string> wordsWithin(const std::string& text);
/// The same between commas alone: paths and the values of macros have spaces.
std::vector<std::string> listOf(const std::string& text);

}  // namespace fermata::platforms
