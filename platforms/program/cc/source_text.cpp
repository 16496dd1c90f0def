#include <fermata/platforms/program/cc/source_text.h>

#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

#include <fermata/platforms/program/cc/source_device_code.h>
#include <fermata/platforms/program/cc/source_functions.h>
#include <fermata/platforms/program/cc/source_guides.h>
#include <fermata/platforms/program/cc/source_members.h>
#include <fermata/platforms/program/cc/source_pieces.h>
#include <fermata/platforms/program/cc/source_pragmas.h>
#include <fermata/platforms/program/cc/source_wide_operands.h>

namespace fermata::platforms {

namespace {

/// A literal of the template of an asm statement with so many operands.
struct TemplateLiteral {
  Piece piece;
  unsigned operands = 0;
};

/// Returns whether `rest`, behind a %, begins with the number of an operand that there is not.
bool namesNoOperand(std::string_view rest, unsigned operands) {
  unsigned number = 0;
  std::size_t digits = 0;
  for (; digits < rest.size() && digits < 4 && isDigit(rest[digits]); ++digits)
    number = number * 10 + static_cast<unsigned>(rest[digits] - '0');
  return digits > 0 && number >= operands;
}

/// Appends a literal of an asm statement with operands.
void appendEscaped(std::string& made, std::string_view literal, unsigned operands) {
  for (std::size_t i = 0; i < literal.size(); ++i) {
    made += literal[i];
    if (literal[i] != '%') continue;
    const char next = i + 1 < literal.size() ? literal[i + 1] : '\0';
    const char after = i + 2 < literal.size() ? literal[i + 2] : '\0';
    if (next == '%') {
      made += literal[++i];
    } else if ((isLetter(next) && !isDigit(after) && after != '[') || next == '"' ||
               namesNoOperand(literal.substr(i + 1), operands)) {
      // A register's name, here or in what follows the literal.
      made += '%';
    }
  }
}

/// The template of an asm statement. Its operands are known at the statement's end; each has one
/// literal, its constraint.
class AssemblyTemplate {
 public:
  bool isOpen() const { return state_ != State::Outside; }

  void take(Piece piece, std::string_view text) {
    if (piece.kind == Piece::Kind::Space) return;
    switch (state_) {
      case State::Outside:
        if (piece.kind == Piece::Kind::Word &&
            (text == "asm" || text == "__asm__" || text == "__asm"))
          state_ = State::Named;
        break;
      case State::Named:
        if (text == "(") {
          state_ = State::Open;
          depth_ = 1;
          section_ = 0;
          counted_ = true;
          literals_.clear();
        } else if (piece.kind != Piece::Kind::Word) {
          state_ = State::Outside;
        }
        break;
      case State::Open:
        takeInside(piece, text);
        break;
    }
  }
  /// Returns where commas between operands are missing, which nvcc does not miss, once.
  std::vector<std::size_t> takeCommas() {
    std::vector<std::size_t> commas;
    commas.swap(commas_);
    return commas;
  }
  /// Returns the literals of a template that has just been found to have operands, once.
  std::vector<TemplateLiteral> takeFound() {
    std::vector<TemplateLiteral> found;
    found.swap(found_);
    return found;
  }

 private:
  enum class State { Outside, Named, Open };
  static constexpr unsigned kAny = ~0U;   ///< operands that a macro may stand for
  static constexpr unsigned kInputs = 2;  ///< section behind the second colon; the first: outputs

  void takeInside(Piece piece, std::string_view text) {
    const bool literal = piece.kind == Piece::Kind::Literal || piece.kind == Piece::Kind::Raw;
    if (behindOperand_ && (literal || text == "[")) commas_.push_back(piece.begin);
    behindOperand_ = section_ != 0 && section_ <= kInputs && depth_ == 2 && text == ")";
    if (literal) {
      takeLiteral(piece);
    } else if (text == "(" || text == "[") {
      ++depth_;
    } else if (text == ")" || text == "]") {
      if (--depth_ == 0) close();
    } else if (text == ":" && depth_ == 1) {
      ++section_;
    } else if (text == ";") {
      close();
    } else if (depth_ == 1 && text != ",") {
      counted_ = counted_ && (section_ == 0 || section_ > kInputs);
    }
  }
  void takeLiteral(Piece piece) {
    if (section_ == 0)
      literals_.push_back({piece});
    else if (section_ <= kInputs && depth_ == 1 && !literals_.empty())
      ++literals_.front().operands;
  }
  void close() {
    state_ = State::Outside;
    if (section_ == 0) return;
    for (TemplateLiteral& literal : literals_)
      literal.operands = counted_ ? literals_.front().operands : kAny;
    found_ = std::move(literals_);
  }

