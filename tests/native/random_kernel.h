// Kernels of random instructions, for tests that run them in two ways.
#pragma once

#include <cstdint>
#include <string>

namespace fermata::native::test {

/// Words that each thread writes behind its number.
inline constexpr unsigned kWordsOfThread = 64;
/// Words of the buffer from which kernels load, and of the part of `out` that all threads share.
inline constexpr unsigned kWordsOfInput = 256;

/// Returns a module with the entry k(.param .u64 in, .param .u64 out). It has branches, loops,
/// guards, all widths of arithmetic, and accesses of all shapes.
std::string randomKernel(std::uint32_t seed);

}  // namespace fermata::native::test
