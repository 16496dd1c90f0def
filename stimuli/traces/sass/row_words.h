// Words and numbers of a row: what the reading of rows spends its time in. A word ends before any
// byte up to ' '; behind a line stands '\n', so that no reading passes its end.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

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

// Lists of addresses are most of a trace's bytes. The functions below read eight digits at once and
// need kWordSlack readable bytes behind the place.

inline constexpr std::size_t kWordSlack = 16;
inline constexpr std::uint64_t kEachByte = 0x0101010101010101;

inline std::uint64_t eightBytes(const char* at) {
  std::uint64_t bytes = 0;
  std::memcpy(&bytes, at, sizeof bytes);
  return bytes;
}
/// Marks the bytes that are no decimal digits, by their highest bit.
inline std::uint64_t noDecimals(std::uint64_t bytes) {
  const std::uint64_t from0 = bytes ^ kEachByte * '0';
  return (((from0 & kEachByte * 0x7f) + kEachByte * (0x80 - 10)) | from0) & kEachByte * 0x80;
}
/// Marks the bytes that are no hexadecimal digits, by their highest bit.
inline std::uint64_t noHexDigits(std::uint64_t bytes) {
  const std::uint64_t letter = (bytes | kEachByte * 0x20) ^ kEachByte * 0x60;  // a to f: 1 to 6
  const std::uint64_t low = letter & kEachByte * 0x7f;
  const std::uint64_t above = (low + kEachByte * (0x80 - 7)) | letter;
  const std::uint64_t some = low + kEachByte * 0x7f;
  return noDecimals(bytes) & (above | ~some) & kEachByte * 0x80;
}
/// Returns the number of bytes before the first that is marked; 8: none is.
inline unsigned unmarked(std::uint64_t marks) {
  return marks == 0 ? 8 : static_cast<unsigned>(__builtin_ctzll(marks)) / 8;
}
/// Returns the value of eight hexadecimal digits; bytes of zero count as the digit 0.
inline std::uint64_t eightHexDigits(std::uint64_t bytes) {
  std::uint64_t value = (bytes & kEachByte * 0x0f) + 9 * (bytes >> 6 & kEachByte);
  value = (value << 4 | value >> 8) & 0x00ff00ff00ff00ff;
  value = (value << 8 | value >> 16) & 0x0000ffff0000ffff;
  return (value << 16 | value >> 32) & 0xffffffff;
}
/// Returns the value of eight decimal digits; bytes of zero count as the digit 0.
inline std::uint64_t eightDecimals(std::uint64_t bytes) {
  bytes &= kEachByte * 0x0f;
  bytes = bytes * 10 + (bytes >> 8);
  constexpr std::uint64_t kPairs = 0x000000ff000000ff;
  constexpr std::uint64_t kFirst = 100 + (std::uint64_t{1000000} << 32);
  constexpr std::uint64_t kSecond = 1 + (std::uint64_t{10000} << 32);
  return ((bytes & kPairs) * kFirst + (bytes >> 16 & kPairs) * kSecond) >> 32;
}

/// Reads "0x" and up to 16 hexadecimal digits that a blank follows. Returns the end, or nullptr.
inline const char* readAddress(const char* at, std::uint64_t& value) {
  if (at[0] != '0' || at[1] != 'x') return nullptr;
  at += 2;
  const std::uint64_t first = eightBytes(at);
  const unsigned digits = unmarked(noHexDigits(first));
  if (digits == 0) return nullptr;
  value = eightHexDigits(first << (64 - 8 * digits));
  if (digits != 8) return endsWord(at[digits]) ? at + digits : nullptr;
  at += 8;
  const std::uint64_t second = eightBytes(at);
  const unsigned more = unmarked(noHexDigits(second));
  if (more != 0) value = value << 4 * more | eightHexDigits(second << (64 - 8 * more));
  return endsWord(at[more]) ? at + more : nullptr;
}

/// Values of two hexadecimal digits, by their bytes in memory; kNoPair for other bytes. Rows of a
/// trace touch 2 KiB of it.
inline constexpr std::uint16_t kNoPair = 0x8000;
const std::uint16_t* hexPairs();

/// Reads "0x" and exactly `digits` hexadecimal digits, an even number, that a blank follows.
/// Returns the end, or nullptr.
template <unsigned digits>
const char* readLikeAddress(const std::uint16_t* pairs, const char* at, std::uint64_t& value) {
  std::uint64_t sum = 0;
  unsigned any = 0;
  const char* const first = at + 2;
  for (unsigned k = 0; k < digits; k += 2) {
    std::uint16_t bytes = 0;
    std::memcpy(&bytes, first + k, sizeof bytes);
    const unsigned pair = pairs[bytes];
    sum = sum << 8 | (pair & 0xffU);
    any |= pair;
  }
  value = sum;
  const bool right =
      (any & kNoPair) == 0 && at[0] == '0' && at[1] == 'x' && endsWord(first[digits]);
  return right ? first + digits : nullptr;
}

/// Reads a sign, if there is one, and up to 16 decimal digits that a blank follows. Returns the
/// end, or nullptr, also if there are more digits.
inline const char* readDifference(const char* at, std::int64_t& value) {
  constexpr std::array<std::uint64_t, 9> kPowers{1,      10,      100,      1000,     10000,
                                                 100000, 1000000, 10000000, 100000000};
  const std::uint64_t negative = *at == '-' ? 1 : 0;
  at += negative;
  const std::uint64_t first = eightBytes(at);
  const unsigned digits = unmarked(noDecimals(first));
  if (digits == 0) return nullptr;
  std::uint64_t magnitude = eightDecimals(first << (64 - 8 * digits));
  at += digits;
  if (digits == 8) {
    const std::uint64_t second = eightBytes(at);
    const unsigned more = unmarked(noDecimals(second));
    if (more != 0) magnitude = magnitude * kPowers[more] + eightDecimals(second << (64 - 8 * more));
    at += more;
  }
  value = static_cast<std::int64_t>((magnitude ^ (~negative + 1)) + negative);
  return endsWord(*at) ? at : nullptr;
}

}  // namespace fermata::sass
