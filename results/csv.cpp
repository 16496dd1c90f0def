#include <fermata/results/csv.h>

#include <csv.h>

#include <algorithm>
#include <algorithm>
#include <array>
#include <charconv>

namespace fermata::results {

namespace {

// A comparison of each byte: find_first_of calls a function for each.
bool mustBeQuoted(std::string_view field) {
  return std::any_of(field.begin(), field.end(), [](char byte) {
    return byte == ',' || byte == '"' || byte == '\r' || byte == '\n';
  });
}

}  // namespace

void appendField(std::string& line, std::string_view field) {
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
