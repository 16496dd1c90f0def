// Nested scopes of names: registers, ranges of registers (%r<10>), variables, functions.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include <fermata/stimuli/ptx/ast.h>

namespace fermata::ptx {

struct Symbol {
  enum class Kind : std::uint8_t { None, Register, Variable, Function };
  Kind kind = Kind::None;
  std::uint32_t reg = 0;
  const Variable* variable = nullptr;
  Function* function = nullptr;
  Position at;

  static Symbol of(const Variable& variable) {
    return {Kind::Variable, 0, &variable, nullptr, variable.at};
  }
  static Symbol of(Function& function) {
    return {Kind::Function, 0, nullptr, &function, function.at};
  }
  static Symbol of(std::size_t reg, const Position& at) {
    return {Kind::Register, static_cast<std::uint32_t>(reg), nullptr, nullptr, at};
  }
};

/// Names of one `{ }`. A register of a range gets its number in the function when first used, so a
/// huge range costs nothing.
class Scope {
 public:
  explicit Scope(Scope* outer = nullptr) : outer_(outer) {}

  /// Declares a name. Returns false, and sets `existing`, if this very scope has the name already.
  bool declare(const std::string& name, const Symbol& symbol, Symbol& existing);
  bool declareRange(const std::string& prefix, std::uint64_t count, Type type, bool ofModule,
                    const Position& at, Symbol& existing);
  /// Looks here, then outwards. `function` owns registers that a range yields; it may be nullptr at
  /// module scope.
  Symbol find(const std::string& name, Function* function);
  Symbol findHere(const std::string& name, Function* function);

 private:
  struct Range {
    std::uint64_t count;
    Type type;
    bool ofModule;
    Position at;
  };
  Scope* outer_;
  std::unordered_map<std::string, Symbol> names_;
  std::unordered_map<std::string, Range> ranges_;
};

}  // namespace fermata::ptx
