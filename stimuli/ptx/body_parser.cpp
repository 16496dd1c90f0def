#include <fermata/stimuli/ptx/body_parser.h>

namespace fermata::ptx {
namespace {

constexpr unsigned kMaxNesting = 100;
constexpr std::uint64_t kMaxSourceLine = 0xffffffffU;

bool takesNames(std::string_view opcode) {
  const std::string_view stem = opcode.substr(0, opcode.find('.'));
  return stem == "bra" || stem == "call" || stem == "brx";
}

}  // namespace

void BodyParser::run(Scope& outer) {
  block(outer, 0);
}

void BodyParser::block(Scope& outer, unsigned depth) {
  if (depth > kMaxNesting) cursor_.fail(cursor_.peek().at, "scopes nested too deeply");
  cursor_.expect('{', "before the body");
  Scope scope(&outer);
  labelScopes_.emplace_back();
  while (!cursor_.peek().is('}')) {
    if (cursor_.atEnd()) cursor_.failExpected("'}}' at the end of '{}'", function_.name);
    item(scope, depth);
  }
  cursor_.take();
  LabelScope labels = std::move(labelScopes_.back());
  labelScopes_.pop_back();
  resolveLabels(labels);
}

void BodyParser::resolveLabels(LabelScope& from) {
  for (LabelUse& use : from.uses) {
    const auto found = from.defined.find(use.name);
    if (found != from.defined.end()) {
      for (Operand& operand : function_.statements[use.statement].operands) {
        if (operand.kind == Operand::Kind::Label && operand.at.line == use.at.line &&
            operand.at.column == use.at.column) {
          operand.index = found->second;
        }
      }
    } else if (labelScopes_.empty()) {
      if (function_.statements[use.statement].opcode.substr(0, 4) == "call") {
        cursor_.fail(use.at, "'{}' is not declared; expected a function", use.name);
      }
      cursor_.fail(use.at, "label '{}' is not defined in '{}'", use.name, function_.name);
    } else {
      labelScopes_.back().uses.push_back(std::move(use));
    }
  }
}

void BodyParser::item(Scope& scope, unsigned depth) {
  const Token& token = cursor_.peek();
  if (token.is('{')) return block(scope, depth + 1);
  if (token.is(';')) {
    cursor_.take();
    return;
  }
  if (token.kind == Token::Kind::Directive) return directive(scope);
  if (token.kind == Token::Kind::Word && cursor_.peek(1).is(':')) return label(scope);
  statement(scope);
}

void BodyParser::directive(Scope& scope) {
  const Token& token = cursor_.take();
  const std::string_view name = token.text;
  if (name == ".reg")
    return declarations_.declare(declarations_.registers(), scope, function_, false);
  if (name == ".loc") return location();
  if (name == ".param") return parameters(scope);
  if (const auto space = spaceNamed(name)) {
    const bool own = space == VariableSpace::Local || space == VariableSpace::Shared;
    return declarations_.variables(*space, false, scope,
                                   own ? function_.variables : ast_.variables);
  }
  if (name == ".pragma") return cursor_.skipPragma();
  cursor_.fail(token.at, "unsupported directive '{}' in a function body", name);
}

// Parses `.param` variables of a call or, in PTX 1.0 to 1.3, the kernel's own parameters.
void BodyParser::parameters(Scope& scope) {
  const std::size_t first = function_.variables.size();
  declarations_.variables(VariableSpace::Parameter, false, scope, function_.variables);
  if (!function_.isEntry || ast_.version >= kVersionOfExplicitForms) return;
  for (std::size_t k = first; k < function_.variables.size(); ++k)
    function_.parameters.push_back({function_.variables[k].get(), 0, false});
}

void BodyParser::location() {
  const Position at = cursor_.peek().at;
  located_ = true;
  sourceFile_ = static_cast<std::uint32_t>(cursor_.expectInteger("a file number", 1U << 20));
  sourceLine_ = static_cast<std::uint32_t>(cursor_.expectInteger("a line number", kMaxSourceLine));
  cursor_.expectInteger("a column number", kMaxSourceLine);
  if (sourceFile_ >= ast_.files.size()) {
    // .file lines may follow the functions: emit() checks the number.
    if (sourceFile_ > 1U << 16) cursor_.fail(at, "file number too large");
  }
  while (cursor_.peek().is(',') && cursor_.peek(1).kind == Token::Kind::Word) {
    cursor_.take();
    const Token& what = cursor_.take();
    if (what.text == "function_name") {
      cursor_.expectName("a label");
      if (cursor_.accept('+')) cursor_.expectInteger("an offset", kMaxSourceLine);
    } else if (what.text == "inlined_at") {
      for (const char* part : {"a file number", "a line number", "a column number"}) {
        cursor_.expectInteger(part, kMaxSourceLine);
      }
    } else {
      cursor_.fail(what.at, "unsupported '{}' in .loc; expected function_name or inlined_at",
                   what.text);
    }
  }
}

void BodyParser::label(Scope& scope) {
  const Token& name = cursor_.expectName("a label");
  cursor_.expect(':', "behind the label");
  const std::string text(name.text);
  const auto id = static_cast<std::uint32_t>(function_.labels.size());
  const auto inserted = labelScopes_.back().defined.emplace(text, id);
  if (!inserted.second) cursor_.fail(name.at, "label '{}' is defined twice", text);
  function_.labels.push_back({text, static_cast<std::uint32_t>(function_.statements.size())});
  const Token& next = cursor_.peek();
  if (next.isDirective(".branchtargets") || next.isDirective(".calltargets") ||
      next.isDirective(".callprototype"))
    targets(scope);
}

// Parses the directive behind its label: the targets of a brx or of an indirect call.
void BodyParser::targets(Scope& scope) {
  Statement statement;
  const Token& directive = cursor_.take();
  statement.at = directive.at;
  statement.opcode = directive.text;
  if (directive.text == ".callprototype") {
    statement.operands.push_back(prototype());
  } else {
    do {
      statement.operands.push_back(primary(scope, true));
    } while (cursor_.accept(','));
  }
  cursor_.expect(';', "behind " + std::string(directive.text));
  function_.statements.push_back(std::move(statement));
}

Operand BodyParser::prototype() {
  auto created = std::make_unique<Function>();
  Scope formals;
  created->at = cursor_.peek().at;
  if (cursor_.peek().is('(')) created->results = declarations_.formals(formals, *created);
  created->name = std::string(cursor_.expectName("'_' or a name").text);
  if (cursor_.peek().is('(')) created->parameters = declarations_.formals(formals, *created);
  cursor_.acceptDirective(".noreturn");
  Operand operand;
  operand.kind = Operand::Kind::Prototype;
  operand.at = created->at;
  operand.function = created.get();
  function_.prototypes.push_back(std::move(created));
  return operand;
}

void BodyParser::guard(Scope& scope, Statement& statement) {
  statement.guarded = true;
  statement.guardNegated = cursor_.accept('!');
  statement.guardAt = cursor_.peek().at;
  const Token& name = cursor_.expectName("a predicate register behind '@'");
  const Symbol symbol = scope.find(std::string(name.text), &function_);
  if (symbol.kind != Symbol::Kind::Register) {
    cursor_.fail(name.at, "'{}' is not declared; expected a predicate register", name.text);
  }
  if (function_.registers[symbol.reg].type != Type::Pred) {
    cursor_.fail(name.at, "'{}' guards an instruction but is of type .{}; expected .pred",
                 name.text, nameOf(function_.registers[symbol.reg].type));
  }
  statement.guard = symbol.reg;
}

void BodyParser::statement(Scope& scope) {
  Statement statement;
  if (cursor_.accept('@')) guard(scope, statement);
  if (cursor_.peek().kind != Token::Kind::Word) cursor_.failExpected("an instruction");
  const Token& opcode = cursor_.take();
  statement.at = opcode.at;
  statement.opcode = opcode.text;
  statement.located = located_;
  statement.sourceFile = sourceFile_;
  statement.sourceLine = sourceLine_;
  if (opcode.text[0] == '%') {
    cursor_.fail(opcode.at, "unexpected '{}'; expected an instruction", opcode.text);
  }
  const bool names = takesNames(opcode.text);
  if (!cursor_.peek().is(';')) {
    do {
      statement.operands.push_back(operand(scope, names));
    } while (cursor_.accept(','));
  }
  cursor_.expect(';', "behind the operands of '" + std::string(opcode.text) + "'");
  function_.statements.push_back(std::move(statement));
}

Operand BodyParser::operand(Scope& scope, bool names) {
  Operand first = primary(scope, names);
  if (!cursor_.accept('|')) return first;
  Operand pair;
  pair.kind = Operand::Kind::Pair;
  pair.at = first.at;
  pair.elements.push_back(std::move(first));
  pair.elements.push_back(primary(scope, names));
  return pair;
}

Operand BodyParser::primary(Scope& scope, bool names) {
  const Token& token = cursor_.peek();
  if (token.is('{')) return group(scope, '}', Operand::Kind::Vector, names);
  if (token.is('(') && names) return group(scope, ')', Operand::Kind::List, names);
  if (token.is('[')) return address(scope);
  if (token.is('!')) {
    cursor_.take();
    Operand operand = word(scope, false);
    if (operand.kind != Operand::Kind::Register)
      cursor_.fail(operand.at, "expected a predicate behind '!'");
    operand.negated = true;
    return operand;
  }
  if (token.kind == Token::Kind::Integer || token.kind == Token::Kind::Float || token.is('-') ||
      token.is('+')) {
    return number();
  }
  if (token.kind == Token::Kind::Word) {
    Operand operand = word(scope, names);
    if (operand.kind == Operand::Kind::Variable) addressOffset(operand);
    return operand;
  }
  cursor_.failExpected("an operand");
}

Operand BodyParser::number() {
  Operand operand;
  operand.at = cursor_.peek().at;
  const bool negative = cursor_.accept('-');
  if (!negative) cursor_.accept('+');
  const Token& token = cursor_.peek();
  if (token.kind == Token::Kind::Integer) {
    operand.kind = Operand::Kind::Integer;
    operand.integer = negative ? 0 - token.integer : token.integer;
  } else if (token.kind == Token::Kind::Float) {
    operand.kind = Operand::Kind::Float;
    operand.hexFloatBits = token.hexFloatBits;
    operand.real = negative ? -token.real : token.real;
    const std::uint64_t sign = std::uint64_t{1} << (token.hexFloatBits == 32 ? 31 : 63);
    operand.integer = negative ? token.integer ^ sign : token.integer;
  } else {
    cursor_.failExpected("a number");
  }
  cursor_.take();
  return operand;
}

Operand BodyParser::word(Scope& scope, bool names) {
  const Token& token = cursor_.peek();
  if (token.kind != Token::Kind::Word) cursor_.failExpected("a name");
  cursor_.take();
  Operand operand;
  operand.at = token.at;
  operand.name = token.text;
  if (token.text == "_") return operand;
  const std::string name(token.text);
  const Symbol symbol = scope.find(name, &function_);
  if (symbol.kind == Symbol::Kind::Register) {
    operand.kind = Operand::Kind::Register;
    operand.index = symbol.reg;
  } else if (symbol.kind == Symbol::Kind::Variable) {
    operand.kind = Operand::Kind::Variable;
    operand.variable = symbol.variable;
  } else if (symbol.kind == Symbol::Kind::Function) {
    operand.kind = Operand::Kind::Function;
    operand.function = symbol.function;
  } else if (isSpecialRegister(token.text)) {
    operand.kind = Operand::Kind::Special;
  } else if (name == "WARP_SZ") {
    operand.kind = Operand::Kind::Integer;
    operand.integer = 32;
  } else if (names && name[0] != '%') {
    operand.kind = Operand::Kind::Label;
    labelScopes_.back().uses.push_back({function_.statements.size(), name, token.at});
  } else if (name.find('.') != std::string::npos) {
    cursor_.fail(token.at, "unknown special register or element '{}'", name);
  } else {
    cursor_.fail(token.at, "'{}' is not declared", name);
  }
  return operand;
}

// Parses any number of +4, -4, +-16 behind a base.
void BodyParser::addressOffset(Operand& operand) {
  while (cursor_.peek().is('+') || cursor_.peek().is('-')) {
    bool negative = cursor_.take().is('-');
    if (cursor_.accept('-')) negative = !negative;
    const std::uint64_t value = cursor_.expectInteger("an offset", std::uint64_t{1} << 40);
    operand.offset +=
        negative ? -static_cast<std::int64_t>(value) : static_cast<std::int64_t>(value);
  }
}

Operand BodyParser::address(Scope& scope) {
  Operand operand;
  operand.kind = Operand::Kind::Address;
  operand.at = cursor_.take().at;
  Operand base;
  if (cursor_.peek().kind == Token::Kind::Integer || cursor_.peek().is('-')) {
    base = number();
  } else {
    base = word(scope, false);
    addressOffset(base);
  }
  operand.offset = base.offset;
  base.offset = 0;
  operand.elements.push_back(std::move(base));
  if (cursor_.accept(',')) operand.elements.push_back(primary(scope, false));
  cursor_.expect(']', "at the end of the address");
  return operand;
}

Operand BodyParser::group(Scope& scope, char close, Operand::Kind kind, bool names) {
  if (++nesting_ > kMaxNesting) cursor_.fail(cursor_.peek().at, "operands nested too deeply");
  Operand operand;
  operand.kind = kind;
  operand.at = cursor_.take().at;
  while (!cursor_.peek().is(close)) {
    operand.elements.push_back(this->operand(scope, names));
    if (!cursor_.accept(',')) break;
  }
  cursor_.expect(close, "at the end of the list");
  --nesting_;
  return operand;
}

}  // namespace fermata::ptx
