// The rows of the table of regular instructions: what a form takes, and which handler executes it.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include <fermata/models/vocabulary/warp_instruction.h>
#include <fermata/stimuli/ptx/instruction.h>
#include <fermata/stimuli/ptx/types.h>

namespace fermata::ptx {

/// A set of types: bit k is Type k.
using TypeSet = std::uint32_t;
template <class... Types>
constexpr TypeSet setOf(Types... types) {
  return ((TypeSet{1} << static_cast<unsigned>(types)) | ...);
}
constexpr bool contains(TypeSet set, Type type) {
  return (set & setOf(type)) != 0;
}

enum class OperandKind : std::uint8_t {
  None,
  Same,   ///< of the instruction's type; a predicate if that is .pred
  Twice,  ///< of twice its width
  U32,
  B32,  ///< a word, of whatever type
  Predicate,
  Table,  ///< constant from 0 to 255
};
using OperandKinds = std::array<OperandKind, 5>;  ///< result, then sources

struct Form {
  std::string_view opcode;  ///< "mul.hi": mnemonic and modifiers, without the type
  OperandKinds operands{};
  /// Returns the handler, or nullptr for a type, or flags (kFlushFlag, kSaturateFlag), that the
  /// form does not have.
  Handler (*handler)(Type type, std::uint8_t flags) = nullptr;
  InstructionClass instructionClass = InstructionClass::Integer;
  InstructionClass classOfF64 = InstructionClass::Integer;
  /// Returns the handler that rounds in a Direction; nullptr: the form takes no rounding.
  Handler (*directed)(Type type) = nullptr;
  bool needsRounding = false;  ///< the rounding must be written
};

/// Returns the rows of a mnemonic; none if it is not regular.
const std::vector<const Form*>& formsOf(std::string_view mnemonic);
/// Returns the handler of the form with this opcode and type, or nullptr.
Handler regularHandler(std::string_view opcode, Type type);

}  // namespace fermata::ptx
