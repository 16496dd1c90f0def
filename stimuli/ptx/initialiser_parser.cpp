// Parses initialisers of variables: constants, nested braces, addresses of variables and functions.
#include <cstring>

#include <fermata/stimuli/ptx/bits.h>
#include <fermata/stimuli/ptx/declaration_parser.h>

namespace fermata::ptx {
namespace {

constexpr std::uint64_t kMaxInitialisedBytes = std::uint64_t{1} << 26;

std::uint64_t bitsOf(Type type, const Token& token, bool negative) {
  if (token.kind == Token::Kind::Integer) return negative ? 0 - token.integer : token.integer;
  const double value = negative ? -token.real : token.real;
  if (type != Type::F32 && (isFloat(type) || token.hexFloatBits != 32))
    return bitsAs<std::uint64_t>(value);
  if (token.hexFloatBits == 32) return token.integer ^ (negative ? 0x80000000U : 0U);
  return bitsAs<std::uint32_t>(static_cast<float>(value));
}

bool fitsInteger(std::uint64_t value, unsigned bytes) {
  if (bytes >= 8) return true;
  const auto asSigned = static_cast<std::int64_t>(value);
  const std::int64_t range = std::int64_t{1} << (8 * bytes);
  return asSigned >= -(range / 2) && asSigned < range;
}

}  // namespace

void DeclarationParser::initialiser(Variable& variable, const std::vector<std::uint64_t>& shape,
                                    Scope& scope) {
  std::vector<std::uint64_t> sizes = shape;
  if (variable.bytes > kMaxInitialisedBytes) {
    cursor_.fail(variable.at, "initialised variable of more than {} bytes", kMaxInitialisedBytes);
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
        cursor_.fail(cursor_.peek().at, "more initialisers than the {} elements of '{}'",
                     variable.count, variable.name);
      }
      initialiserElement(variable, first + next++, scope);
    }
    if (!cursor_.accept(',')) break;
  }
  cursor_.expect('}', "at the end of the initialiser");
}

void DeclarationParser::initialiserElement(Variable& variable, std::uint64_t element,
                                           Scope& scope) {
  if (isHalf(variable.type)) {
    cursor_.fail(cursor_.peek().at,
                 "an initialiser of type .{}, which PTX has not; expected a type such as .b16",
                 nameOf(variable.type));
  }
  const bool negative = cursor_.accept('-');
  const Token& token = cursor_.peek();
  if (token.kind == Token::Kind::Word && !negative)
    return initialiserAddress(variable, element, scope, false);
  if (token.kind == Token::Kind::Integer && cursor_.peek(1).is('(') && !negative)
    return initialiserByte(variable, element, scope);
  if (token.kind != Token::Kind::Integer && token.kind != Token::Kind::Float)
    cursor_.failExpected("a constant");
  const unsigned bytes = bytesOf(variable.type);
  const bool realConstant = token.kind == Token::Kind::Float;
  if (realConstant && !isFloat(variable.type) && token.hexFloatBits != bytes * 8) {
    cursor_.fail(token.at, "floating-point constant for an element of type .{}",
                 nameOf(variable.type));
  }
  Token converted = token;
  if (!realConstant && isFloat(variable.type)) {
    converted.kind = Token::Kind::Float;
    converted.real = static_cast<double>(token.integer);
  }
  const std::uint64_t bits = bitsOf(variable.type, converted, negative);
  if (!realConstant && !isFloat(variable.type) && !fitsInteger(bits, bytes)) {
    cursor_.fail(token.at, "constant {} does not fit an element of type .{}", token.text,
                 nameOf(variable.type));
  }
  std::memcpy(&variable.initialiser[element * bytes], &bits, bytes);
  cursor_.take();
}

// Parses 0xff00(name): one byte of an address.
void DeclarationParser::initialiserByte(Variable& variable, std::uint64_t element, Scope& scope) {
  const Token& mask = cursor_.take();
  unsigned shift = 0;
  while (shift < 56 && mask.integer >> shift != 0xff) shift += 8;
  if (mask.integer != std::uint64_t{0xff} << shift || bytesOf(variable.type) != 1)
    cursor_.fail(mask.at, "mask {} of an address; expected one of its bytes in an element of .b8",
                 mask.text);
  cursor_.expect('(', "behind the mask");
  initialiserAddress(variable, element, scope, true);
  variable.relocations.back().shift = static_cast<std::uint8_t>(shift);
  cursor_.expect(')', "behind the address");
}

void DeclarationParser::initialiserAddress(Variable& variable, std::uint64_t element, Scope& scope,
                                           bool ofByte) {
  const bool generic = cursor_.peek().text == "generic";
  if (generic) {
    cursor_.take();
    cursor_.expect('(', "behind generic");
  }
  const Token& name = cursor_.expectName("the name of a variable");
  const Symbol symbol = scope.find(std::string(name.text), nullptr);
  const bool isFunction = symbol.kind == Symbol::Kind::Function;
  const bool known = isFunction || (symbol.kind == Symbol::Kind::Variable &&
                                    (symbol.variable->space == VariableSpace::Global ||
                                     symbol.variable->space == VariableSpace::Constant));
  if (!known) {
    cursor_.fail(name.at, "'{}' is no .global or .const variable and no function declared before",
                 name.text);
  }
  if (generic) cursor_.expect(')', "behind generic(name");
  Relocation relocation;
  relocation.target = isFunction ? nullptr : symbol.variable;
  relocation.function = isFunction ? symbol.function : nullptr;
  relocation.bytes = static_cast<std::uint8_t>(bytesOf(variable.type));
  if (relocation.bytes < 4 && !ofByte)
    cursor_.fail(name.at, "an address does not fit an element of type .{}", nameOf(variable.type));
  relocation.at = static_cast<std::uint32_t>(element * relocation.bytes);
  const bool minus = cursor_.peek().is('-');
  if (cursor_.accept('+') || cursor_.accept('-')) {
    const auto addend =
        static_cast<std::int64_t>(cursor_.expectInteger("an offset", kMaxVariableBytes));
    relocation.addend = minus ? -addend : addend;
  }
  variable.relocations.push_back(relocation);
}

}  // namespace fermata::ptx
