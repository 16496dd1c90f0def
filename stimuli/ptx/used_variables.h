// What an entry names, by itself and through the functions that it may call.
#pragma once

#include <unordered_set>
#include <vector>

#include <fermata/stimuli/ptx/ast.h>

namespace fermata::ptx {

struct UsedVariables {
  std::unordered_set<const Variable*> all;
  std::vector<const Variable*> ofModule;   ///< in order of declaration
  std::vector<const Function*> functions;  ///< the entry among them; in order of declaration
};

/// Walks from the entry along its calls; an indirect call may reach each function of
/// Ast::addressTaken. Its time is that of the statements walked, whatever else the module holds.
UsedVariables usedVariables(const Ast& ast, const Function& entry);

}  // namespace fermata::ptx
