// Walks over the tokens of one file. All errors of the parser go through it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <fermata/stimuli/ptx/lexer.h>
#include <fermata/stimuli/ptx/message.h>

namespace fermata::ptx {

class TokenCursor {
 public:
  TokenCursor(const std::vector<Token>& tokens, const std::string& file)
      : tokens_(tokens), file_(file) {}

  const Token& peek(std::size_t ahead = 0) const {
    const std::size_t i = next_ + ahead;
    return i < tokens_.size() ? tokens_[i] : tokens_.back();
  }
  const Token& take() {
    const Token& token = peek();
    if (next_ + 1 < tokens_.size()) ++next_;
    return token;
  }
  bool atEnd() const { return peek().kind == Token::Kind::End; }
  bool accept(char punctuation) {
    if (!peek().is(punctuation)) return false;
    take();
    return true;
  }
  bool acceptDirective(std::string_view name) {
    if (!peek().isDirective(name)) return false;
    take();
    return true;
  }
  /// Takes the rest of a .pragma.
  void skipPragma() {
    while (peek().kind == Token::Kind::String || peek().is(',')) take();
    expect(';', "behind .pragma");
  }
  /// Takes the rest of an .attribute.
  void skipAttribute() {
    expect('(', "behind .attribute");
    while (!atEnd() && !peek().is(')')) take();
    expect(')', "at the end of .attribute");
  }
  const Token& expect(char punctuation, const std::string& where) {
    if (!peek().is(punctuation)) failExpected(std::string("'") + punctuation + "' " + where);
    return take();
  }
  /// Takes a single identifier without dots, or fails.
  const Token& expectName(const std::string& what) {
    if (peek().kind != Token::Kind::Word || peek().text.find('.') != std::string_view::npos) {
      failExpected(what);
    }
    return take();
  }
  std::uint64_t expectInteger(const std::string& what, std::uint64_t most) {
    if (peek().kind != Token::Kind::Integer) failExpected(what);
    if (peek().integer > most) {
      fail(peek().at, "{} is {}; expected at most {}", what, peek().integer, most);
    }
    return take().integer;
  }

  /// Throw InputError with the message() of `text`.
  template <class... Text>
  [[noreturn]] void fail(const Position& at, const Text&... text) const {
    throw InputError({file_, at.line, at.column}, message(text...));
  }
  template <class... Text>
  [[noreturn]] void failExpected(const Text&... what) const {
    fail(peek().at, "unexpected {}; expected {}", describe(peek()), message(what...));
  }
  const std::string& file() const { return file_; }

 private:
  const std::vector<Token>& tokens_;
  const std::string& file_;
  std::size_t next_ = 0;
};

}  // namespace fermata::ptx
