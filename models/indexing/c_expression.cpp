#include <fermata/models/indexing/c_expression.h>

#include <array>

namespace fermata::indexing {

namespace {

std::string hexadecimal(std::uint32_t value) {
  constexpr const char* kDigits = "0123456789abcdef";
  std::string text;
  do {
    text.insert(text.begin(), kDigits[value & 15U]);
    value >>= 4;
  } while (value != 0);
  return "0x" + text;
}

}  // namespace

std::string maskInC(const std::string& operand, std::uint32_t mask) {
  return "(" + operand + " & " + hexadecimal(mask) + ")";
}

std::string shiftInC(const std::string& operand, int right) {
  if (right == 0) return operand;
  return "(" + operand + (right > 0 ? " >> " : " << ") +
         std::to_string(right > 0 ? right : -right) + ")";
}

std::string remainderInC(const std::string& operand, std::uint32_t divisor) {
  if ((divisor & (divisor - 1)) == 0) return maskInC(operand, divisor - 1);
  return "(" + operand + " % " + std::to_string(divisor) + ")";
}

std::string productInC(const gf2::Matrix& matrix, const std::string& word) {
  constexpr int kWordBits = 32;
  std::array<std::uint32_t, 2 * kWordBits> results{};  // by how far the word is shifted, plus that
  for (int row = 0; row < static_cast<int>(matrix.rows.size()); ++row) {
    for (int column = 0; column < kWordBits; ++column) {
      if ((matrix.rows[static_cast<std::size_t>(row)] >> column & 1U) != 0)
        results[static_cast<std::size_t>(column - row + kWordBits)] |= std::uint32_t{1} << row;
    }
  }
  std::string sum;
  unsigned terms = 0;
  for (int shift = 1 - kWordBits; shift < kWordBits; ++shift) {
    const std::uint32_t mask = results[static_cast<std::size_t>(shift + kWordBits)];
    if (mask == 0) continue;
    sum += (terms++ == 0 ? "" : " ^ ") + maskInC(shiftInC(word, shift), mask);
  }
  if (terms == 0) return "0";
  return terms == 1 ? sum : "(" + sum + ")";
}

}  // namespace fermata::indexing
