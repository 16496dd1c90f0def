// One parameter of a platform, with its type erased: what reading, setting and printing work on.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <fermata/platforms/compose/parameters.h>

namespace fermata::platforms {

/// A value of a type of its own, written as a text: a choice by its name, lane groups.
struct TextTarget {
  std::function<std::string()> text;  ///< of the value it has
  /// Returns why a text was not taken, which may be empty; nothing: it was.
  std::function<std::optional<std::string>(const std::string& text)> take;
  std::string expected;  ///< "one of a|b"
};

struct Field {
  /// A number that may be left to the model is written "auto" where it is.
  using Automatic = std::optional<std::uint32_t>;
  using Target = std::variant<std::uint32_t*, Automatic*, double*, std::string*, bool*, TextTarget>;
  std::string path;  ///< "scratchpad.banks"
  Target target;
  std::string unit;   ///< empty: none
  Range range{0, 0};  ///< of numbers
  std::string meaning;

  /// TOML writes it in quotes.
  bool isText() const;
  /// The value as TOML writes it.
  std::string tomlValue() const;
  /// The value as `--set` takes it.
  std::string plainValue() const;
  /// Assigns; on failure returns what is wrong and what was expected, otherwise an empty text.
  std::string assign(std::int64_t value) const;
  std::string assign(double value) const;
  std::string assign(const std::string& value) const;
  std::string assign(bool value) const;
  /// Assigns a value from the text of `--set`.
  std::string assignText(const std::string& text) const;
  /// "an integer from 1 to 64 (warps)".
  std::string expected() const;
};

/// A text as TOML writes it: quoted and escaped.
std::string tomlText(const std::string& text);

/// The fields of `parameters`, in the order of describe(). They point into it.
std::vector<Field> fieldsOf(PlatformParameters& parameters);

}  // namespace fermata::platforms
