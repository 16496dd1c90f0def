// One parameter of a platform, with its type erased: what reading, setting and printing work on.
#pragma once

#include <functional>
#include <string>
#include <variant>
#include <vector>

#include <fermata/platforms/compose/parameters.h>

namespace fermata::platforms {

/// A typed choice with its names.
struct ChoiceTarget {
  std::function<std::string()> name;                     ///< of the value it has
  std::function<bool(const std::string& value)> choose;  ///< false: no such name
};

struct Field {
  using Target = std::variant<std::uint32_t*, double*, std::string*, bool*, ChoiceTarget>;
  std::string path;  ///< "scratchpad.banks"
  Target target;
  std::string unit;     ///< empty: none
  Range range{0, 0};    ///< of numbers
  std::string choices;  ///< of choices: the names, separated by '|'
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
