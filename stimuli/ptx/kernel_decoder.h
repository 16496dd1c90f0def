// From a parsed entry to the code of a kernel: calls by name inlined but for those of
// recursive functions, branches joined at post-dominators.
#pragma once

#include <memory>
#include <vector>

#include <fermata/stimuli/ptx/decoding.h>
#include <fermata/stimuli/ptx/kernel_builder.h>

namespace fermata::ptx {

/// Throws InputError.
std::unique_ptr<KernelCode> decodeKernel(const Ast& ast, const Function& entry);

/// PCs of the entry, or of a called function. Its paths end at `end`.
struct CodeRange {
  std::uint32_t first = 0;
  std::uint32_t end = 0;
};

/// Sets Instruction::reconverge of every branch: the first PC of the immediate post-dominator; and
/// kFallThroughFirst where only the target leads to a barrier and the paths meet at most to exit.
/// Branches back in loops that may wait for other threads become executeWaitingBranch.
void findReconvergence(KernelCode& code, CodeRange range);

/// Sets CodeText::file and nearLine of every instruction whose line is 0: the nearest line before
/// it in its basic block, or in one that every path to it has been through.
void findNearLines(KernelCode& code, CodeRange range);

/// From here a lane does nothing but exit. Compilers end every path of a kernel in one `ret`, where
/// lanes that return early wait for the others.
bool leadsToExit(const KernelCode& code, std::uint32_t pc);

/// Does it go elsewhere than to the next instruction?
bool endsBlock(const Instruction& instruction);
/// Successors of an instruction in the control-flow graph. An exit goes to `end`.
std::vector<std::uint32_t> successors(const KernelCode& code, std::uint32_t pc, std::uint32_t end);

}  // namespace fermata::ptx
