#include <fermata/stimuli/toml/key_depth.h>

#include <algorithm>

#include <fermata/stimuli/input_error.h>

namespace fermata {
namespace {

/// Walks over strings, comments and keys. Outside strings and comments, two dots belong to one key
/// if only words, strings and blanks stand between them.
class KeyWalk {
 public:
  KeyWalk(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  void run() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '#') {
        skipComment();
      } else if (c == '"' || c == '\'') {
        skipString(c);
      } else {
        countDot(c);
        step();
      }
    }
  }

 private:
  static bool isInKey(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-' || c == '+' || c == ' ' || c == '\t' || c == '.';
  }

  void countDot(char c) {
    if (!isInKey(c)) dots_ = 0;
    if (c == '.' && ++dots_ >= kMostKeyParts) {
      throw InputError({file_, line_, static_cast<unsigned>(at_ - lineStart_ + 1)},
                       "a key of more than " + std::to_string(kMostKeyParts) +
                           " parts; expected at most " + std::to_string(kMostKeyParts));
    }
  }

  void skipComment() {
    while (at_ < text_.size() && text_[at_] != '\n') step();
  }

  /// Skips a string; stops at the end of the text if the string has no end.
  void skipString(char quote) {
    const std::string three(3, quote);
    const bool isLong = text_.substr(at_, 3) == three;
    for (std::size_t k = isLong ? 3 : 1; k != 0; --k) step();
    while (at_ < text_.size()) {
      if (isLong ? text_.substr(at_, 3) == three : text_[at_] == quote || text_[at_] == '\n') break;
      if (text_[at_] == '\\' && quote == '"') step();
      step();
    }
    for (std::size_t k = isLong ? 3 : 1; k != 0; --k) step();
    while (isLong && at_ < text_.size() && text_[at_] == quote) step();  // up to two of its own
  }

  void step() {
    if (at_ >= text_.size()) return;
    if (text_[at_++] == '\n') {
      ++line_;
      lineStart_ = at_;
      dots_ = 0;
    }
  }

  std::string_view text_;
  const std::string& file_;
  std::size_t at_ = 0;
  std::size_t lineStart_ = 0;
  unsigned line_ = 1;
  unsigned dots_ = 0;
};

}  // namespace

// A key stands on one line: without a line of many dots there is nothing to walk for.
void checkKeyDepth(std::string_view text, const std::string& file) {
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = text.substr(begin, end - begin);
    if (std::count(line.begin(), line.end(), '.') >= kMostKeyParts) {
      KeyWalk(text, file).run();
      return;
    }
    begin = end + 1;
  }
}

}  // namespace fermata
