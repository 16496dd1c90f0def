// Amounts of energy and power as whole numbers: sums agree to the last bit in any order of
// addition. Each amount has three values: the lowest, the nominal and the highest of its sources.
#pragma once

#include <cstdint>

namespace fermata {

/// Femtojoules: 2^64 of them are 18 kilojoules.
struct Energy {
  std::uint64_t low = 0;
  std::uint64_t nominal = 0;
  std::uint64_t high = 0;

  Energy& operator+=(const Energy& more) {
    low += more.low;
    nominal += more.nominal;
    high += more.high;
    return *this;
  }
};

inline Energy operator+(Energy a, const Energy& b) {
  return a += b;
}
/// Precondition: `b` is part of `a`.
inline Energy operator-(const Energy& a, const Energy& b) {
  return {a.low - b.low, a.nominal - b.nominal, a.high - b.high};
}
inline Energy operator*(const Energy& each, std::uint64_t count) {
  return {each.low * count, each.nominal * count, each.high * count};
}
inline bool operator==(const Energy& a, const Energy& b) {
  return a.low == b.low && a.nominal == b.nominal && a.high == b.high;
}
inline bool operator!=(const Energy& a, const Energy& b) {
  return !(a == b);
}

/// Nanowatts.
struct Power {
  std::uint64_t low = 0;
  std::uint64_t nominal = 0;
  std::uint64_t high = 0;
};

/// Returns the energy that a power takes from the start to `picoseconds`, rounded down. The energy
/// between two times is the difference of two calls, so that parts add up exactly.
inline Energy energyUntil(const Power& power, std::uint64_t picoseconds) {
  const auto until = [&](std::uint64_t nanowatts) {
    __extension__ using Wide = unsigned __int128;
    return static_cast<std::uint64_t>(static_cast<Wide>(nanowatts) * picoseconds / 1000000);
  };
  return {until(power.low), until(power.nominal), until(power.high)};
}

}  // namespace fermata
