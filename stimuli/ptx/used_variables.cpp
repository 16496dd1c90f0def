#include <fermata/stimuli/ptx/used_variables.h>

#include <algorithm>

#include <fermata/stimuli/ptx/kernel_decoding.h>

namespace fermata::ptx {
namespace {

class Walk {
 public:
  explicit Walk(const Ast& ast) : ast_(ast) {}

  UsedVariables from(const Function& entry) {
    waiting_.push_back(&entry);
    while (!waiting_.empty()) {
      const Function* next = waiting_.back();
      waiting_.pop_back();
      if (seen_.insert(next).second) visit(*next);
    }
    putInOrder(used_.ofModule);
    putInOrder(used_.functions);
    return std::move(used_);
  }

 private:
  void visit(const Function& function) {
    // Exclude prototypes, which are no functions of the module; collect() excludes functions'
    // variables.
    if (isOf(ast_.functions, function)) used_.functions.push_back(&function);
    for (const Statement& statement : function.statements) {
      if (!indirect_ && isIndirectCall(statement)) {
        indirect_ = true;
        waiting_.insert(waiting_.end(), ast_.addressTaken.begin(), ast_.addressTaken.end());
      }
      for (const Operand& operand : statement.operands) collect(operand);
    }
  }

  void collect(const Operand& operand) {
    if (operand.function != nullptr) waiting_.push_back(operand.function);
    const Variable* variable = operand.variable;
    if (variable != nullptr && used_.all.insert(variable).second && isOf(ast_.variables, *variable))
      used_.ofModule.push_back(variable);
    for (const Operand& element : operand.elements) collect(element);
  }

  template <class Item>
  static bool isOf(const std::vector<std::unique_ptr<Item>>& all, const Item& item) {
    return item.number < all.size() && all[item.number].get() == &item;
  }

  template <class Item>
  static void putInOrder(std::vector<const Item*>& list) {
    std::sort(list.begin(), list.end(),
              [](const Item* a, const Item* b) { return a->number < b->number; });
  }

  const Ast& ast_;
  UsedVariables used_;
  std::unordered_set<const Function*> seen_;
  std::vector<const Function*> waiting_;
  bool indirect_ = false;
};

}  // namespace

UsedVariables usedVariables(const Ast& ast, const Function& entry) {
  return Walk(ast).from(entry);
}

}  // namespace fermata::ptx
