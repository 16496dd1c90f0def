// The bits of values.
#pragma once

#include <cstdint>
#include <cstring>

namespace fermata::ptx {

/// Returns the value of type To that has the bits of `from`.
template <class To, class From>
inline To bitsAs(From from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  std::memcpy(&to, &from, sizeof to);
  return to;
}

/// Extends the lowest `bits` bits of a value, from 1 to 64, by their sign or by zeros.
constexpr std::uint64_t extended(std::uint64_t value, unsigned bits, bool isSigned) {
  const unsigned unused = 64 - bits;
  return isSigned ? static_cast<std::uint64_t>(static_cast<std::int64_t>(value << unused) >> unused)
                  : value << unused >> unused;
}

}  // namespace fermata::ptx
