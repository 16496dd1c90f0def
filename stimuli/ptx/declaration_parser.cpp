#include <fermata/stimuli/ptx/declaration_parser.h>

#include <cstring>

namespace fermata::ptx {
namespace {

constexpr std::uint64_t kMaxInitialisedBytes = std::uint64_t{1} << 26;
constexpr std::uint64_t kMaxRegisterRange = std::uint64_t{1} << 32;

std::uint64_t spaceLimit(VariableSpace space) {
  switch (space) {
    case VariableSpace::Local:
      return kMaxLocalBytes;
    case VariableSpace::Constant:
      return kMaxConstantBytes;
    case VariableSpace::Parameter:
      return kMaxParameterBytes;
    case VariableSpace::Shared:
    case VariableSpace::Global:
      break;
  }
  return kMaxVariableBytes;
}

std::uint64_t bitsOf(Type type, const Token& token, bool negative) {
  if (token.kind == Token::Kind::Integer) return negative ? 0 - token.integer : token.integer;
  if (type == Type::F32 || (!isFloat(type) && token.hexFloatBits == 32)) {
    const auto value = static_cast<float>(negative ? -token.real : token.real);
    std::uint32_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    if (token.hexFloatBits == 32)
      bits = static_cast<std::uint32_t>(token.integer) ^ (negative ? 0x80000000U : 0U);
    return bits;
  }
  const double value = negative ? -token.real : token.real;
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

bool fitsInteger(std::uint64_t value, unsigned bytes) {
  if (bytes >= 8) return true;
  const auto asSigned = static_cast<std::int64_t>(value);
  const std::int64_t range = std::int64_t{1} << (8 * bytes);
  return asSigned >= -(range / 2) && asSigned < range;
}

}  // namespace

void DeclarationParser::declare(Scope& scope, const std::string& name, const Symbol& symbol) {
  Symbol existing;
  if (!scope.declare(name, symbol, existing)) {
    cursor_.fail(symbol.at, "'" + name + "' is declared twice; the first is at line " +
                                std::to_string(existing.at.line));
  }
}

std::uint32_t DeclarationParser::alignment() {
  const Position at = cursor_.peek().at;
  const std::uint64_t value = cursor_.expectInteger("an alignment", 4096);
  if (value == 0 || (value & (value - 1)) != 0) {
    cursor_.fail(at, "alignment " + std::to_string(value) + "; expected a power of two");
  }
  return static_cast<std::uint32_t>(value);
}

DeclarationParser::Head DeclarationParser::head(bool mayBePointer) {
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
      cursor_.expect('(', "behind .attribute");
      while (!cursor_.atEnd() && !cursor_.peek().is(')')) cursor_.take();
      cursor_.expect(')', "at the end of .attribute");
    } else if (mayBePointer && typed && name == "ptr") {
      head.isPointer = true;
      for (const char* space : {".global", ".shared", ".const", ".local"})
        cursor_.acceptDirective(space);
      if (cursor_.acceptDirective(".align")) alignment();
    } else if (const auto type = typeNamed(name); type && !typed) {
      head.type = *type;
      typed = true;
    } else {
      cursor_.fail(token.at, "unsupported '" + std::string(token.text) +
                                 "' in a declaration; expected a type");
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
      if (size == 0 && !variable.isExtern)
        cursor_.fail(at, "array '" + variable.name + "' of size 0");
    } else if (!dimensions.empty()) {
      cursor_.fail(at, "only the first dimension of an array may be left open");
    }
    cursor_.expect(']', "behind the array size");
    dimensions.push_back(size);
    variable.count *= size;
    if (variable.count > kMaxVariableBytes)
      cursor_.fail(at, "array '" + variable.name + "' is too large");
  }
}

