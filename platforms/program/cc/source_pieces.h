// Pieces of a C++ source: words, literals, spaces.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace fermata::platforms {

inline constexpr std::string_view kSourceSpaces = " \t\r\n";

inline bool isDigit(char c) {
  return c >= '0' && c <= '9';
}
inline bool isLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
inline bool isWordPart(char c) {
  return isLetter(c) || isDigit(c);
}

/// A piece of a source: [begin, end).
struct Piece {
  enum class Kind { Space, Word, Literal, Raw, Other };
  Kind kind = Kind::Other;
  std::size_t begin = 0, end = 0;
};

/// Splits a source into pieces. Comments are spaces; a number is a word.
class Pieces {
 public:
  explicit Pieces(const std::string& text) : text_(text) {}

  bool next(Piece& piece) {
    if (at_ >= text_.size()) return false;
    piece.begin = at_;
    piece.kind = take();
    piece.end = at_;
    return true;
  }

 private:
  char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  void skipPast(std::string_view end) {
    const std::size_t found = text_.find(end, at_);
    at_ = found == std::string::npos ? text_.size() : found + end.size();
  }
  /// Skips a literal; `quote` is its first character. A literal that is not closed ends with its
  /// line.
  void skipQuoted(char quote) {
    for (++at_; at_ < text_.size() && text_[at_] != '\n'; ++at_) {
      if (text_[at_] == quote) {
        ++at_;
        return;
      }
      if (text_[at_] == '\\') ++at_;
    }
    if (at_ > text_.size()) at_ = text_.size();
  }
  void skipLineComment() {
    while (at_ < text_.size() && text_[at_] != '\n') at_ += text_[at_] == '\\' ? 2 : 1;
    if (at_ > text_.size()) at_ = text_.size();
  }
  Piece::Kind takeWord() {
    const bool number = isDigit(peek());
    const std::size_t begin = at_;
    while (isWordPart(peek()) || (number && peek() == '\'' && isWordPart(peek(1)))) ++at_;
    const std::string_view word = std::string_view(text_).substr(begin, at_ - begin);
    if (peek() == '"' && (word == "R" || word == "u8R" || word == "LR" || word == "uR")) {
      const std::size_t open = text_.find('(', at_);
      if (open == std::string::npos) {
        at_ = text_.size();
      } else {
        const std::string close = ")" + text_.substr(at_ + 1, open - at_ - 1) + "\"";
        at_ = open;
        skipPast(close);
      }
      return Piece::Kind::Raw;
    }
    return Piece::Kind::Word;
  }
  Piece::Kind take() {
    const char c = peek();
    if (kSourceSpaces.find(c) != std::string_view::npos || (c == '\\' && peek(1) == '\n')) {
      ++at_;
      return Piece::Kind::Space;
    }
    if (c == '/' && peek(1) == '/') {
      skipLineComment();
      return Piece::Kind::Space;
    }
    if (c == '/' && peek(1) == '*') {
      at_ += 2;
      skipPast("*/");
      return Piece::Kind::Space;
    }
    if (isWordPart(c)) return takeWord();
    if (c == '"' || c == '\'') {
      skipQuoted(c);
      return c == '"' ? Piece::Kind::Literal : Piece::Kind::Other;
    }
    ++at_;
    return Piece::Kind::Other;
  }

  const std::string& text_;
  std::size_t at_ = 0;
};

}  // namespace fermata::platforms
