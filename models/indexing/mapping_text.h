// The pieces of a mapping text, each with its column, so that an error can point at it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fermata::indexing {

/// A piece of the text; `column` counts from 1.
struct Token {
  std::string_view text;
  std::size_t column = 1;
};

/// Parses a decimal or 0x hexadecimal number. Throws IndexingError at the token's column if it is
/// no number or out of range. `what` names the number; `why` (may be empty) says where the range
/// comes from.
std::uint32_t parseNumber(const Token& token, const std::string& what, std::uint32_t lowest,
                          std::uint32_t highest, const std::string& why = "");

/// Splits at `separator` and drops the blanks around the pieces; an empty text has no pieces.
std::vector<Token> split(const Token& token, char separator);

/// The arguments behind a family's name, taken one by one. Every error is an IndexingError.
class Arguments {
 public:
  /// `text` is the whole mapping text; `syntax` is the family's syntax, for messages.
  Arguments(std::string_view text, std::string syntax);

  const Token& name() const { return name_; }
  const std::string& syntax() const { return syntax_; }
  void setSyntax(std::string syntax) { syntax_ = std::move(syntax); }

  /// Text behind the name.
  const Token& rest() const { return rest_; }
  /// Returns rest(), split at commas.
  std::vector<Token> list() const { return split(rest_, ','); }
  /// Takes the leading number. Throws if the next piece is none.
  std::uint32_t number(const std::string& what, std::uint32_t lowest, std::uint32_t highest);
  /// Takes the value of `key=value`, at any place behind the name; returns an empty text if there
  /// is none. Throws if the key occurs twice or has no value.
  Token option(std::string_view key);
  /// Takes the value of `key=value` as a number. Throws if the key is absent.
  std::uint32_t numberOption(std::string_view key, std::uint32_t lowest, std::uint32_t highest,
                             const std::string& why = "");
  /// Throws if a piece is left that no call above has taken.
  void expectNoMore() const;
  /// Column just behind the text, for errors about a missing piece.
  std::size_t endColumn() const { return endColumn_; }

 private:
  Token name_;
  Token rest_;
  std::vector<Token> pieces_;
  std::vector<bool> taken_;
  std::string syntax_;
  std::size_t endColumn_ = 1;
};

}  // namespace fermata::indexing
