// Parses the body of a function: statements, labels, nested scopes.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include <fermata/stimuli/ptx/ast.h>
#include <fermata/stimuli/ptx/declaration_parser.h>
#include <fermata/stimuli/ptx/scope.h>
#include <fermata/stimuli/ptx/token_cursor.h>

namespace fermata::ptx {

class BodyParser {
 public:
  BodyParser(TokenCursor& cursor, Ast& ast, Function& function)
      : cursor_(cursor), declarations_(cursor), ast_(ast), function_(function) {}

  /// Parses from the opening brace to the closing one. `outer` holds the formals and the module's
  /// names.
  void run(Scope& outer);

 private:
  /// A use of a label before (or without) its definition in the scope.
  struct LabelUse {
    std::size_t statement;
    std::string name;
    Position at;
  };
  struct LabelScope {
    std::unordered_map<std::string, std::uint32_t> defined;
    std::vector<LabelUse> uses;
  };

  void block(Scope& outer, unsigned depth);
  void item(Scope& scope, unsigned depth);
  void directive(Scope& scope);
  void location();
  void parameters(Scope& scope);
  void label(Scope& scope);
  void targets(Scope& scope);
  Operand prototype();
  void statement(Scope& scope);
  void guard(Scope& scope, Statement& statement);
  Operand operand(Scope& scope, bool names);
  Operand primary(Scope& scope, bool names);
  Operand word(Scope& scope, bool names);
  Operand number();
  Operand address(Scope& scope);
  void addressOffset(Operand& operand);
  Operand group(Scope& scope, char close, Operand::Kind kind, bool names);
  void resolveLabels(LabelScope& from);

  TokenCursor& cursor_;
  DeclarationParser declarations_;
  Ast& ast_;
  Function& function_;
  std::vector<LabelScope> labelScopes_;
  bool located_ = false;
  std::uint32_t sourceFile_ = 0;
  std::uint32_t sourceLine_ = 0;
  unsigned nesting_ = 0;
};

}  // namespace fermata::ptx