void DeclarationParser::checkSize(const Variable& variable) {
  const std::uint64_t most = spaceLimit(variable.space);
  if (variable.bytes > most) {
    cursor_.fail(variable.at, "'" + variable.name + "' has " + std::to_string(variable.bytes) +
                                  " bytes; expected at most " + std::to_string(most) +
                                  " in its state space");
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
        cursor_.fail(cursor_.peek().at, "initialiser of '" + variable->name +
                                            "'; only .global and .const variables may have one");
      }
      cursor_.take();
      initialiser(*variable, shape, scope);
    }
    const bool unsized = variable->bytes == 0;
    if (unsized && !isExtern) {
      cursor_.fail(variable->at,
                   "array '" + variable->name + "' without a size; only .extern ones may");
    }
    Symbol symbol;
    symbol.kind = Symbol::Kind::Variable;
    symbol.variable = variable.get();
    symbol.at = variable->at;
    declare(scope, variable->name, symbol);
    variable->number = static_cast<std::uint32_t>(owner.size());
    owner.push_back(std::move(variable));
  } while (cursor_.accept(','));
  cursor_.expect(';', "at the end of the declaration");
}

void DeclarationParser::initialiser(Variable& variable, const std::vector<std::uint64_t>& shape,
                                    Scope& scope) {
  std::vector<std::uint64_t> sizes = shape;
  if (variable.bytes > kMaxInitialisedBytes) {
    cursor_.fail(variable.at, "initialised variable of more than " +
                                  std::to_string(kMaxInitialisedBytes) + " bytes");
  }
  if (!cursor_.peek().is('{')) {
    if (variable.isArray) cursor_.failExpected("'{' before the initialiser of an array");
    variable.initialiser.assign(variable.bytes, 0);
    return initialiserElement(variable, 0, scope);
  }
  if (sizes.empty()) sizes.push_back(variable.count);
  if (sizes.front() == 0) {  // open first dimension: count its elements
    std::uint64_t elements = 1;
    unsigned depth = 0;
    for (std::size_t i = 0;; ++i) {
      const Token& token = cursor_.peek(i);
      if (token.kind == Token::Kind::End) break;
      if (token.is('{')) ++depth;
      if (token.is(',') && depth == 1) ++elements;
      if (token.is('}') && --depth == 0) break;
    }
    sizes.front() = elements;
    variable.count = 1;
    for (const std::uint64_t size : sizes) variable.count *= size;
    variable.bytes = variable.count * bytesOf(variable.type);
    checkSize(variable);
  }
  variable.initialiser.assign(variable.bytes, 0);
  initialiserLevel(variable, sizes, 0, 0, variable.count, scope);
}

void DeclarationParser::initialiserLevel(Variable& variable,
                                         const std::vector<std::uint64_t>& sizes, std::size_t depth,
                                         std::uint64_t first, std::uint64_t room, Scope& scope) {
  if (depth >= sizes.size())
    cursor_.fail(cursor_.peek().at, "initialiser nested deeper than the array");
  const std::uint64_t stride = room / sizes[depth];
  cursor_.expect('{', "before the initialiser");
  std::uint64_t next = 0;
  while (!cursor_.peek().is('}')) {
    if (cursor_.peek().is('{')) {
      const std::uint64_t row = (next + stride - 1) / stride;
      if (row >= sizes[depth]) cursor_.fail(cursor_.peek().at, "more initialisers than elements");
      initialiserLevel(variable, sizes, depth + 1, first + row * stride, stride, scope);
      next = (row + 1) * stride;
    } else {
      if (next >= room) {
        cursor_.fail(cursor_.peek().at, "more initialisers than the " +
                                            std::to_string(variable.count) + " elements of '" +
                                            variable.name + "'");
      }
      initialiserElement(variable, first + next++, scope);
    }
    if (!cursor_.accept(',')) break;
  }
  cursor_.expect('}', "at the end of the initialiser");
}

