// The symbols of one unit of relocatable PTX, and the places in its text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <fermata/stimuli/ptx/lexer.h>

namespace fermata::ptx {

/// A range of tokens: [begin, end).
struct TokenRange {
  std::size_t begin = 0, end = 0;
};

/// A declaration or definition at the outermost level.
struct LinkItem {
  enum class Kind : std::uint8_t { Header, Section, Variable, Function, Other };
  enum class Linkage : std::uint8_t { Own, Visible, Weak, Common, Extern };

  Kind kind = Kind::Other;
  Linkage linkage = Linkage::Own;
  bool isDefined = false;  ///< a function with a body, a variable that is not .extern
  bool isShared = false;   ///< a variable in shared memory
  std::string_view name;   ///< of a variable or function
  TokenRange tokens;
  std::size_t body = 0;  ///< token of the function's '{', or of a variable's '=' or ';'
};

/// Splits the tokens of a text into items. Throws InputError if an item has no end.
std::vector<LinkItem> itemsOf(const std::vector<Token>& tokens, const std::string& fileName);

}  // namespace fermata::ptx
