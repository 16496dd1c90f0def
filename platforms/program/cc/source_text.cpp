#include <fermata/platforms/program/cc/source_text.h>

#include <cstddef>
#include <string_view>
#include <vector>

#include <fermata/platforms/program/cc/source_device_code.h>
#include <fermata/platforms/program/cc/source_pieces.h>

namespace fermata::platforms {

namespace {

/// Appends a literal of an asm statement with operands.
void appendEscaped(std::string& made, std::string_view literal) {
  for (std::size_t i = 0; i < literal.size(); ++i) {
    made += literal[i];
    if (literal[i] != '%') continue;
    const char next = i + 1 < literal.size() ? literal[i + 1] : '\0';
    const char after = i + 2 < literal.size() ? literal[i + 2] : '\0';
    if (next == '%') {
      made += literal[++i];
    } else if ((isLetter(next) && !isDigit(after) && after != '[') || next == '"') {
      // A register's name, here or in what follows the literal.
      made += '%';
    }
  }
}

/// The template of an asm statement, which is known to have operands only at its colon.
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
  /// Returns the literals of a template that has just been found to have operands, once.
  std::vector<Piece> takeFound() {
    std::vector<Piece> found;
    found.swap(found_);
    return found;
  }

 private:
  enum class State { Outside, Named, Open };

  void takeInside(Piece piece, std::string_view text) {
    if (piece.kind == Piece::Kind::Literal || piece.kind == Piece::Kind::Raw) {
      literals_.push_back(piece);
    } else if (text == "(") {
      ++depth_;
    } else if (text == ")") {
      if (--depth_ == 0) state_ = State::Outside;
    } else if (text == ":" && depth_ == 1) {
      found_ = std::move(literals_);
      state_ = State::Outside;
    } else if (text == ";") {
      state_ = State::Outside;
    }
  }

  State state_ = State::Outside;
  unsigned depth_ = 0;
  std::vector<Piece> literals_, found_;
};

}  // namespace

std::string clangText(const std::string& source) {
  const std::string_view text = source;
  std::vector<std::size_t> spaces;  // where a space is missing
  std::vector<Piece> literals;      // those to escape
  Pieces pieces(source);
  AssemblyTemplate assembly;
  Piece last;
  for (Piece piece; pieces.next(piece); last = piece) {
    const std::string_view word = text.substr(piece.begin, piece.end - piece.begin);
    // Suffixes with two underscores are the compiler's, which has none: the word is a macro.
    if (last.kind == Piece::Kind::Literal && piece.kind == Piece::Kind::Word &&
        word.find("__") != std::string_view::npos)
      spaces.push_back(piece.begin);
    assembly.take(piece, word);
    for (const Piece& literal : assembly.takeFound()) literals.push_back(literal);
  }
  std::string made;
  std::size_t copied = 0;
  auto space = spaces.begin();
  const auto copyTo = [&](std::size_t end) {
    for (; space != spaces.end() && *space <= end; ++space) {
      made += text.substr(copied, *space - copied);
      made += ' ';
      copied = *space;
    }
    made += text.substr(copied, end - copied);
    copied = end;
  };
  for (const Piece& literal : literals) {
    copyTo(literal.begin);
    appendEscaped(made, text.substr(literal.begin, literal.end - literal.begin));
    copied = literal.end;
  }
  copyTo(text.size());
  return withClangDeviceCode(made);
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

bool hasClusterDims(const std::string& source) {
  return source.find("__cluster_dims__") != std::string::npos;
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
