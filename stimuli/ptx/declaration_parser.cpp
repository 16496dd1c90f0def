#include <fermata/stimuli/ptx/declaration_parser.h>
#include <fermata/stimuli/ptx/wide_registers.h>

namespace fermata::ptx {
namespace {

constexpr std::uint64_t kMaxRegisterRange = std::uint64_t{1} << 32;

std::uint64_t spaceLimit(VariableSpace space) {
  constexpr std::uint64_t kLimits[] = {kMaxVariableBytes, kMaxConstantBytes, kMaxVariableBytes,
                                       kMaxLocalBytes, kMaxParameterBytes};
  return kLimits[static_cast<std::size_t>(space)];  // order of VariableSpace
}

}  // namespace

std::optional<VariableSpace> spaceNamed(std::string_view directive) {
  if (directive == ".global") return VariableSpace::Global;
  if (directive == ".const") return VariableSpace::Constant;
  if (directive == ".shared") return VariableSpace::Shared;
  if (directive == ".local") return VariableSpace::Local;
  return std::nullopt;
}

void DeclarationParser::declare(Scope& scope, const std::string& name, const Symbol& symbol) {
  Symbol existing;
  if (!scope.declare(name, symbol, existing)) {
    cursor_.fail(symbol.at, "'{}' is declared twice; the first is at line {}", name,
                 existing.at.line);
  }
}

std::uint32_t DeclarationParser::alignment() {
  const Position at = cursor_.peek().at;
  const std::uint64_t value = cursor_.expectInteger("an alignment", 4096);
  if (value == 0 || (value & (value - 1)) != 0) {
    cursor_.fail(at, "alignment {}; expected a power of two", value);
  }
  return static_cast<std::uint32_t>(value);
}

DeclarationParser::Head DeclarationParser::head(bool mayBePointer, bool mayBeWide) {
  Head head;
  bool typed = false;
  while (cursor_.peek().kind == Token::Kind::Directive) {
    const Token& token = cursor_.take();
    const std::string_view name = token.text.substr(1);
    if (name == "align") {
      head.alignment = alignment();
    } else if (name == "v2" || name == "v4") {
      head.vector = name == "v2" ? 2 : 4;
    } else if (name == "texref") {
      head.isTexture = typed = true;
      head.type = Type::B64;
    } else if (name == "attribute") {
      cursor_.skipAttribute();
    } else if (mayBePointer && typed && name == "ptr") {
      head.isPointer = true;
      for (const char* space : {".global", ".shared", ".const", ".local"})
        cursor_.acceptDirective(space);
      if (cursor_.acceptDirective(".align")) alignment();
    } else if (const auto type = typeNamed(name); type && type != Type::F32x2 && !typed) {
      head.type = *type;
      typed = true;
    } else if (mayBeWide && !typed && name == nameOf(Type::B128)) {
      head.type = Type::B128;
      typed = true;
    } else {
      cursor_.fail(token.at, "unsupported '{}' in a declaration; expected a type", token.text);
    }
  }
  if (!typed) cursor_.failExpected("a type such as .u32");
  return head;
}

void DeclarationParser::dimensions(Variable& variable, std::vector<std::uint64_t>& dimensions) {
  while (cursor_.peek().is('[')) {
    const Position at = cursor_.take().at;
    variable.isArray = true;
    std::uint64_t size = 0;
    if (!cursor_.peek().is(']')) {
      size = cursor_.expectInteger("an array size", kMaxVariableBytes);
      if (size == 0 && !variable.isExtern) cursor_.fail(at, "array '{}' of size 0", variable.name);
    } else if (!dimensions.empty()) {
      cursor_.fail(at, "only the first dimension of an array may be left open");
    }
    cursor_.expect(']', "behind the array size");
    dimensions.push_back(size);
    variable.count *= size;
    if (variable.count > kMaxVariableBytes)
      cursor_.fail(at, "array '{}' is too large", variable.name);
  }
}

void DeclarationParser::checkSize(const Variable& variable) {
  const std::uint64_t most = spaceLimit(variable.space);
  if (variable.bytes > most) {
    cursor_.fail(variable.at, "'{}' has {} bytes; expected at most {} in its state space",
                 variable.name, variable.bytes, most);
  }
}

std::unique_ptr<Variable> DeclarationParser::declarator(const Head& head, VariableSpace space,
                                                        bool isExtern,
                                                        std::vector<std::uint64_t>& shape) {
  auto variable = std::make_unique<Variable>();
  const Token& name = cursor_.expectName("a name");
  if (head.type == Type::Pred)
    cursor_.fail(name.at, "a variable of type .pred; expected a data type");
  variable->at = name.at;
  variable->name = std::string(name.text);
  variable->space = space;
  variable->type = head.type;
  variable->isExtern = isExtern;
  variable->isTexture = head.isTexture;
  variable->count = head.vector;
  dimensions(*variable, shape);
  const unsigned element = bytesOf(head.type);
  variable->alignment = std::max(head.alignment, head.alignment != 0 ? 0 : element * head.vector);
  variable->bytes = variable->count * element;
  if (head.vector > 1) shape.push_back(head.vector);
  checkSize(*variable);
  return variable;
}

void DeclarationParser::variables(VariableSpace space, bool isExtern, Scope& scope,
                                  std::vector<std::unique_ptr<Variable>>& owner) {
  const Head common = head(false);
  do {
    std::vector<std::uint64_t> shape;
    std::unique_ptr<Variable> variable = declarator(common, space, isExtern, shape);
    if (cursor_.peek().is('=')) {
      if (space != VariableSpace::Global && space != VariableSpace::Constant) {
        cursor_.fail(cursor_.peek().at,
                     "initialiser of '{}'; only .global and .const variables may have one",
                     variable->name);
      }
      cursor_.take();
      initialiser(*variable, shape, scope);
    }
    const bool unsized = variable->bytes == 0;
    if (unsized && !isExtern) {
      cursor_.fail(variable->at, "array '{}' without a size; only .extern ones may",
                   variable->name);
    }
    if (!joins(*variable, scope, owner)) {
      declare(scope, variable->name, Symbol::of(*variable));
      variable->number = static_cast<std::uint32_t>(owner.size());
      owner.push_back(std::move(variable));
    }
  } while (cursor_.accept(','));
  cursor_.expect(';', "at the end of the declaration");
}

/// Returns whether a declaration of the same variable stands before this one and at most one of
/// both defines it. The definition, or of two declarations the larger one, then stays in `owner`.
bool DeclarationParser::joins(Variable& variable, Scope& scope,
                              std::vector<std::unique_ptr<Variable>>& owner) {
  const Symbol before = scope.findHere(variable.name, nullptr);
  if (before.kind != Symbol::Kind::Variable || before.variable->space != variable.space ||
      before.variable->isTexture != variable.isTexture)
    return false;
  Variable& first = *owner[before.variable->number];
  if (&first != before.variable || (!first.isExtern && !variable.isExtern)) return false;
  if (first.bytes != variable.bytes && first.bytes != 0 && variable.bytes != 0 &&
      variable.space != VariableSpace::Shared) {
    cursor_.fail(variable.at, "'{}' has {} bytes; its declaration at line {} has {}", variable.name,
                 variable.bytes, first.at.line, first.bytes);
  }
  const std::uint32_t alignment = std::max(first.alignment, variable.alignment);
  const bool replaces = first.isExtern && (!variable.isExtern || variable.bytes > first.bytes);
  if (replaces) {
    variable.number = first.number;
    first = std::move(variable);
  }
  first.alignment = alignment;
  return true;
}

std::vector<DeclarationParser::Registers> DeclarationParser::registers() {
  const Head common = head(false, true);
  if (common.vector > 1 || common.isTexture || common.alignment != 0) {
    cursor_.fail(cursor_.peek().at, "unsupported form of .reg; expected a scalar type");
  }
  std::vector<Registers> list;
  do {
    const Token& name = cursor_.expectName("a register name");
    Registers registers{name.at, std::string(name.text), common.type, {}};
    if (cursor_.accept('<')) {
      registers.count = cursor_.expectInteger("a number of registers", kMaxRegisterRange);
      cursor_.expect('>', "behind the number of registers");
    }
    list.push_back(std::move(registers));
  } while (cursor_.accept(','));
  cursor_.expect(';', "at the end of .reg");
  return list;
}

void DeclarationParser::declare(const std::vector<Registers>& registers, Scope& scope,
                                Function& function, bool ofModule) {
  for (const Registers& each : registers) {
    if (each.count) {
      Symbol existing;
      if (scope.declareRange(each.name, *each.count, each.type, ofModule, each.at, existing))
        continue;
      cursor_.fail(each.at, "registers '{}<>' are declared twice; the first is at line {}",
                   each.name, existing.at.line);
    }
    declare(scope, each.name, Symbol::of(function.registers.size(), each.at));
    addRegister(function.registers, each.name, each.type, ofModule);
  }
}

// "_" is unnamed, in a prototype.
Formal DeclarationParser::formal(Scope& scope, Function& function) {
  Formal formal;
  if (cursor_.acceptDirective(".reg")) {
    const Head type = head(false);
    const Token& name = cursor_.expectName("a register name");
    formal.reg = static_cast<std::uint32_t>(function.registers.size());
    function.registers.push_back({std::string(name.text), type.type, false});
    if (name.text != "_") declare(scope, std::string(name.text), Symbol::of(formal.reg, name.at));
    return formal;
  }
  if (!cursor_.acceptDirective(".param")) cursor_.failExpected(".param or .reg");
  const Head type = head(true);
  std::vector<std::uint64_t> shape;
  std::unique_ptr<Variable> variable = declarator(type, VariableSpace::Parameter, false, shape);
  if (variable->name != "_") declare(scope, variable->name, Symbol::of(*variable));
  formal.variable = variable.get();
  formal.isPointer = type.isPointer;
  function.variables.push_back(std::move(variable));
  return formal;
}

std::vector<Formal> DeclarationParser::formals(Scope& scope, Function& function) {
  std::vector<Formal> list;
  cursor_.expect('(', "before the parameters");
  if (cursor_.accept(')')) return list;
  do {
    list.push_back(formal(scope, function));
  } while (cursor_.accept(','));
  cursor_.expect(')', "behind the parameters");
  return list;
}

}  // namespace fermata::ptx
