#include <fermata/models/indexing/mapping_text.h>

#include <charconv>

#include <fermata/models/indexing/indexer.h>

namespace fermata::indexing {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";

Token trim(Token token) {
  const std::size_t first = token.text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {token.text.substr(token.text.size()), token.column};
  const std::size_t last = token.text.find_last_not_of(kBlanks);
  return {token.text.substr(first, last - first + 1), token.column + first};
}

/// A piece of the text as a message may show it: short, and without control characters.
std::string shown(std::string_view text) {
  constexpr std::size_t kLongest = 24;
  std::string result = "'";
  for (const char c : text.substr(0, kLongest)) {
    const unsigned char byte = static_cast<unsigned char>(c);
    result += byte < 0x20 || byte == 0x7f ? '?' : c;
  }
  return result + (text.size() > kLongest ? "...'" : "'");
}

}  // namespace

std::uint32_t parseNumber(const Token& token, const std::string& what, std::uint32_t lowest,
                          std::uint32_t highest, const std::string& why) {
  const std::string expected = "; expected " + std::to_string(lowest) + " to " +
                               std::to_string(highest) + (why.empty() ? "" : " (" + why + ")");
  std::string_view digits = token.text;
  const bool hex = digits.size() > 2 && digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X');
  if (hex) digits.remove_prefix(2);
  std::uint64_t value = 0;
  const char* end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, value, hex ? 16 : 10);
  const bool overflow = error == std::errc::result_out_of_range && stop == end;
  if (digits.empty() || stop != end || (error != std::errc{} && !overflow)) {
    throw IndexingError(what + " " + shown(token.text) + " is not a number" + expected,
                        token.column);
  }
  if (overflow || value < lowest || value > highest) {
    throw IndexingError(what + " " + shown(token.text) + " is out of range" + expected,
                        token.column);
  }
  return static_cast<std::uint32_t>(value);
}

std::vector<Token> split(const Token& token, char separator) {
  std::vector<Token> pieces;
  if (trim(token).text.empty()) return pieces;
  std::size_t start = 0;
  while (true) {
    const std::size_t stop = token.text.find(separator, start);
    const std::size_t length = stop == std::string_view::npos ? stop : stop - start;
    pieces.push_back(trim({token.text.substr(start, length), token.column + start}));
    if (stop == std::string_view::npos) return pieces;
    start = stop + 1;
  }
}

Arguments::Arguments(std::string_view text, std::string syntax) : syntax_(std::move(syntax)) {
  const Token whole = trim({text, 1});
  endColumn_ = whole.column + whole.text.size();
  const std::size_t end = std::min(whole.text.find_first_of(kBlanks), whole.text.size());
  name_ = {whole.text.substr(0, end), whole.column};
  rest_ = trim({whole.text.substr(end), whole.column + end});
  std::size_t start = 0;
  while (start < rest_.text.size()) {
    const std::size_t stop = std::min(rest_.text.find_first_of(kBlanks, start), rest_.text.size());
    pieces_.push_back({rest_.text.substr(start, stop - start), rest_.column + start});
    start = std::min(rest_.text.find_first_not_of(kBlanks, stop), rest_.text.size());
  }
  taken_.assign(pieces_.size(), false);
}

std::uint32_t Arguments::number(const std::string& what, std::uint32_t lowest,
                                std::uint32_t highest) {
  if (pieces_.empty())
    throw IndexingError("the " + what + " is missing; expected " + syntax_, endColumn_);
  taken_.front() = true;
  return parseNumber(pieces_.front(), what, lowest, highest);
}

Token Arguments::option(std::string_view key) {
  Token value;
  bool found = false;
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    const std::string_view piece = pieces_[i].text;
    if (piece.substr(0, key.size()) != key || piece.substr(key.size(), 1) != "=") continue;
    const std::size_t length = key.size() + 1;
    if (found) {
      throw IndexingError(std::string(key) + " is given twice; expected " + syntax_,
                          pieces_[i].column);
    }
    found = true;
    taken_[i] = true;
    value = {piece.substr(length), pieces_[i].column + length};
    if (value.text.empty())
      throw IndexingError(std::string(key) + " has no value; expected " + syntax_, value.column);
  }
  return value;
}

std::uint32_t Arguments::numberOption(std::string_view key, std::uint32_t lowest,
                                      std::uint32_t highest, const std::string& why) {
  const Token value = option(key);
  if (value.text.empty()) {
    for (std::size_t i = 0; i < pieces_.size(); ++i) {  // perhaps it is there, but misspelt
      if (!taken_[i] && pieces_[i].text.find('=') == std::string_view::npos) expectNoMore();
    }
    throw IndexingError(std::string(key) + "= is missing; expected " + syntax_, endColumn_);
  }
  return parseNumber(value, std::string(key), lowest, highest, why);
}

void Arguments::expectNoMore() const {
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    if (taken_[i]) continue;
    throw IndexingError(shown(pieces_[i].text) + " is not understood; expected " + syntax_,
                        pieces_[i].column);
  }
}

}  // namespace fermata::indexing
