// NVBit with made-up instructions and rows, and as much of CUDA as the tool calls.
#pragma once

#include <set>
#include <vector>

#include <row.cuh>
#include "tests/nvbit/interface/nvbit.h"

/// An instruction that the test made up.
struct Instr::Made {
  std::string opcode, sass;
  std::vector<InstrType::operand_t> operands;
  int guard = -1;
  std::vector<uint8_t> code;
  std::string call;  ///< function that the tool has it call
  std::vector<uint64_t> arguments;
};

namespace fermata::test {

using Made = Instr::Made;

InstrType::operand_t reg(int number);
InstrType::operand_t uniform(int number);
InstrType::operand_t predicate(int number);
InstrType::operand_t number(uint64_t value);
/// An address in a register, or in a pair of registers.
InstrType::operand_t address(int number, bool pair);

/// Sets the functions: the kernel first. Their handles are their numbers from 1 on.
void setFunctions(std::vector<std::vector<Made>> functions);
const Made& instructionOf(unsigned function, unsigned index);
/// Sends a row as the GPU does.
void send(const FermataRow& row);

}  // namespace fermata::test
