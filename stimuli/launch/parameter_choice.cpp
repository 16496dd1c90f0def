#include <fermata/stimuli/launch/parameter_choice.h>

#include <algorithm>
#include <charconv>
#include <filesystem>

#include <fermata/stimuli/refuse.h>

namespace fermata::launch {
namespace {

std::int64_t parseInteger(const std::string& text, const std::string& name,
                          const std::string& path) {
  std::int64_t value = 0;
  const bool isHex = text.rfind("0x", 0) == 0;
  const char* first = text.data() + (isHex ? 2 : 0);
  const char* last = text.data() + text.size();
  const auto [end, error] = std::from_chars(first, last, value, isHex ? 16 : 10);
  if (error == std::errc::result_out_of_range && end == last) {
    refuse({path, 0, 0}, "the value of parameter '{}' does not fit 64 bits; expected {} to {}",
           name, INT64_MIN, INT64_MAX);
  }
  if (error != std::errc() || end != last || first == last)
    refuse({path, 0, 0}, "parameter '{}' is '{}'; expected an integer", name, text);
  return value;
}

[[noreturn]] void refuseValue(const Parameter& parameter, const std::string& value) {
  refuse(parameter.where, "parameter '{}' is {}; expected {}", parameter.name, value,
         parameter.allowedText());
}

void chooseWord(const Parameter& parameter, const std::string& text, Scope& scope) {
  if (!parameter.acceptsWord(text)) refuseValue(parameter, "'" + text + "'");
  const auto& words = parameter.words;
  const bool isPath = std::find(words.begin(), words.end(), text) == words.end();
  scope.setWord(parameter.name, isPath ? std::filesystem::absolute(text).string() : text);
}

}  // namespace

Scope defaultsOf(const std::vector<Parameter>& parameters) {
  Scope scope;
  for (const Parameter& parameter : parameters) {
    scope[parameter.name] = parameter.defaultValue;
    for (const std::string& word : parameter.words) scope.setWord(parameter.name, word);
    if (parameter.isWord) scope.setWord(parameter.name, parameter.defaultWord);
  }
  return scope;
}

Scope chooseParameters(const LaunchDescription& description,
                       const std::map<std::string, std::string>& chosen) {
  Scope scope = defaultsOf(description.parameters);
  for (const auto& [name, text] : chosen) {
    const Parameter& parameter = findNamed(description.parameters, name, {description.path},
                                           "parameter", "none: it has no parameters");
    if (parameter.isWord) {
      chooseWord(parameter, text, scope);
    } else {
      scope[name] = parseInteger(text, name, description.path);
    }
  }
  for (const Parameter& parameter : description.parameters) {
    if (!parameter.isWord && !parameter.accepts(scope[parameter.name]))
      refuseValue(parameter, std::to_string(scope[parameter.name]));
  }
  return scope;
}

}  // namespace fermata::launch
