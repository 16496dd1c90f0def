// Finds the parameters of a function that must lie in memory.
#pragma once

#include <vector>

#include <fermata/stimuli/ptx/ast.h>

namespace fermata::ptx {

/// Returns the parameters whose address the function takes and uses. Such a parameter is copied to
/// the stack, and its address is one of local memory (PTX ISA, mov). Compilers that do not optimise
/// take the address of every struct; a parameter whose address nothing reads stays in registers.
std::vector<const Variable*> addressedParameters(const Function& function);

}  // namespace fermata::ptx
