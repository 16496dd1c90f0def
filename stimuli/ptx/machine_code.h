// The machine code that NVIDIA's assembler (ptxas) makes of a kernel from Volta on, in outline:
// which instructions of PTX cost none, one or several of the machine, and how many registers a
// thread takes.
//
//   ld.param.u64    %rd1, [in];         none: an operand in the constant bank
//   mul.wide.u32    %rd3, %r1, 4;       multiply: IMAD.WIDE, which adds %rd1, too
//   add.s64         %rd4, %rd1, %rd3;   none
//   ld.global.f32   %f1, [%rd4];        memory
//   div.rn.f32      %f2, %f1, %f0;      MUFU FCHK FFMA FFMA FFMA FFMA FFMA BRA
//   ld.shared.f32   %f3, [%r2];         memory: LDS.64, if %r2 is known to be a multiple of 8
//   ld.shared.f32   %f4, [%r2+4];       none
//
// The executor computes what PTX says. Of a sequence only the last instruction computes; the ones
// before hold units and issue slots. A block stands in the order in which it is scheduled
// (load_schedule.h), sequences between one another, and short branches are predicates
// (short_branches.h). Not modelled: unrolling by ptxas. The uniform datapath counts only in the
// registers per thread (machine_registers.h).
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <fermata/models/vocabulary/warp_instruction.h>

namespace fermata::ptx {

struct KernelCode;

struct MachineCode {
  std::shared_ptr<const KernelCode> code;  ///< the kernel, its blocks as they are scheduled
  /// First of the machine instructions of which the last one computes what an instruction of `code`
  /// says, by its PC; `pcs` + 1 entries. Those before it may belong to others. An instruction that
  /// costs none has the successor's.
  std::vector<std::uint32_t> first;
  std::vector<StaticInstruction> statics;  ///< by machine PC
  std::vector<std::uint32_t> pcOf;         ///< PC of `code`, by machine PC
  /// By machine PC: bytes from the address of an access that stands for several to that of its
  /// instruction of PTX.
  std::vector<std::uint8_t> below;
  std::uint32_t registerCount = 0;  ///< scoreboard registers
  /// Estimate of the 32-bit registers per thread; at most the entry's limit.
  unsigned registersPerThread = 0;
  /// Registers of the estimate beyond the limit, which a compiler would spill.
  unsigned spilled = 0;

  std::uint32_t instructionCount() const { return static_cast<std::uint32_t>(statics.size()); }
  bool isFree(std::uint32_t pc) const { return first[pc] == first[pc + 1]; }
  /// Returns the machine instruction that computes what an instruction of `code` says.
  std::uint32_t computing(std::uint32_t pc) const { return first[pc + 1] - 1; }
};

struct LoweredCode {
  MachineCode machine;  ///< without `code`
  /// PC of the code that was lowered, by PC of MachineCode::code.
  std::vector<std::uint32_t> order;
};
/// Lowers a decoded entry. Its rows must not be shared yet, unless it has called functions: then
/// all instructions keep their places.
LoweredCode lower(const KernelCode& code);

}  // namespace fermata::ptx
