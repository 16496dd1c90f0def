#include <fermata/platforms/program/error_text.h>

#include <unistd.h>

#include <cstdlib>
#include <iostream>
#include <string_view>

#include <fermata/platforms/program/called_as.h>

namespace fermata::platforms {

namespace {

constexpr std::size_t kMostOfWord = 200;
constexpr std::size_t kMostOfLine = 2000;

/// Moves `at` back to the start of a UTF-8 character.
std::size_t boundary(std::string_view text, std::size_t at) {
  while (at > 0 && at < text.size() && (static_cast<unsigned char>(text[at]) & 0xc0U) == 0x80) --at;
  return at;
}

std::string cut(std::string_view text, std::size_t most) {
  if (text.size() <= most) return std::string(text);
  const std::size_t head = boundary(text, most * 2 / 3);
  const std::size_t tail = boundary(text, text.size() - most / 4);
  return std::string(text.substr(0, head)) + " ... (" + std::to_string(tail - head) +
         " bytes left out) ... " + std::string(text.substr(tail));
}

/// Calls `visit(piece)` for each piece between separators and keeps the separators.
template <class Visit>
std::string each(std::string_view text, char separator, Visit visit) {
  std::string out;
  for (;;) {
    const std::size_t end = text.find(separator);
    out += visit(text.substr(0, end));
    if (end == std::string_view::npos) return out;
    out += separator;
    text.remove_prefix(end + 1);
  }
}

}  // namespace

std::string readable(const std::string& what) {
  std::string plain = what;
  for (char& c : plain) {
    if ((static_cast<unsigned char>(c) < ' ' && c != '\n' && c != '\t') || c == '\x7f') c = '?';
  }
  return each(plain, '\n', [](std::string_view line) {
    return cut(each(line, ' ', [](std::string_view word) { return cut(word, kMostOfWord); }),
               kMostOfLine);
  });
}

void warn(const std::string& text) {
  if (text.empty()) return;
  std::cerr << "fermata: " << inked("warning:", Ink::Warning, STDERR_FILENO) << ' '
            << asCalled(text) << '\n';
}

std::string inked(const std::string& word, Ink ink, int descriptor) {
  const char* const none = std::getenv("NO_COLOR");
  const char* const terminal = std::getenv("TERM");
  if ((none != nullptr && *none != '\0') || terminal == nullptr ||
      std::string_view(terminal) == "dumb" || ::isatty(descriptor) != 1)
    return word;
  return (ink == Ink::Error ? "\x1b[1;31m" : "\x1b[1;35m") + word + "\x1b[0m";
}

}  // namespace fermata::platforms
