// Turns a parsed entry into the code of a kernel. Calls by name are inlined, except those of
// recursive functions; branches join at post-dominators.
#pragma once

#include <memory>
#include <vector>

#include <fermata/stimuli/ptx/decoding.h>
#include <fermata/stimuli/ptx/kernel_builder.h>

namespace fermata::ptx {

struct MachineCode;

/// Decodes an entry. Throws InputError if a form is not supported. With `machine`, lowers it as
/// well: its blocks stand in the order of MachineCode::code, which is not set yet.
std::unique_ptr<KernelCode> decodeKernel(const Ast& ast, const Function& entry,
                                         MachineCode* machine = nullptr);

/// PCs of the entry or of a called function. Its paths end at `end`.
struct CodeRange {
  std::uint32_t first = 0;
  std::uint32_t end = 0;
};

/// Sets Instruction::reconverge of every branch to the first PC of the immediate post-dominator,
/// and fallThroughFirst if only the target leads to a barrier and the paths meet at most to exit.
/// Turns branches back in loops that may wait for other threads into executeWaitingBranch.
void findReconvergence(KernelCode& code, CodeRange range);

/// Sets CodeText::file and nearLine of every instruction whose line is 0 to the nearest line before
/// it in its basic block, or in a block that every path to it has passed.
void findNearLines(KernelCode& code, CodeRange range);

/// Sets StaticInstruction::unread of every atomic. An addition of 1 whose result is read no longer
/// counts.
void markUnread(KernelCode& code);

/// True if a lane does nothing but exit from `pc` on. Compilers end every path of a kernel in one
/// `ret`, where lanes that return early wait for the others.
bool leadsToExit(const KernelCode& code, std::uint32_t pc);

/// True for a bra, whether or not its loop may wait.
bool isBranch(const Instruction& instruction);
/// True if control may go elsewhere than to the next instruction.
bool endsBlock(const Instruction& instruction);
/// Returns the successors of an instruction in the control-flow graph. An exit goes to `end`.
std::vector<std::uint32_t> successors(const KernelCode& code, std::uint32_t pc, std::uint32_t end);

}  // namespace fermata::ptx
