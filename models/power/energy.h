// Amounts of energy and power as whole numbers, so that sums agree to the last bit however they are
// formed. Each is known by three values: what its sources say at the least, mostly and at the most.
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

/// What a power takes from the start to `picoseconds`, rounded down: of two times the difference is
/// what it takes between them, so parts add up exactly.
inline Energy energyUntil(const Power& power, std::uint64_t picoseconds) {
  const auto until = [&](std::uint64_t nanowatts) {
    __extension__ using Wide = unsigned __int128;
    return static_cast<std::uint64_t>(static_cast<Wide>(nanowatts) * picoseconds / 1000000);
  };
  return {until(power.low), until(power.nominal), until(power.high)};
}

}  // namespace fermata
