// Pieces of C expressions over `unsigned`: what a mapping computes, for a reader's own program.
// Each result is an operand: a name, or an expression in parentheses.
#pragma once

#include <fermata/models/indexing/gf2.h>

#include <cstdint>
#include <string>

namespace fermata::indexing {

/// Returns "(w & 0x1f)".
std::string maskInC(const std::string& operand, std::uint32_t mask);
/// Returns "(w >> 5)", "(w << 5)" for -5, the operand itself for 0.
std::string shiftInC(const std::string& operand, int right);
/// Returns "(w % 33)"; for a power of two "(w & 0x1f)".
std::string remainderInC(const std::string& operand, std::uint32_t divisor);
/// Returns matrix * word: one shifted and masked term per diagonal of the matrix that has ones, as
/// "((w & 0x1f) ^ ((w >> 5) & 0x7))".
std::string productInC(const gf2::Matrix& matrix, const std::string& word);

}  // namespace fermata::indexing
