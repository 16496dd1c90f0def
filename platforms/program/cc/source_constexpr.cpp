#include <fermata/platforms/program/cc/source_constexpr.h>

#include <cstddef>
#include <string_view>
#include <vector>

#include <fermata/platforms/program/cc/source_words.h>

namespace fermata::platforms {

namespace {

/// Returns the end of a directive, whose lines end with a backslash but for the last.
std::size_t endOfDirective(const std::string& source, std::size_t at) {
  std::size_t end = source.find('\n', at);
  while (end != std::string::npos && end > 0 && source[end - 1] == '\\')
    end = source.find('\n', end + 1);
  return end == std::string::npos ? source.size() : end;
}

class Declarations : public SourceWords {
 public:
  Declarations(const std::string& text, const std::set<std::string>& macros)
      : SourceWords(text), macros_(macros) {}

  /// True if the word is the constexpr of a function of the device alone.
  bool isDeviceConstexpr(std::size_t k) const {
    if (at(k) != "constexpr") return false;
    std::size_t first = k, last = k;
    while (first > 0 && isName(first - 1)) --first;
    while (isName(last + 1)) ++last;
    bool device = false;
    for (std::size_t n = first; n <= last; ++n) {
      if (at(n) == "__host__" || at(n) == "__global__") return false;
      device = device || at(n) == "__device__" || macros_.count(std::string(at(n))) != 0;
    }
    return device && isFunction(last);
  }

 private:
  /// True if parameters come before a value or the end of the declaration.
  bool isFunction(std::size_t k) const {
    unsigned depth = 0;
    for (; k < size(); ++k) {
      const std::string_view word = at(k);
      if (word == "<") ++depth;
      if (word == ">" && depth > 0) --depth;
      if (depth == 0 && word == "(") return true;
      if (word == "=" || word == ";" || word == "{") return false;
    }
    return false;
  }

  const std::set<std::string>& macros_;
};

}  // namespace

std::set<std::string> deviceMacros(const std::string& source) {
  constexpr std::string_view kDefine = "#define";
  std::set<std::string> macros;
  for (std::size_t at = 0; (at = source.find(kDefine, at)) != std::string::npos;) {
    const std::size_t end = endOfDirective(source, at);
    const std::size_t name = source.find_first_not_of(" \t", at + kDefine.size());
    at = end;
    if (name == std::string::npos || name >= end) continue;
    std::size_t behind = name;
    while (behind < end && isWordPart(source[behind])) ++behind;
    const std::string_view value = std::string_view(source).substr(behind, end - behind);
    if (behind == name || value.substr(0, 1) == "(") continue;
    if (value.find("__device__") != std::string_view::npos &&
        value.find("__host__") == std::string_view::npos)
      macros.insert(source.substr(name, behind - name));
  }
  return macros;
}

std::string withSharedConstexpr(const std::string& source, const std::set<std::string>& macros) {
  if (source.find("constexpr") == std::string::npos) return source;
  const Declarations declarations(source, macros);
  std::string made;
  std::size_t copied = 0;
  for (std::size_t k = 0; k < declarations.size(); ++k) {
    if (!declarations.isDeviceConstexpr(k)) continue;
    made += source.substr(copied, declarations.beginOf(k) - copied) + "__host__ ";
    copied = declarations.beginOf(k);
  }
  return made + source.substr(copied);
}

}  // namespace fermata::platforms
