#include <fermata/stimuli/ptx/bits.h>
#include <fermata/stimuli/ptx/lexer.h>
#include <fermata/stimuli/ptx/message.h>

#include <cctype>
#include <charconv>
#include <cstdlib>
#include <cstring>

namespace fermata::ptx {
namespace {

bool isWordStart(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' || c == '%';
}
bool isDigit(char c) {
  return c >= '0' && c <= '9';
}
bool isWordPart(char c) {
  return isWordStart(c) || isDigit(c);
}

class Lexer {
 public:
  Lexer(std::string_view source, const std::string& file) : source_(source), file_(file) {}

  std::vector<Token> run() {
    constexpr std::string_view byteOrderMark = "\xef\xbb\xbf";
    if (source_.substr(0, byteOrderMark.size()) == byteOrderMark)
      offset_ = lineStart_ = byteOrderMark.size();
    std::vector<Token> tokens;
    tokens.reserve(source_.size() / 4 + 1);
    for (;;) {
      skipBlanks();
      Token token = next();
      tokens.push_back(token);
      if (token.kind == Token::Kind::End) return tokens;
    }
  }

 private:
  template <class... Text>
  [[noreturn]] void fail(const Position& at, const Text&... text) const {
    throw InputError({file_, at.line, at.column}, message(text...));
  }
  char peek(std::size_t ahead = 0) const {
    return offset_ + ahead < source_.size() ? source_[offset_ + ahead] : '\0';
  }
  bool atEnd() const { return offset_ >= source_.size(); }
  Position here() const { return {line_, static_cast<std::uint32_t>(offset_ - lineStart_ + 1)}; }
  void advance() {
    if (source_[offset_++] == '\n') {
      ++line_;
      lineStart_ = offset_;
    }
  }

  void skipBlanks() {
    while (!atEnd()) {
      const char c = peek();
      if (c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v') {
        advance();
      } else if (c == '/' && peek(1) == '/') {
        while (!atEnd() && peek() != '\n') advance();
      } else if (c == '/' && peek(1) == '*') {
        skipBlockComment();
      } else if (c == '#' && offset_ == lineStart_) {
        while (!atEnd() && peek() != '\n') advance();  // a line marker of the preprocessor
      } else if (c == '@' && source_.substr(offset_, 7) == "@@DWARF") {
        while (!atEnd() && peek() != '\n') advance();  // debugging data of PTX 1.x
      } else {
        return;
      }
    }
  }

  void skipBlockComment() {
    const Position start = here();
    advance();
    advance();
    while (!(peek() == '*' && peek(1) == '/')) {
      if (atEnd()) fail(start, "comment without an end; expected '*/'");
      advance();
    }
    advance();
    advance();
  }

  Token next() {
    Token token;
    token.at = here();
    const std::size_t begin = offset_;
    if (atEnd()) return token;
    const char c = peek();
    if (isWordStart(c)) {
      token.kind = Token::Kind::Word;
      word();
    } else if (c == '.' && isWordStart(peek(1))) {
      token.kind = Token::Kind::Directive;
      advance();
      while (isWordPart(peek())) advance();
    } else if (isDigit(c) || (c == '.' && isDigit(peek(1)))) {
      number(token);
    } else if (c == '"') {
      token.kind = Token::Kind::String;
      return quoted(token);
    } else if (std::strchr("{}()[],;:@!+-<>=|~*/&^?.", c) != nullptr && c != '\0') {
      token.kind = Token::Kind::Punctuation;
      advance();
    } else {
      fail(token.at, unexpected(c));
    }
    token.text = source_.substr(begin, offset_ - begin);
    return token;
  }

  static std::string unexpected(char c) {
    if (c >= ' ' && c <= '~') return std::string("unexpected character '") + c + "'";
    return fmt::format("unexpected byte {}", static_cast<unsigned char>(c));
  }

  // Reads an identifier or an opcode: words joined by dots (and "::", as in "L1::no_allocate").
  void word() {
    for (;;) {
      while (isWordPart(peek())) advance();
      if (peek() == '.' && isWordPart(peek(1))) {
        advance();
      } else if (peek() == ':' && peek(1) == ':' && isWordPart(peek(2))) {
        advance();
        advance();
      } else {
        return;
      }
    }
  }

