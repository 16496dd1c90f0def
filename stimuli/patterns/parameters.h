// Parameters of a pattern: text by name, checked against the pattern's list.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>

#include <fermata/stimuli/patterns/patterns.h>

namespace fermata::patterns {

/// Holds the values; every member throws InputError "pattern NAME: what is wrong; expected ...".
class Parameters {
 public:
  Parameters(const PatternEntry& entry, const std::map<std::string, std::string>& given);

  std::int64_t number(std::string_view name, std::int64_t least, std::int64_t most) const;
  bool flag(std::string_view name) const { return number(name, 0, 1) == 1; }
  /// Returns the position of the value in `allowed`.
  std::size_t choice(std::string_view name, std::initializer_list<std::string_view> allowed) const;
  /// Returns the value's text. Precondition: the pattern has this parameter.
  const std::string& text(std::string_view name) const;
  bool has(std::string_view name) const { return values_.find(name) != values_.end(); }

  [[noreturn]] void fail(const std::string& what) const;

 private:
  std::string pattern_;
  std::map<std::string, std::string, std::less<>> values_;
};

}  // namespace fermata::patterns