void DeclarationParser::initialiserElement(Variable& variable, std::uint64_t element,
                                           Scope& scope) {
  const bool negative = cursor_.accept('-');
  const Token& token = cursor_.peek();
  if (token.kind == Token::Kind::Word && !negative)
    return initialiserAddress(variable, element, scope);
  if (token.kind != Token::Kind::Integer && token.kind != Token::Kind::Float)
    cursor_.failExpected("a constant");
  const unsigned bytes = bytesOf(variable.type);
  const bool realConstant = token.kind == Token::Kind::Float;
  if (realConstant && !isFloat(variable.type) && token.hexFloatBits != bytes * 8) {
    cursor_.fail(token.at, "floating-point constant for an element of type ." +
                               std::string(nameOf(variable.type)));
  }
  if (!realConstant && isFloat(variable.type)) {
    const double value = (negative ? -1.0 : 1.0) * static_cast<double>(token.integer);
    Token converted = token;
    converted.kind = Token::Kind::Float;
    converted.real = value;
    const std::uint64_t bits = bitsOf(variable.type, converted, false);
    std::memcpy(&variable.initialiser[element * bytes], &bits, bytes);
    cursor_.take();
    return;
  }
  const std::uint64_t bits = bitsOf(variable.type, token, negative);
  if (!realConstant && !fitsInteger(bits, bytes)) {
    cursor_.fail(token.at, "constant " + std::string(token.text) +
                               " does not fit an element of type ." +
                               std::string(nameOf(variable.type)));
  }
  std::memcpy(&variable.initialiser[element * bytes], &bits, bytes);
  cursor_.take();
}

void DeclarationParser::initialiserAddress(Variable& variable, std::uint64_t element,
                                           Scope& scope) {
  const bool generic = cursor_.peek().text == "generic";
  if (generic) {
    cursor_.take();
    cursor_.expect('(', "behind generic");
  }
  const Token& name = cursor_.expectName("the name of a variable");
  const Symbol symbol = scope.find(std::string(name.text), nullptr);
  const bool known =
      symbol.kind == Symbol::Kind::Variable && (symbol.variable->space == VariableSpace::Global ||
                                                symbol.variable->space == VariableSpace::Constant);
  if (!known) {
    cursor_.fail(name.at, "'" + std::string(name.text) +
                              "' is no .global or .const variable declared before");
  }
  if (generic) cursor_.expect(')', "behind generic(name");
  Relocation relocation;
  relocation.target = symbol.variable;
  relocation.bytes = static_cast<std::uint8_t>(bytesOf(variable.type));
  if (relocation.bytes < 4)
    cursor_.fail(name.at, "an address does not fit an element of type ." +
                              std::string(nameOf(variable.type)));
  relocation.at = static_cast<std::uint32_t>(element * relocation.bytes);
  const bool minus = cursor_.peek().is('-');
  if (cursor_.accept('+') || cursor_.accept('-')) {
    const auto addend =
        static_cast<std::int64_t>(cursor_.expectInteger("an offset", kMaxVariableBytes));
    relocation.addend = minus ? -addend : addend;
  }
  variable.relocations.push_back(relocation);
}

std::vector<DeclarationParser::Registers> DeclarationParser::registers() {
  const Head common = head(false);
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
      cursor_.fail(each.at, "registers '" + each.name +
                                "<>' are declared twice; the first is at "
                                "line " +
                                std::to_string(existing.at.line));
    }
    Symbol symbol;
    symbol.kind = Symbol::Kind::Register;
    symbol.reg = static_cast<std::uint32_t>(function.registers.size());
    symbol.at = each.at;
    declare(scope, each.name, symbol);
    function.registers.push_back({each.name, each.type, ofModule});
  }
}

Formal DeclarationParser::formal(Scope& scope, Function& function) {
  Formal formal;
  Symbol symbol;
  if (cursor_.acceptDirective(".reg")) {
    const Head type = head(false);
    const Token& name = cursor_.expectName("a register name");
    formal.reg = static_cast<std::uint32_t>(function.registers.size());
    function.registers.push_back({std::string(name.text), type.type, false});
    symbol.kind = Symbol::Kind::Register;
    symbol.reg = formal.reg;
    symbol.at = name.at;
    declare(scope, std::string(name.text), symbol);
    return formal;
  }
  if (!cursor_.acceptDirective(".param")) cursor_.failExpected(".param or .reg");
  const Head type = head(true);
  std::vector<std::uint64_t> shape;
  std::unique_ptr<Variable> variable;
  if (cursor_.peek().text == "_") {  // unnamed, in a prototype
    variable = declarator(type, VariableSpace::Parameter, false, shape);
  } else {
    variable = declarator(type, VariableSpace::Parameter, false, shape);
    symbol.kind = Symbol::Kind::Variable;
    symbol.variable = variable.get();
    symbol.at = variable->at;
    declare(scope, variable->name, symbol);
  }
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
