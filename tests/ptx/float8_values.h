// Every value of e4m3 and of e5m2, by search: an oracle of rounding.
#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

namespace fermata::ptx::test {

/// Returns the value of 8 bits (OCP 8-bit Floating Point Specification, revision 1.0, table 1).
inline double float8Value(const std::string& type, std::uint64_t bits) {
  const int fractionBits = type == "e4m3" ? 3 : 2, bias = type == "e4m3" ? 7 : 15;
  const auto magnitude = static_cast<int>(bits & 0x7fU);
  const int exponent = magnitude >> fractionBits, digits = magnitude % (1 << fractionBits);
  if (magnitude == 0x7f || (type == "e5m2" && magnitude > 0x7c)) return std::nan("");
  double value = std::ldexp(exponent == 0 ? digits : digits + (1 << fractionBits),
                            (exponent == 0 ? 1 : exponent) - bias - fractionBits);
  if (type == "e5m2" && magnitude == 0x7c) value = HUGE_VAL;
  return (bits & 0x80U) != 0 ? -value : value;
}

/// Returns all finite values from 0 on, by their bits.
inline const std::vector<double>& float8Values(const std::string& type) {
  const auto listed = [](const std::string& of) {
    std::vector<double> list;
    while (std::isfinite(float8Value(of, list.size())))
      list.push_back(float8Value(of, list.size()));
    return list;
  };
  static const std::vector<double> e4m3 = listed("e4m3"), e5m2 = listed("e5m2");
  return type == "e4m3" ? e4m3 : e5m2;
}

/// Returns the bits of the nearest finite value; between two equally near ones the even one.
inline std::uint64_t nearestFloat8(const std::string& type, double value) {
  if (value != value) return 0x7f;
  const std::vector<double>& all = float8Values(type);
  const double magnitude = std::fmin(std::fabs(value), all.back());
  std::uint64_t best = 0;
  for (std::uint64_t bits = 1; bits < all.size(); ++bits) {
    const double off = std::fabs(all[bits] - magnitude), least = std::fabs(all[best] - magnitude);
    if (off < least || (off == least && bits % 2 == 0)) best = bits;
  }
  return best | (std::signbit(value) ? 0x80U : 0U);
}

}  // namespace fermata::ptx::test
