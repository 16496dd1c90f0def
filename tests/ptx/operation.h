// Oracle tables: an opcode, the types of its operands, and what one lane must compute.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace fermata::ptx::test {

/// Bits of up to four sources -> bits of the result.
using Oracle = std::function<std::uint64_t(std::uint64_t a, std::uint64_t b, std::uint64_t c,
                                           std::uint64_t d)>;

struct Operation {
  std::string opcode;                ///< "add.s32"
  std::string result;                ///< "b32", "b16", "b64", "pred"
  std::vector<std::string> sources;  ///< the same names, one an operand
  Oracle oracle;
  /// Result and oracle may differ by this many units in the last place (f32).
  std::uint32_t ulp = 0;
  std::string suffix = {};  ///< operands behind the sources
};

/// Values that break arithmetic, and seeded random ones, for a type name ("u32", "f32" ...);
/// "f32tame" and "f64tame" are moderate numbers, whose sums and products fit 113 bits.
std::vector<std::uint64_t> edgeValues(const std::string& type);
std::vector<std::uint64_t> randomValues(const std::string& type, std::size_t count,
                                        std::uint64_t seed);

/// Runs the operation over pairs of edge values and random values of `valueType`, on full warps, on
/// partial warps, and guarded by a predicate (unguarded lanes must keep what they had); checks each
/// lane.
void checkOperation(const Operation& operation, const std::string& valueType);

template <class T>
T as(std::uint64_t bits) {
  T value;
  __builtin_memcpy(&value, &bits, sizeof value);
  return value;
}
template <class T>
std::uint64_t bits(T value) {
  std::uint64_t result = 0;
  __builtin_memcpy(&result, &value, sizeof value);
  return result;
}

}  // namespace fermata::ptx::test
