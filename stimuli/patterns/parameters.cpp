#include <fermata/stimuli/patterns/parameters.h>

#include <algorithm>
#include <charconv>

#include <fermata/stimuli/input_error.h>

namespace fermata::patterns {

Parameters::Parameters(const PatternEntry& entry, const std::map<std::string, std::string>& given)
    : pattern_(entry.name) {
  std::string names;
  for (const PatternParameter& parameter : entry.parameters) {
    values_[parameter.name] = parameter.defaultValue;
    names += (names.empty() ? "" : ", ") + parameter.name;
  }
  for (const auto& [name, value] : given) {
    const auto found = values_.find(name);
    if (found == values_.end()) fail("unknown parameter '" + name + "'; expected " + names);
    found->second = value;
  }
}

void Parameters::fail(const std::string& what) const {
  throw InputError("pattern " + pattern_ + ": " + what);
}

const std::string& Parameters::text(std::string_view name) const {
  return values_.find(name)->second;
}

std::int64_t Parameters::number(std::string_view name, std::int64_t least,
                                std::int64_t most) const {
  const std::string& value = text(name);
  std::int64_t number = 0;
  const char* const end = value.data() + value.size();
  const auto [stop, error] = std::from_chars(value.data(), end, number);
  if (error == std::errc{} && stop == end && number >= least && number <= most) return number;
  fail(std::string(name) + "='" + value + "' cannot be; expected a whole number from " +
       std::to_string(least) + " to " + std::to_string(most));
}

std::size_t Parameters::choice(std::string_view name,
                               std::initializer_list<std::string_view> allowed) const {
  const std::string& value = text(name);
  const auto found = std::find(allowed.begin(), allowed.end(), value);
  if (found != allowed.end()) return static_cast<std::size_t>(found - allowed.begin());
  std::string names;
  for (const std::string_view one : allowed)
    names += (names.empty() ? "" : ", ") + std::string(one);
  fail(std::string(name) + "='" + value + "' cannot be; expected one of " + names);
}

}  // namespace fermata::patterns
