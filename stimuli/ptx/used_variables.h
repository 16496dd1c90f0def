// Variables and functions that an entry names, itself or through the functions that it may call.
#pragma once

#include <unordered_set>
#include <vector>

#include <fermata/stimuli/ptx/ast.h>

namespace fermata::ptx {

struct UsedVariables {
  std::unordered_set<const Variable*> all;
  std::vector<const Variable*> ofModule;   ///< in order of declaration
  std::vector<const Function*> functions;  ///< with the entry; in order of declaration
};

/// Walks from the entry along its calls. An indirect call may reach each function of
/// Ast::addressTaken. Takes time in proportion to the statements walked, not to the size of the
/// module.
UsedVariables usedVariables(const Ast& ast, const Function& entry);

}  // namespace fermata::ptx
