#include <fermata/stimuli/ptx/addressed_parameters.h>

#include <algorithm>

namespace fermata::ptx {
namespace {

bool isMove(const Statement& statement) {
  return statement.opcode.substr(0, 4) == "mov.";
}

void markRead(const Operand& operand, std::vector<bool>& read) {
  if (operand.kind == Operand::Kind::Register) read[operand.index] = true;
  for (const Operand& element : operand.elements) markRead(element, read);
}

/// Returns, by register, whether something reads it. Registers that an instruction writes count as
/// read, except the results of mov.
std::vector<bool> readRegisters(const Function& function) {
  std::vector<bool> read(function.registers.size(), false);
  for (const Statement& statement : function.statements) {
    if (statement.guarded) read[statement.guard] = true;
    for (std::size_t k = 0; k < statement.operands.size(); ++k) {
      const Operand& operand = statement.operands[k];
      if (k > 0 || !isMove(statement) || operand.kind != Operand::Kind::Register)
        markRead(operand, read);
    }
  }
  return read;
}

}  // namespace

std::vector<const Variable*> addressedParameters(const Function& function) {
  std::vector<const Variable*> found;
  const std::vector<bool> read = readRegisters(function);
  for (const Statement& statement : function.statements) {
    if (!isMove(statement) || statement.operands.size() != 2) continue;
    const Operand& to = statement.operands[0];
    const Variable* variable = statement.operands[1].variable;
    const bool used = to.kind != Operand::Kind::Register || read[to.index];
    const bool formal =
        std::any_of(function.parameters.begin(), function.parameters.end(),
                    [&](const Formal& f) { return variable != nullptr && f.variable == variable; });
    if (used && formal && std::find(found.begin(), found.end(), variable) == found.end())
      found.push_back(variable);
  }
  return found;
}

}  // namespace fermata::ptx
