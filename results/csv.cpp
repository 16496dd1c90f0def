#include <fermata/results/csv.h>

#include <csv.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace fermata::results {

namespace {

// Compares byte by byte: find_first_of would call a function for each.
bool mustBeQuoted(std::string_view field) {
  return std::any_of(field.begin(), field.end(), [](char byte) {
    return byte == ',' || byte == '"' || byte == '\r' || byte == '\n';
  });
}

bool isPlain(std::string_view field) {
  return std::all_of(field.begin(), field.end(),
                     [](char byte) { return byte >= ' ' && byte < '\x7f'; });
}

/// Returns the bytes of the character that begins here; 0 if it is no UTF-8. Overlong forms,
/// surrogates and code points beyond U+10FFFF are no UTF-8 (Unicode 15.0, table 3-7).
std::size_t lengthOfCharacter(std::string_view text) {
  const auto byte = [&](std::size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
  };
  const auto within = [&](std::size_t i, unsigned low, unsigned high) {
    return byte(i) >= low && byte(i) <= high;
  };
  const auto follows = [&](std::size_t i) { return within(i, 0x80, 0xbf); };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  if (first < 0xc2 || first > 0xf4) return 0;
  if (first < 0xe0) return follows(1) ? 2 : 0;
  const unsigned low = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
  const unsigned high = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
  if (!within(1, low, high) || !follows(2)) return 0;
  if (first < 0xf0) return 3;
  return follows(3) ? 4 : 0;
}

void appendEscaped(std::string& to, char byte) {
  switch (byte) {
    case '\n':
      to += "\\n";
      return;
    case '\r':
      to += "\\r";
      return;
    case '\t':
      to += "\\t";
      return;
    default:
      to += fmt::format("\\x{:02x}", static_cast<unsigned char>(byte));
  }
}

bool isNumber(std::string_view field) {
  if (field[0] == '+') field.remove_prefix(1);
  double value = 0;
  const auto [end, wrong] = std::from_chars(field.data(), field.data() + field.size(), value);
  return wrong == std::errc() && end == field.data() + field.size();
}

bool looksLikeFormula(std::string_view field) {
  if (field.empty() || std::string_view("=+-@").find(field[0]) == std::string_view::npos)
    return false;
  return !isNumber(field);
}

}  // namespace

std::string printable(std::string_view text) {
  if (isPlain(text)) return std::string(text);
  std::string shown;
  while (!text.empty()) {
    const std::size_t length = lengthOfCharacter(text);
    const bool control = length == 1 && (text[0] < ' ' || text[0] == '\x7f');
    if (length == 0 || control) {
      appendEscaped(shown, text[0]);
    } else {
      shown += text.substr(0, length);
    }
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return shown;
}

void appendField(std::string& line, std::string_view field) {
  if (isPlain(field) && !looksLikeFormula(field)) return appendExactField(line, field);
  appendExactField(line, (looksLikeFormula(field) ? "'" : "") + printable(field));
}

void appendExactField(std::string& line, std::string_view field) {
  if (!mustBeQuoted(field)) {
    line += field;
    return;
  }
  const std::size_t start = line.size();
  const std::size_t bytes = csv_write(nullptr, 0, field.data(), field.size());
  line.resize(start + bytes);
  csv_write(line.data() + start, bytes, field.data(), field.size());
}

std::string number(double value) {
  std::array<char, 32> digits{};
  const auto result = std::to_chars(digits.data(), digits.data() + digits.size(), value);
  return {digits.data(), result.ptr};
}

}  // namespace fermata::results
