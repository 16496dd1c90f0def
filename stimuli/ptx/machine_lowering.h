// Parts of machine_code.cpp: what an opcode becomes, and which instructions cost nothing.
#pragma once

#include <string_view>
#include <vector>

#include <fermata/stimuli/ptx/instruction.h>

namespace fermata::ptx {

/// Machine instructions, one letter each: i integer, m integer multiply-add, f float, d double,
/// s special function and conversion, b branch. A capital needs the result of the capital before
/// it; a small letter needs the sources of the whole alone.
using Sequence = std::string_view;

/// Returns the machine instructions of an opcode such as "div.rn.f32"; empty: one, of class
/// machineClass().
Sequence sequenceOf(std::string_view opcode);
/// Returns the class of the one machine instruction that an opcode becomes; `asPtx`: its class in
/// PTX.
InstructionClass machineClass(std::string_view opcode, InstructionClass asPtx);

std::string_view opcodeName(std::string_view opcode);
/// Returns what follows the last dot: "f32".
std::string_view opcodeType(std::string_view opcode);
bool opcodeHas(std::string_view opcode, std::string_view modifier);

/// Instructions that become an operand of others.
struct Folding {
  std::vector<bool> free;           ///< by PC: costs no machine instruction
  std::vector<Sequence> sequences;  ///< by PC: not empty where a folded producer changes it
  /// By RegisterId: registers that a reader of the register reads in its place.
  std::vector<std::vector<RegisterId>> readsInstead;
  std::vector<bool> replaced;    ///< by RegisterId: readsInstead holds
  std::vector<RegisterId> same;  ///< by RegisterId: the register that the allocator makes it
};
Folding foldOperands(const KernelCode& code);

}  // namespace fermata::ptx
