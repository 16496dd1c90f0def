// Words and numbers of a row: what the reading of rows spends its time in. A word ends before any
// byte up to ' '; behind a line stands '\n', so that no reading passes its end.
#pragma once

#include <array>
#include <cstdint>

namespace fermata::sass {

/// Values of hexadecimal digits; kNoDigit for other bytes.
inline constexpr std::uint8_t kNoDigit = 0x80;
inline constexpr std::array<std::uint8_t, 256> kHexDigits = [] {
  std::array<std::uint8_t, 256> digits{};
  for (unsigned c = 0; c < 256; ++c) {
    const bool decimal = c >= '0' && c <= '9';
    const bool lower = c >= 'a' && c <= 'f';
    const bool upper = c >= 'A' && c <= 'F';
    digits[c] = static_cast<std::uint8_t>(decimal ? c - '0'
                                          : lower ? c - 'a' + 10
                                          : upper ? c - 'A' + 10
                                                  : kNoDigit);
  }
  return digits;
}();

inline std::uint8_t hexDigit(char c) {
  return kHexDigits[static_cast<unsigned char>(c)];
}
inline bool endsWord(char c) {
  return static_cast<unsigned char>(c) <= ' ';
}
inline const char* skipBlanks(const char* at) {
  while (*at == ' ' || *at == '\t' || *at == '\r') ++at;
  return at;
}
inline const char* skipWord(const char* at) {
  while (!endsWord(*at)) ++at;
  return at;
}

/// Reads 1 to 16 hexadecimal digits that a blank follows. Returns the end, or nullptr.
inline const char* readHex(const char* at, std::uint64_t& value) {
  std::uint64_t sum = 0;
  const char* const first = at;
  for (std::uint8_t digit = hexDigit(*at); digit != kNoDigit; digit = hexDigit(*++at))
    sum = sum << 4 | digit;
  value = sum;
  return at == first || at - first > 16 || !endsWord(*at) ? nullptr : at;
}
/// Reads "0x" and digits.
inline const char* readMarkedHex(const char* at, std::uint64_t& value) {
  return at[0] == '0' && at[1] == 'x' ? readHex(at + 2, value) : nullptr;
}

/// Reads 1 to 19 decimal digits that a blank follows. Returns the end, or nullptr.
inline const char* readDecimal(const char* at, std::uint64_t& value) {
  std::uint64_t sum = 0;
  const char* const first = at;
  for (auto digit = static_cast<unsigned char>(*at - '0'); digit < 10;
       digit = static_cast<unsigned char>(*++at - '0'))
    sum = sum * 10 + digit;
  value = sum;
  return at == first || at - first > 19 || !endsWord(*at) ? nullptr : at;
}
inline const char* readSigned(const char* at, std::int64_t& value) {
  const bool negative = *at == '-';
  std::uint64_t magnitude = 0;
  const char* const stop = readDecimal(negative ? at + 1 : at, magnitude);
  value = static_cast<std::int64_t>(negative ? ~magnitude + 1 : magnitude);
  return stop;
}

}  // namespace fermata::sass