  Token quoted(Token token) {
    advance();
    const std::size_t begin = offset_;
    while (peek() != '"') {
      if (atEnd() || peek() == '\n') fail(token.at, "string without an end; expected '\"'");
      if (peek() == '\\' && offset_ + 1 < source_.size() && peek(1) != '\n') advance();
      advance();
    }
    token.text = source_.substr(begin, offset_ - begin);
    advance();
    return token;
  }

  void number(Token& token) {
    const char second = peek(1);
    if (peek() == '0' && second != '\0' && std::strchr("fFdD", second) != nullptr) {
      const unsigned digits = second == 'f' || second == 'F' ? 8 : 16;
      if (hexDigitsFrom(2) == digits) return hexFloat(token, digits);
      fail(token.at,
           "malformed floating-point constant; expected 0f and 8 or 0d and 16 hexadecimal digits");
    }
    if (isDecimalFloat()) return decimalFloat(token);
    unsigned base = 10;
    if (peek() == '0' && (second == 'x' || second == 'X')) base = 16;
    if (peek() == '0' && (second == 'b' || second == 'B')) base = 2;
    if (base != 10) {
      advance();
      advance();
    } else if (peek() == '0' && isDigit(second)) {
      base = 8;
    }
    integer(token, base);
  }

  unsigned hexDigitsFrom(std::size_t ahead) const {
    unsigned count = 0;
    while (std::isxdigit(static_cast<unsigned char>(peek(ahead + count))) != 0) ++count;
    return isWordPart(peek(ahead + count)) ? 0 : count;
  }

  void hexFloat(Token& token, unsigned digits) {
    advance();
    advance();
    std::uint64_t bits = 0;
    takeDigits(bits, 16);
    token.kind = Token::Kind::Float;
    token.integer = bits;
    token.hexFloatBits = static_cast<std::uint8_t>(digits * 4);
    token.real = digits == 8 ? static_cast<double>(bitsAs<float>(static_cast<std::uint32_t>(bits)))
                             : bitsAs<double>(bits);
  }

  bool isDecimalFloat() const {
    std::size_t i = 0;
    while (isDigit(peek(i))) ++i;
    return peek(i) == '.' || ((peek(i) == 'e' || peek(i) == 'E') && i > 0);
  }

  void decimalFloat(Token& token) {
    const std::size_t begin = offset_;
    while (isDigit(peek())) advance();
    if (peek() == '.') advance();
    while (isDigit(peek())) advance();
    if (peek() == 'e' || peek() == 'E') {
      advance();
      if (peek() == '+' || peek() == '-') advance();
      if (!isDigit(peek()))
        fail(token.at, "malformed floating-point constant; expected digits behind 'e'");
      while (isDigit(peek())) advance();
    }
    if (isWordPart(peek())) fail(token.at, "malformed number");
    token.kind = Token::Kind::Float;
    token.real = std::strtod(std::string(source_.substr(begin, offset_ - begin)).c_str(), nullptr);
  }

  /// Takes digits. Returns false if the number is wider than 64 bits.
  bool takeDigits(std::uint64_t& value, unsigned base) {
    const char* from = source_.data() + offset_;
    const char* end = source_.data() + source_.size();
    const auto [behind, error] = std::from_chars(from, end, value, static_cast<int>(base));
    offset_ += static_cast<std::size_t>(behind - from);
    return error != std::errc::result_out_of_range;
  }

  void integer(Token& token, unsigned base) {
    std::uint64_t value = 0;
    const std::size_t begin = offset_;
    if (!takeDigits(value, base)) fail(token.at, "integer constant wider than 64 bits");
    if (offset_ == begin) fail(token.at, "number without digits");
    if (peek() == 'U' && !isWordPart(peek(1))) advance();
    if (isWordPart(peek())) fail(token.at, "malformed number; unexpected '{}'", peek());
    token.kind = Token::Kind::Integer;
    token.integer = value;
  }

  std::string_view source_;
  const std::string& file_;
  std::size_t offset_ = 0;
  std::size_t lineStart_ = 0;
  std::uint32_t line_ = 1;
};

}  // namespace

std::vector<Token> tokenize(std::string_view source, const std::string& fileName) {
  return Lexer(source, fileName).run();
}

std::string describe(const Token& token) {
  if (token.kind == Token::Kind::End) return "the end of the file";
  std::string text(token.text.substr(0, 40));
  for (char& c : text) {
    if (c < ' ' || c > '~') c = '?';
  }
  return token.kind == Token::Kind::String ? "string \"" + text + "\"" : "'" + text + "'";
}

}  // namespace fermata::ptx
