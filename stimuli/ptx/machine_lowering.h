// Parts of machine_code.cpp: what an opcode becomes, and which instructions cost nothing.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <fermata/stimuli/ptx/instruction.h>

namespace fermata::ptx {

/// Machine instructions, one letter each: i integer, m integer multiply-add, a either of these (a
/// sum or a copy), f float, d double, s special function and conversion, b branch. A capital needs
/// the result of the capital before it; a small letter needs the sources of the whole alone.
using Sequence = std::string_view;

/// Returns the machine instructions of an opcode such as "div.rn.f32"; empty: one, of class
/// machineClass().
Sequence sequenceOf(std::string_view opcode);
/// Returns the class of the one machine instruction that an opcode becomes; `asPtx`: its class in
/// PTX.
InstructionClass machineClass(std::string_view opcode, InstructionClass asPtx);

/// True for a sum, copy or shift of 32 bits by a constant that a multiply-add computes as well.
bool isMultiplyAddToo(const KernelCode& code, std::uint32_t pc, std::string_view opcode);

std::string_view opcodeName(std::string_view opcode);
/// Returns what follows the last dot: "f32".
std::string_view opcodeType(std::string_view opcode);
bool opcodeHas(std::string_view opcode, std::string_view modifier);
/// True for u64, s64 and b64.
bool isWideInteger(std::string_view opcode);
bool isAmong(std::string_view name, std::initializer_list<std::string_view> names);

/// Returns the 32-bit registers that the sequence of an opcode needs beside operands and results.
unsigned scratchRegisters(std::string_view opcode);

/// One access that the assembler makes of several that lie side by side. It stands where the first
/// load or the last store is; `others` cost nothing.
struct JoinedAccess {
  std::uint8_t bytes = 0;  ///< of a lane: 8 or 16
  std::uint8_t below = 0;  ///< bytes from its address to that of the instruction that it stands at
  std::vector<std::uint32_t> others;
};

/// Instructions that become an operand of others.
struct Folding {
  /// By PC. "add.s64" is "add.s32" here if nothing reads the upper half of its result.
  std::vector<std::string> opcodes;
  std::vector<bool> narrow;         ///< by RegisterId: has 64 bits, of which the lower 32 are read
  std::vector<bool> free;           ///< by PC: costs no machine instruction
  std::vector<Sequence> sequences;  ///< by PC: not empty where a folded producer changes it
  /// By RegisterId: registers that a reader of the register reads in its place.
  std::vector<std::vector<RegisterId>> readsInstead;
  std::vector<bool> replaced;         ///< by RegisterId: readsInstead holds
  std::vector<std::uint32_t> writer;  ///< by RegisterId: PC of the last instruction that writes it
  std::vector<RegisterId> same;       ///< by RegisterId: the register that the allocator makes it
  std::unordered_map<std::uint32_t, JoinedAccess> joined;  ///< by PC

  /// Makes readers of a register read another one.
  void read(RegisterId instead, RegisterId of) {
    replaced[of] = true;
    readsInstead[of] = {instead};
  }
};
Folding foldOperands(const KernelCode& code);
/// Sets Folding::opcodes and narrow. Addresses in shared, local and constant memory have 32 bits in
/// the machine, and so has what they are computed from.
void narrowAddresses(const KernelCode& code, Folding& folding);
/// Joins loads and stores of shared memory, and drops loads of what is loaded already.
void joinAccesses(const KernelCode& code, Folding& folding);
/// Returns the instruction with the registers that its operands are in the machine. One that stands
/// for several accesses has the operands of all.
StaticInstruction machineOperands(const KernelCode& code, const Folding& folding, std::uint32_t pc);

}  // namespace fermata::ptx
