// One parameter of a platform, its type erased. Reading, setting and printing work on this.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <fermata/models/vocabulary/range.h>

namespace fermata::platforms {

struct PlatformParameters;

/// A value of a non-numeric type, written as a text: a choice by its name, or lane groups.
struct TextTarget {
  std::function<std::string()> text;  ///< returns the present value as a text
  /// Assigns a text. Returns nothing on success, otherwise the reason, which may be empty.
  std::function<std::optional<std::string>(const std::string& text)> take;
  std::string expected;  ///< "one of a|b"
};

struct Field {
  /// A number that may be left to the model: "auto" in the text stands for no value.
  using Automatic = std::optional<std::uint32_t>;
  using Target = std::variant<std::uint32_t*, Automatic*, double*, std::string*, bool*, TextTarget>;
  std::string path;  ///< "scratchpad.banks"
  Target target;
  std::string unit;   ///< empty: none
  Range range{0, 0};  ///< for numbers only
  std::string meaning;

  /// True if TOML writes the value in quotes.
  bool isText() const;
  /// Returns the value as TOML writes it.
  std::string tomlValue() const;
  /// Returns the value as `--set` takes it.
  std::string plainValue() const;
  /// Assigns. On failure returns what is wrong and what was expected, otherwise an empty text.
  std::string assign(std::int64_t value) const;
  std::string assign(double value) const;
  std::string assign(const std::string& value) const;
  std::string assign(bool value) const;
  /// Assigns a value from the text of `--set`.
  std::string assignText(const std::string& text) const;
  /// Returns what a value must be: "an integer from 1 to 64 (warps)".
  std::string expected() const;
};

/// Returns a text as TOML writes it: quoted and escaped.
std::string tomlText(const std::string& text);

/// Returns the fields of `parameters`, in the order of describe(). They point into it.
std::vector<Field> fieldsOf(PlatformParameters& parameters);
/// Returns the field of the path; null if there is none.
const Field* findField(const std::vector<Field>& fields, const std::string& path);

}  // namespace fermata::platforms
