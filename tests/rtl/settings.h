// Random configurations of the hashes that have registers.
#pragma once

#include <cstdint>
#include <random>
#include <string>

namespace fermata::rtl::test {

/// Returns a random number below `limit`.
inline std::uint32_t draw(std::mt19937& random, std::uint32_t limit) {
  return static_cast<std::uint32_t>(random() % limit);
}

/// A mapping, and the registers of its block: fields of 4 bits, lowest first, as 9 to 16 address
/// bits need them.
struct Setting {
  std::string text;
  std::uint64_t registers = 0;
};

/// Returns a setting of `family` for n address bits and m bank bits. Bank bits of "bits" and
/// "pairs" may be dependent.
inline Setting someSetting(const std::string& family, std::mt19937& random, unsigned n,
                           unsigned m) {
  const std::uint32_t k = draw(random, n - m + 1);
  if (family == "perm") return {"perm k=" + std::to_string(k), k};
  if (family == "xor") {
    const std::uint32_t k2 = draw(random, n);
    const std::uint32_t mask = draw(random, 1U << m);
    return {"xor k1=" + std::to_string(k) + " k2=" + std::to_string(k2) +
                " mask=" + std::to_string(mask),
            k | k2 << 4 | mask << 8};
  }
  Setting setting{family, 0};
  for (unsigned i = 0; i < m; ++i) {
    const std::uint32_t first = draw(random, n);
    const std::uint32_t second = draw(random, n);
    const bool pair = family == "pairs" && first != second && random() % 4 != 0;
    setting.text += (i == 0 ? " " : ",") + std::to_string(first);
    if (pair) setting.text += "^" + std::to_string(second);
    setting.registers |= std::uint64_t{first} << 4 * i;
    if (family == "pairs")
      setting.registers |= std::uint64_t{second} << 4 * (m + i) | std::uint64_t{pair}
                                                                      << (8 * m + i);
  }
  return setting;
}

}  // namespace fermata::rtl::test
