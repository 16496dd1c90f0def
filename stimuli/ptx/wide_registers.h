// Registers of 128 bits. Each is declared as three: itself, which only gives the type, then its
// lower and its upper half, of 64 bits.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <fermata/stimuli/ptx/ast.h>

namespace fermata::ptx {

/// Declares a register and returns its index.
inline std::uint32_t addRegister(std::vector<Register>& registers, const std::string& name,
                                 Type type, bool ofModule) {
  const auto index = static_cast<std::uint32_t>(registers.size());
  registers.push_back({name, type, ofModule});
  if (type == Type::B128) {
    registers.push_back({name + ".lower", Type::B64, ofModule});
    registers.push_back({name + ".upper", Type::B64, ofModule});
  }
  return index;
}

/// Returns a half of an operand that is a 128-bit register: 0 lower, 1 upper.
inline Operand halfOf(const Operand& operand, unsigned half) {
  Operand one = operand;
  one.index += 1 + half;
  return one;
}

}  // namespace fermata::ptx
