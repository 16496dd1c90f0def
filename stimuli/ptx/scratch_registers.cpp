// Registers that ptxas 13.0 takes for the sequence of an opcode, beside operands and results.
// Measured for compute capability 8.0 with kernels that hold n words in registers around the one
// instruction: with a sum of two f32, 33 words are the most that fit in 40 registers; with
// div.rn.f32, 25. So the division takes 8 more.
#include <fermata/stimuli/ptx/machine_lowering.h>

namespace fermata::ptx {
namespace {

struct Scratch {
  std::string_view mnemonic;
  std::string_view modifier;  ///< "": any
  std::string_view type;
  unsigned registers;
};

/// The first row that fits counts.
constexpr Scratch kRows[] = {
    {"div", "", "u64", 7},         {"rem", "", "u64", 7},   {"div", "", "s64", 9},
    {"rem", "", "s64", 9},         {"div", "", "u32", 3},   {"rem", "", "u32", 3},
    {"div", "", "s32", 6},         {"rem", "", "s32", 6},   {"div", "", "u16", 2},
    {"rem", "", "u16", 3},         {"div", "", "s16", 3},   {"rem", "", "s16", 3},
    {"mul", "hi", "u64", 4},       {"mul", "hi", "s64", 4}, {"div", "rn", "f32", 8},
    {"div", "rz", "f32", 8},       {"div", "rm", "f32", 8}, {"div", "rp", "f32", 8},
    {"sqrt", "rn", "f32", 5},      {"rcp", "rn", "f32", 6}, {"rcp", "approx", "f32", 1},
    {"div", "rn", "f64", 14},      {"rcp", "rn", "f64", 7}, {"sqrt", "rn", "f64", 12},
    {"rsqrt", "approx", "f64", 7}, {"min", "", "f64", 2},   {"max", "", "f64", 2},
};

}  // namespace

unsigned scratchRegisters(std::string_view opcode) {
  for (const Scratch& row : kRows) {
    if (row.mnemonic == opcodeName(opcode) && row.type == opcodeType(opcode) &&
        (row.modifier.empty() || opcodeHas(opcode, row.modifier)))
      return row.registers;
  }
  return 0;
}

}  // namespace fermata::ptx