  State state_ = State::Outside;
  unsigned depth_ = 0;
  unsigned section_ = 0;  ///< colons so far
  bool counted_ = true;   ///< no macro may stand for operands
  bool behindOperand_ = false;
  std::vector<std::size_t> commas_;
  std::vector<TemplateLiteral> literals_, found_;
};

}  // namespace

std::string clangText(const std::string& given) {
  const std::string source = withFunctionTypes(withWideOperands(given));
  const std::string_view text = source;
  std::vector<std::pair<std::size_t, char>> missing;  // what is missing where
  std::vector<TemplateLiteral> literals;              // those to escape
  Pieces pieces(source);
  AssemblyTemplate assembly;
  Piece last;
  for (Piece piece; pieces.next(piece); last = piece) {
    const std::string_view word = text.substr(piece.begin, piece.end - piece.begin);
    // Suffixes with two underscores are the compiler's, which has none: the word is a macro.
    if (last.kind == Piece::Kind::Literal && piece.kind == Piece::Kind::Word &&
        word.find("__") != std::string_view::npos)
      missing.emplace_back(piece.begin, ' ');
    assembly.take(piece, word);
    for (const std::size_t at : assembly.takeCommas()) missing.emplace_back(at, ',');
    for (const TemplateLiteral& literal : assembly.takeFound()) literals.push_back(literal);
  }
  std::string made;
  std::size_t copied = 0;
  auto next = missing.begin();
  const auto copyTo = [&](std::size_t end) {
    for (; next != missing.end() && next->first <= end; ++next) {
      made += text.substr(copied, next->first - copied);
      made += next->second;
      copied = next->first;
    }
    made += text.substr(copied, end - copied);
    copied = end;
  };
  for (const auto& [piece, operands] : literals) {
    copyTo(piece.begin);
    appendEscaped(made, text.substr(piece.begin, piece.end - piece.begin), operands);
    copied = piece.end;
  }
  copyTo(text.size());
  return withTemplateKeywords(withDeductionGuides(withClangDeviceCode(withPragmaOperators(made))));
}

std::vector<std::string> includedNames(const std::string& source) {
  std::vector<std::string> names;
  const std::string word = "include";
  for (std::size_t at = 0; (at = source.find('#', at)) != std::string::npos;) {
    const std::size_t begin = source.find_first_not_of(" \t", at + 1);
    ++at;
    if (begin == std::string::npos || source.compare(begin, word.size(), word) != 0) continue;
    const std::size_t open = source.find_first_not_of(" \t", begin + word.size());
    if (open == std::string::npos || (source[open] != '"' && source[open] != '<')) continue;
    const std::size_t close = source.find(source[open] == '"' ? '"' : '>', open + 1);
    if (close == std::string::npos) continue;
    names.push_back(source.substr(open + 1, close - open - 1));
  }
  return names;
}

bool hasLaunchSizes(const std::string& source) {
  return source.find("__cluster_dims__") != std::string::npos ||
         source.find("__block_size__") != std::string::npos;
}

bool hasAlignasBehindShared(const std::string& source) {
  const std::string shared = "__shared__", word = "alignas";
  for (std::size_t at = source.find(shared); at != std::string::npos;
       at = source.find(shared, at)) {
    at = source.find_first_not_of(" \t\r\n", at + shared.size());
    if (at != std::string::npos && source.compare(at, word.size(), word) == 0) return true;
  }
  return false;
}

}  // namespace fermata::platforms
