#include <fermata/platforms/program/cc/source_overloads.h>

#include <algorithm>
#include <cstddef>
#include <string_view>

#include <fermata/platforms/program/cc/source_pieces.h>

namespace fermata::platforms {

namespace {

constexpr std::string_view kMark = " __attribute__((enable_if(true, \"\")))";

/// Returns the end of the spaces that begin at `at`, or their begin if they end there.
std::size_t behindSpaces(std::string_view text, std::size_t at) {
  return std::min(text.find_first_not_of(kSourceSpaces, at), text.size());
}
std::size_t beforeSpaces(std::string_view text, std::size_t at) {
  while (at > 0 && kSourceSpaces.find(text[at - 1]) != std::string_view::npos) --at;
  return at;
}

/// Returns the name that ends at `at`, spaces behind it left out; `at` becomes its begin.
std::string nameBefore(std::string_view text, std::size_t& at) {
  const std::size_t end = beforeSpaces(text, at);
  at = end;
  while (at > 0 && isWordPart(text[at - 1])) --at;
  return std::string(text.substr(at, end - at));
}

/// Returns the function and the class of `f(T<` for the < at `open`; empty: there are none.
FirstParameter firstParameterAt(std::string_view text, std::size_t open) {
  std::size_t at = open;
  std::string type = nameBefore(text, at);
  at = beforeSpaces(text, at);
  if (type.empty() || at == 0 || text[at - 1] != '(') return {};
  --at;
  return {nameBefore(text, at), std::move(type)};
}

/// Returns the place of the ) that closes the ( at `open`; npos: there is none.
std::size_t closingAt(std::string_view text, std::size_t open) {
  unsigned depth = 0;
  for (std::size_t k = open; k < text.size(); ++k) {
    if (text[k] == '(') ++depth;
    if (text[k] == ')' && --depth == 0) return k;
  }
  return std::string_view::npos;
}

/// Returns where the overload whose first parameter is T< with this < can be marked; npos: it is
/// none with one type, or no definition.
std::size_t markOf(std::string_view text, std::size_t less) {
  std::size_t at = behindSpaces(text, less + 1);
  while (at < text.size() && isWordPart(text[at])) ++at;
  at = behindSpaces(text, at);
  if (at >= text.size() || text[at] != '>') return std::string_view::npos;
  const std::size_t close = closingAt(text, text.rfind('(', less));
  if (close == std::string_view::npos) return close;
  const std::size_t next = behindSpaces(text, close + 1);
  return next < text.size() && text[next] == '{' ? close + 1 : std::string_view::npos;
}

}  // namespace

std::set<FirstParameter> packOverloads(const std::string& source) {
  std::set<FirstParameter> found;
  for (std::size_t at = 0; (at = source.find("...>", at)) != std::string::npos; ++at) {
    std::size_t open = at;
    while (open > 0 && (isWordPart(source[open - 1]) || source[open - 1] == ',' ||
                        kSourceSpaces.find(source[open - 1]) != std::string_view::npos))
      --open;
    if (open == 0 || source[open - 1] != '<') continue;
    FirstParameter one = firstParameterAt(source, open - 1);
    if (!one.first.empty()) found.insert(std::move(one));
  }
  return found;
}

std::string withOverloadsMarked(const std::string& source, const std::set<FirstParameter>& packs) {
  std::string made;
  std::size_t copied = 0;
  for (std::size_t less = 0; !packs.empty(); ++less) {
    less = source.find('<', less);
    if (less == std::string::npos) break;
    if (packs.count(firstParameterAt(source, less)) == 0) continue;
    const std::size_t mark = markOf(source, less);
    if (mark == std::string::npos) continue;
    made += source.substr(copied, mark - copied);
    made += kMark;
    copied = mark;
  }
  return made + source.substr(copied);
}

}  // namespace fermata::platforms
