// Splits PTX text into tokens.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <fermata/stimuli/input_error.h>

namespace fermata::ptx {

struct Position {
  std::uint32_t line = 1;
  std::uint32_t column = 1;
};

struct Token {
  enum class Kind : std::uint8_t {
    Word,       ///< identifier, or opcode with its dots: "%r1", "ld.param.u64", "$L__BB0_1", "_"
    Directive,  ///< ".reg": a word that begins with a dot
    Integer,    ///< value in `integer`, two's complement when it was negative
    Float,      ///< value in `real`; `hexFloatBits` 32 or 64 for 0f and 0d forms, 0 for decimals
    String,     ///< text without the quotes, escapes resolved
    Punctuation,
    End,
  };
  Kind kind = Kind::End;
  Position at;
  std::string_view text;  ///< text as written (points into the source)
  std::uint64_t integer = 0;
  double real = 0;
  std::uint8_t hexFloatBits = 0;

  bool is(char punctuation) const { return kind == Kind::Punctuation && text[0] == punctuation; }
  bool isDirective(std::string_view name) const { return kind == Kind::Directive && text == name; }
};

/// Returns the tokens of `source`, into which they point; the last one is End. Throws InputError on
/// an invalid character or number, and on an unended comment or string.
std::vector<Token> tokenize(std::string_view source, const std::string& fileName);

/// Describes a token for messages "expected ..., found ...": "';'", "the end of the file".
std::string describe(const Token& token);

}  // namespace fermata::ptx
