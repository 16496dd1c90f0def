// Arrays of a thread that clang-16 leaves in local memory where nvcc keeps them in registers: it
// unrolls fewer of the loops that index them.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace fermata::launch {

/// Returns the bytes of local memory per thread that clang-16 gave the functions of a PTX text,
/// added up.
std::size_t localBytes(const std::string& ptx);

/// Returns the options by which clang-16 unrolls loops as far as nvcc does where they index arrays.
/// Measured: nvcc 13.0 keeps a tile of 17x17 products and an array of 288 elements in registers,
/// and leaves 18x18 and 320 in local memory; the threshold that does so lies between 2500 and 3000.
std::vector<std::string> unrollingOptions();

/// Returns which of two texts to take, the second made with unrollingOptions(): that with fewer
/// bytes of local memory, the first if they have as many.
const std::string& withFewerLocalBytes(const std::string& first, const std::string& second);

}  // namespace fermata::launch
