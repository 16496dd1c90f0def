#include <fermata/platforms/program/cc/source_pragmas.h>

#include <algorithm>
#include <cstddef>
#include <string_view>

#include <fermata/platforms/program/cc/source_pieces.h>

namespace fermata::platforms {

namespace {

constexpr std::string_view kLineBlanks = " \t";

std::size_t skipLineBlanks(std::string_view text, std::size_t at) {
  return std::min(text.find_first_not_of(kLineBlanks, at), text.size());
}

/// Returns the place behind `word` and the blanks that follow; npos: the text goes on otherwise.
std::size_t behindWord(std::string_view text, std::size_t at, std::string_view word) {
  const std::size_t end = at + word.size();
  if (text.compare(at, word.size(), word) != 0) return std::string_view::npos;
  if (end < text.size() && isWordPart(text[end])) return std::string_view::npos;
  return skipLineBlanks(text, end);
}

/// Returns where in a line a macro without parameters begins to be a pragma, at its #; npos: the
/// line is something else.
std::size_t pragmaOfMacro(std::string_view line) {
  constexpr std::size_t none = std::string_view::npos;
  std::size_t at = skipLineBlanks(line, 0);
  if (at == line.size() || line[at] != '#') return none;
  at = behindWord(line, skipLineBlanks(line, at + 1), "define");
  if (at == none) return none;
  while (at < line.size() && isWordPart(line[at])) ++at;
  const std::size_t body = skipLineBlanks(line, at);
  if (body == at || body == line.size() || line[body] != '#') return none;
  return behindWord(line, skipLineBlanks(line, body + 1), "pragma") == none ? none : body;
}

/// Appends the operator for the pragma that `line` has from `hash` on, and the comment behind it.
void appendOperator(std::string& made, std::string_view line, std::size_t hash) {
  const std::size_t begin = behindWord(line, skipLineBlanks(line, hash + 1), "pragma");
  const std::size_t end = std::min({line.find("//", begin), line.find("/*", begin), line.size()});
  const std::size_t last = line.find_last_not_of(" \t\r", end == 0 ? 0 : end - 1);
  made += line.substr(0, hash);
  made += "_Pragma(\"";
  for (std::size_t i = begin; i <= last && i < end; ++i) {
    if (line[i] == '"' || line[i] == '\\') made += '\\';
    made += line[i];
  }
  made += "\")";
  made += line.substr(std::min(last + 1, end));
}

}  // namespace

std::string withPragmaOperators(const std::string& source) {
  const std::string_view text = source;
  std::string made;
  std::size_t copied = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = text.substr(begin, end - begin);
    const std::size_t hash = pragmaOfMacro(line);
    // A definition that goes on in the next line stays.
    if (hash != std::string_view::npos && line.find('\\') == std::string_view::npos) {
      made += text.substr(copied, begin - copied);
      appendOperator(made, line, hash);
      copied = end;
    }
    begin = end + 1;
  }
  made += text.substr(copied);
  return made;
}

}  // namespace fermata::platforms
