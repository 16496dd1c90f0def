// Which parameters of a function have to lie in memory.
#pragma once

#include <vector>

#include <fermata/stimuli/ptx/ast.h>

namespace fermata::ptx {

/// Parameters whose address the function takes and uses. PTX ISA, mov: such a parameter is copied
/// to the stack, and its address is one of local memory. Compilers that do not optimise take the
/// address of every struct; where nothing reads it the parameter stays in registers.
std::vector<const Variable*> addressedParameters(const Function& function);

}  // namespace fermata::ptx
