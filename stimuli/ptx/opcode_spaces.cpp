#include <fermata/stimuli/ptx/opcode_spaces.h>

#include <algorithm>
#include <cstddef>

namespace fermata::ptx {
namespace {

bool isLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
bool isSpace(char c) {
  return c == ' ' || c == '\t';
}
/// True for what opcodes are made of, with modifiers.
bool isOpcodePart(char c) {
  return isLetter(c) || (c >= '0' && c <= '9') || c == '.' || c == ':' || c == '_';
}

/// True if a statement begins at `at`: first in its line, behind another, or behind its guard.
bool beginsStatement(const std::string& text, std::size_t at) {
  while (at > 0 && isSpace(text[at - 1])) --at;
  if (at == 0 || std::string("\n;{}:").find(text[at - 1]) != std::string::npos) return true;
  while (at > 0 && (isOpcodePart(text[at - 1]) || text[at - 1] == '%' || text[at - 1] == '$')) --at;
  if (at > 0 && text[at - 1] == '!') --at;
  return at > 0 && text[at - 1] == '@';
}

}  // namespace

void closeOpcodes(std::string& text) {
  for (std::size_t dot = 1; (dot = text.find('.', dot)) != std::string::npos; ++dot) {
    if (!isSpace(text[dot - 1]) || dot + 1 >= text.size() || !isLetter(text[dot + 1])) continue;
    std::size_t gap = dot;
    while (gap > 0 && isSpace(text[gap - 1])) --gap;
    std::size_t word = gap;
    while (word > 0 && isOpcodePart(text[word - 1])) --word;
    if (word == gap || text[word] < 'a' || text[word] > 'z' || text[gap - 1] == ':' ||
        !beginsStatement(text, word))
      continue;
    std::size_t end = dot;
    while (end < text.size() && isOpcodePart(text[end])) ++end;
    std::rotate(text.begin() + static_cast<std::ptrdiff_t>(gap),
                text.begin() + static_cast<std::ptrdiff_t>(dot),
                text.begin() + static_cast<std::ptrdiff_t>(end));
    dot = gap;
  }
}

}  // namespace fermata::ptx
