// Oracle tables: an opcode, the types of its operands, and the expected result of one lane.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace fermata::ptx::test {

/// Computes the bits of the result from the bits of up to four sources.
using Oracle = std::function<std::uint64_t(std::uint64_t a, std::uint64_t b, std::uint64_t c,
                                           std::uint64_t d)>;

struct Operation {
  std::string opcode;                ///< for example "add.s32"
  std::string result;                ///< "b32", "b16", "b64" or "pred"
  std::vector<std::string> sources;  ///< type of each operand, named like `result`
  Oracle oracle;
  /// Result and oracle may differ by this many units in the last place (f32).
  std::uint32_t ulp = 0;
  std::string suffix = {};  ///< operands after the sources
};

/// Return values that break arithmetic, and seeded random values, for a type name ("u32", "f32"
/// ..., "f32x2"). "f32tame" and "f64tame" give moderate numbers: their sums and products fit in 113
/// bits.
std::vector<std::uint64_t> edgeValues(const std::string& type);
std::vector<std::uint64_t> randomValues(const std::string& type, std::size_t count,
                                        std::uint64_t seed);

/// Checks each lane of the operation on pairs of edge values and random values of `valueType`: with
/// full warps, partial warps and a predicate. Lanes that the predicate excludes must keep their old
/// value.
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
