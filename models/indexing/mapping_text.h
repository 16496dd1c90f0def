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

/// Decimal or 0x hexadecimal. Throws IndexingError at the token's column when it is no number or
/// not in range; `what` names the number, `why` (may be empty) says where the range comes from.
std::uint32_t parseNumber(const Token& token, const std::string& what, std::uint32_t lowest,
                          std::uint32_t highest, const std::string& why = "");

/// Splits at `separator`; blanks around the pieces are dropped; an empty text has no pieces.
std::vector<Token> split(const Token& token, char separator);

/// What stands behind a family's name.
class Arguments {
 public:
  /// `text` is the whole mapping text, `syntax` the family's, for messages.
  Arguments(std::string_view text, std::string syntax);

  const Token& name() const { return name_; }
  const std::string& syntax() const { return syntax_; }
  void setSyntax(std::string syntax) { syntax_ = std::move(syntax); }

  /// Everything behind the name.
  const Token& rest() const { return rest_; }
  /// The same, split at commas.
  std::vector<Token> list() const { return split(rest_, ','); }
  /// The leading number; throws when the next piece is none.
  std::uint32_t number(const std::string& what, std::uint32_t lowest, std::uint32_t highest);
  /// The value of `key=value` behind the name, wherever it stands; an empty text when it is not
  /// there. Throws when it is there twice or has no value.
  Token option(std::string_view key);
  /// As option(), as a number; throws when it is not there.
  std::uint32_t numberOption(std::string_view key, std::uint32_t lowest, std::uint32_t highest,
                             const std::string& why = "");
  /// Throws when something is left that no call above has taken.
  void expectNoMore() const;
  /// Column just behind the text, for something that is missing.
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
