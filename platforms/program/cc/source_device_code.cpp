#include <fermata/platforms/program/cc/source_device_code.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include <fermata/platforms/program/cc/source_pieces.h>

namespace fermata::platforms {

namespace {

constexpr std::size_t kNowhere = std::string::npos;

/// The sides for which code is compiled, as the words before its brace say.
struct Sides {
  bool device = false, host = false;
  bool deviceOnly() const { return device && !host; }
};

/// Returns the pieces of a source without spaces and lines of the preprocessor.
std::vector<Piece> solidPieces(const std::string& text) {
  std::vector<Piece> solid;
  Pieces pieces(text);
  bool lineBegins = true, directive = false, goesOn = false;
  for (Piece piece; pieces.next(piece);) {
    const char first = text[piece.begin];
    if (piece.kind == Piece::Kind::Space) {
      if (first == '\n' && !goesOn) lineBegins = true, directive = false;
      goesOn = first == '\\';  // a line that goes on in the next one
      continue;
    }
    goesOn = false;
    if (lineBegins && first == '#') directive = true;
    lineBegins = false;
    if (!directive) solid.push_back(piece);
  }
  return solid;
}

class DeviceCodeWriter {
 public:
  explicit DeviceCodeWriter(const std::string& text) : text_(text), pieces_(solidPieces(text)) {}

  std::string write() {
    for (std::size_t k = 0; k < pieces_.size(); ++k) {
      if (is(k, '{')) {
        const Sides outer = open_.empty() ? Sides() : open_.back();
        open_.push_back(head_.device || head_.host ? head_ : outer);
        head_ = {};
      } else if (is(k, '}')) {
        if (!open_.empty()) open_.pop_back();
        head_ = {};
      } else if (is(k, ';')) {
        head_ = {};
      } else if (isWord(k, "__global__") || isWord(k, "__device__")) {
        head_.device = true;
      } else if (isWord(k, "__host__")) {
        head_.host = true;
      } else if (opensLaunch(k) && !open_.empty() && open_.back().deviceOnly()) {
        k = std::max(k, launch(k));
      } else if (isWord(k, "extern") && !open_.empty() && open_.back().deviceOnly()) {
        k = std::max(k, sharedObject(k));
      }
    }
    return made_ + text_.substr(copied_);
  }

 private:
  bool is(std::size_t k, char c) const {
    return k < pieces_.size() && pieces_[k].kind == Piece::Kind::Other &&
           text_[pieces_[k].begin] == c && pieces_[k].end == pieces_[k].begin + 1;
  }
  bool isWord(std::size_t k, std::string_view word) const {
    return pieces_[k].kind == Piece::Kind::Word && textOf(k, k + 1) == word;
  }
  /// Returns the text of pieces [k, end), with the spaces between them.
  std::string_view textOf(std::size_t k, std::size_t end) const {
    return std::string_view(text_).substr(pieces_[k].begin,
                                          pieces_[end - 1].end - pieces_[k].begin);
  }
  /// True if pieces k to k + 2 are `c` three times without a space.
  bool isThrice(std::size_t k, char c) const {
    return is(k, c) && is(k + 1, c) && is(k + 2, c) && pieces_[k + 2].begin == pieces_[k].begin + 2;
  }
  bool opensLaunch(std::size_t k) const { return k > 0 && isThrice(k, '<'); }

  /// Returns the first piece of the kernel's name before piece `end`: `a::b<c, d>`.
  std::size_t nameBefore(std::size_t end) const {
    std::size_t k = end;
    if (is(k - 1, '>')) {
      for (int depth = 0; k > 0;) {
        k = is(k - 1, ')') ? opening(k - 1) : k - 1;
        if (is(k, '>')) ++depth;
        if (is(k, '<') && --depth == 0) break;
      }
    }
    if (k == 0 || pieces_[k - 1].kind != Piece::Kind::Word) return kNowhere;
    --k;
    while (k >= 2 && is(k - 1, ':') && is(k - 2, ':')) {
      k -= 2;
      if (k > 0 && pieces_[k - 1].kind == Piece::Kind::Word && !isWord(k - 1, "return")) --k;
    }
    return k;
  }
  /// Returns the piece that opens what piece k, a bracket, closes; the first one if none does.
  std::size_t opening(std::size_t k) const {
    for (int depth = 0; k > 0; --k) {
      if (is(k, ')')) ++depth;
      if (is(k, '(') && --depth == 0) break;
    }
    return k;
  }
  /// Returns the piece behind what piece k opens.
  std::size_t behind(std::size_t k) const {
    for (int depth = 0; k < pieces_.size(); ++k) {
      if (is(k, '(') || is(k, '[') || is(k, '{')) ++depth;
      if ((is(k, ')') || is(k, ']') || is(k, '}')) && --depth == 0) return k + 1;
    }
    return kNowhere;
  }

  /// Writes the launch whose <<< is at piece k. Returns its last piece of the configuration.
  std::size_t launch(std::size_t k) {
    const std::size_t name = nameBefore(k);
    std::size_t close = k + 3;
    while (close < pieces_.size() && !isThrice(close, '>')) {
      const bool opens = is(close, '(') || is(close, '[') || is(close, '{');
      close = opens ? behind(close) : close + 1;
    }
    if (name == kNowhere || close >= pieces_.size() || close == k + 3 || !is(close + 3, '('))
      return k;
    std::string kernel(textOf(name, k));
    std::string line = kernel;
    std::replace(line.begin(), line.end(), '\n', ' ');
    made_ += text_.substr(copied_, pieces_[name].begin - copied_);
    made_ += "::fermata_launch::Launch<decltype(" + line + "), " + kernel + ">(";
    made_ += text_.substr(pieces_[k + 2].end, pieces_[close].begin - pieces_[k + 2].end) + ")";
    copied_ = pieces_[close + 2].end;
    return close + 2;
  }

  /// Writes the object in dynamic shared memory whose declaration begins at piece k, if it is one.
  /// Returns the piece of its name, or k.
  std::size_t sharedObject(std::size_t k) {
    std::size_t end = k + 1;
    if (end >= pieces_.size() || !isWord(end, "__shared__")) return k;
    while (end < pieces_.size() && !is(end, ';') && !is(end, '[') && !is(end, '{')) ++end;
    const std::size_t name = end - 1;
    if (!is(end, ';') || name < k + 3 || pieces_[name].kind != Piece::Kind::Word) return k;
    const std::string object(textOf(name, end)), array = object + "_fermata";
    made_ += text_.substr(copied_, pieces_[name].begin - copied_);
    made_ += array + "[]; auto& " + object + " = " + array + "[0]";
    copied_ = pieces_[name].end;
    return name;
  }

  const std::string& text_;
  std::vector<Piece> pieces_;
  std::vector<Sides> open_;  ///< by brace
  Sides head_;               ///< of what stands since the last brace or semicolon
  std::string made_;
  std::size_t copied_ = 0;
};

}  // namespace

std::string withClangDeviceCode(const std::string& source) {
  if (source.find("<<<") == std::string::npos && source.find("extern") == std::string::npos)
    return source;
  return DeviceCodeWriter(source).write();
}

}  // namespace fermata::platforms
