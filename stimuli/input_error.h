// An error in an input that names the place, what is wrong, and what was expected.
#pragma once

#include <string>

#include <fermata/models/vocabulary/error.h>

namespace fermata {

/// A place in an input. Line and column count from 1; 0: does not apply.
struct SourceLocation {
  std::string file;
  std::size_t line = 0;
  std::size_t column = 0;
};

/// Throws with the text "file:line:column: what". `what` says what is wrong and, after ";
/// expected", what would be right.
class InputError : public BadInput {
 public:
  InputError(const SourceLocation& where, const std::string& what)
      : BadInput(format(where) + what), where_(where) {}
  explicit InputError(const std::string& what) : BadInput(what) {}

  const SourceLocation& where() const { return where_; }

 private:
  static std::string format(const SourceLocation& where) {
    std::string text = where.file;
    if (where.line != 0) text += ":" + std::to_string(where.line);
    if (where.line != 0 && where.column != 0) text += ":" + std::to_string(where.column);
    return text.empty() ? text : text + ": ";
  }
  SourceLocation where_;
};

}  // namespace fermata
