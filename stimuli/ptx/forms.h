// The rows of the table of regular instructions: what a form takes, and which handler executes it.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <type_traits>
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
  S32,
  F32,
  B32,       ///< a word, of whatever type
  SamePair,  ///< a result of the instruction's type or, with a predicate, d|p
  B32Pair,
  Predicate,
  Table,  ///< constant from 0 to 255
};
using OperandKinds = std::array<OperandKind, 5>;  ///< result, then sources

/// Flags of floating-point instructions and conversions: Instruction::floatFlags.
inline constexpr std::uint8_t kFlushFlag = 1;     ///< .ftz
inline constexpr std::uint8_t kSaturateFlag = 2;  ///< .sat
inline constexpr std::uint8_t kReluFlag = 4;      ///< .relu

/// Roundings that a form takes. Without one it rounds to nearest.
enum class FormRounding : std::uint8_t {
  None,
  Nearest,         ///< .rn may be written
  WrittenNearest,  ///< .rn must be written
  Any,             ///< .rn .rz .rm .rp
  WrittenAny,
};

/// Use of the condition code: Form::carry.
inline constexpr std::uint8_t kTakesCarry = 1;
inline constexpr std::uint8_t kGivesCarry = 2;

struct Form {
  std::string_view opcode;  ///< "mul.hi": mnemonic and modifiers, without the type
  OperandKinds operands{};
  /// Returns the handler, or nullptr for a type, or flags, that the form does not have.
  Handler (*handler)(Type type, std::uint8_t flags) = nullptr;
  InstructionClass instructionClass = InstructionClass::Integer;
  InstructionClass classOfF64 = InstructionClass::Integer;
  std::uint8_t flags = 0;  ///< flags that the form has for one of its types
  FormRounding rounding = FormRounding::None;
  std::uint8_t carry = 0;
};

/// Returns the operands of a form whose result and sources all have the instruction's type.
constexpr OperandKinds sameKinds(std::size_t sources) {
  OperandKinds kinds{};
  for (std::size_t k = 0; k <= sources; ++k) kinds[k] = OperandKind::Same;
  return kinds;
}

struct Nothing {};
/// Returns the operation of a row: a lambda that captures nothing, of which the row keeps the type.
template <class Operation>
constexpr Operation operationOf() {
  static_assert(std::is_empty_v<Operation>);
  return __builtin_bit_cast(Operation, Nothing{});
}

/// Returns the rows of a mnemonic; none if it is not regular.
const std::vector<const Form*>& formsOf(std::string_view mnemonic);
/// Returns the handler of the form with this opcode and type, or nullptr.
Handler regularHandler(std::string_view opcode, Type type);

}  // namespace fermata::ptx
