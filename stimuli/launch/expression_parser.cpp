#include <fermata/stimuli/launch/expression_parser.h>

#include <algorithm>
#include <array>
#include <cctype>

namespace fermata::launch {
namespace {

using Kind = Expression::Kind;
using Value = std::int64_t;

/// Returns what `compute(&result)` computes; it returns true for an overflow.
template <class Compute>
Value checked(Compute compute) {
  Value result = 0;
  if (compute(&result)) throw Expression::Failure{"overflow of 64 bits"};
  return result;
}
Value sum(Value a, Value b) {
  return checked([=](Value* result) { return __builtin_add_overflow(a, b, result); });
}
Value difference(Value a, Value b) {
  return checked([=](Value* result) { return __builtin_sub_overflow(a, b, result); });
}
Value product(Value a, Value b) {
  return checked([=](Value* result) { return __builtin_mul_overflow(a, b, result); });
}
Value quotient(Value a, Value b) {
  if (b == 0) throw Expression::Failure{"division by zero"};
  return b == -1 ? difference(0, a) : a / b;
}
Value remainder(Value a, Value b) {
  if (b == 0) throw Expression::Failure{"division by zero"};
  return b == -1 ? 0 : a % b;
}
Value shift(Value by) {
  if (by < 0 || by > 63)
    throw Expression::Failure{"shift by " + std::to_string(by) + "; expected 0 to 63"};
  return by;
}
Value shiftedLeft(Value a, Value b) {
  if (shift(b) < 63) return product(a, Value{1} << b);
  return checked([=](Value*) { return a != 0; });
}
Value magnitude(Value a, Value) {
  return a < 0 ? difference(0, a) : a;
}
Value squareRoot(Value a, Value) {
  if (a < 0) throw Expression::Failure{"the root of " + std::to_string(a) + "; expected 0 or more"};
  Value root = 0;
  for (Value bit = Value{1} << 31; bit != 0; bit >>= 1) {
    const Value tried = root | bit;
    if (tried <= a / tried) root = tried;
  }
  return root;
}

struct BinaryOperator {
  std::string_view symbol;
  unsigned level;  ///< a higher level binds tighter
  Expression::Compute compute;
  Kind kind = Kind::Computed;
};

// A symbol must stand before its own prefixes: the first match is taken.
constexpr std::array<BinaryOperator, 18> kOperators = {{
    {"||", 0, nullptr, Kind::Or},
    {"&&", 1, nullptr, Kind::And},
    {"==", 5, [](Value a, Value b) -> Value { return a == b; }},
    {"!=", 5, [](Value a, Value b) -> Value { return a != b; }},
    {"<<", 7, shiftedLeft},
    {">>", 7, [](Value a, Value b) { return a >> shift(b); }},
    {"<=", 6, [](Value a, Value b) -> Value { return a <= b; }},
    {">=", 6, [](Value a, Value b) -> Value { return a >= b; }},
    {"<", 6, [](Value a, Value b) -> Value { return a < b; }},
    {">", 6, [](Value a, Value b) -> Value { return a > b; }},
    {"|", 2, [](Value a, Value b) { return a | b; }},
    {"^", 3, [](Value a, Value b) { return a ^ b; }},
    {"&", 4, [](Value a, Value b) { return a & b; }},
    {"+", 8, sum},
    {"-", 8, difference},
    {"*", 9, product},
    {"/", 9, quotient},
    {"%", 9, remainder},
}};
constexpr unsigned kLevels = 10;

struct Prefix {
  std::string_view symbol;
  Expression::Compute compute;
};
constexpr std::array<Prefix, 3> kPrefixes = {{
    {"-", [](Value a, Value) { return difference(0, a); }},
    {"!", [](Value a, Value) -> Value { return a == 0; }},
    {"~", [](Value a, Value) { return ~a; }},
}};

struct Function {
  std::string_view name;
  std::size_t operands;
  Expression::Compute compute;
};
constexpr std::array<Function, 4> kFunctions = {{
    {"min", 2, [](Value a, Value b) { return std::min(a, b); }},
    {"max", 2, [](Value a, Value b) { return std::max(a, b); }},
    {"abs", 1, magnitude},
    {"sqrt", 1, squareRoot},
}};

const BinaryOperator* operatorAt(std::string_view text) {
  for (const BinaryOperator& candidate : kOperators) {
    if (text.substr(0, candidate.symbol.size()) == candidate.symbol) return &candidate;
  }
  return nullptr;
}

bool startsName(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_';
}
bool continuesName(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

}  // namespace

std::vector<Expression::Node> ExpressionParser::parse() {
  conditional();
  skipSpace();
  if (at_ != text_.size()) {
    fail(at_, "unexpected '" + std::string(text_.substr(at_, 8)) +
                  "' in the expression; expected " + "an operator or its end");
  }
  return std::move(nodes_);
}

std::size_t ExpressionParser::conditional() {
  if (++depth_ > kMaxDepth)
    fail(at_, "the expression is nested too deeply; expected 64 levels or less");
  std::size_t result = binary(0);
  skipSpace();
  const std::size_t position = at_;
  if (accept("?")) {
    const std::size_t yes = conditional();
    expect(':');
    const std::size_t no = conditional();
    result = add(Kind::Select, nullptr, position, {result, yes, no});
  }
  --depth_;
  return result;
}

std::size_t ExpressionParser::binary(unsigned level) {
  if (level == kLevels) return unary();
  std::size_t left = binary(level + 1);
  for (;;) {
    skipSpace();
    const BinaryOperator* found = operatorAt(text_.substr(at_));
    if (found == nullptr || found->level != level) return left;
    const std::size_t position = at_;
    at_ += found->symbol.size();
    const std::size_t right = binary(level + 1);
    left = add(found->kind, found->compute, position, {left, right});
  }
}

std::size_t ExpressionParser::unary() {
  skipSpace();
  const std::size_t position = at_;
  if (++depth_ > kMaxDepth)
    fail(at_, "the expression is nested too deeply; expected 64 levels or less");
  const auto* const prefix = std::find_if(kPrefixes.begin(), kPrefixes.end(),
                                          [&](const Prefix& one) { return accept(one.symbol); });
  const std::size_t result = prefix == kPrefixes.end()
                                 ? primary()
                                 : add(Kind::Computed, prefix->compute, position, {unary()});
  --depth_;
  return result;
}

std::size_t ExpressionParser::primary() {
  if (at_ == text_.size()) fail(at_, "the expression ends early; expected a number, a name or '('");
  if (accept("(")) {
    const std::size_t inner = conditional();
    expect(')');
    return inner;
  }
  if (std::isdigit(static_cast<unsigned char>(text_[at_])) != 0) return number();
  if (startsName(text_[at_])) return nameOrCall();
  if (text_[at_] == '\'') return word();
  fail(at_, std::string("unexpected '") + text_[at_] +
                "' in the expression; expected a number, a name or '('");
}

std::size_t ExpressionParser::number() {
  const std::size_t position = at_;
  int base = 10;
  if (accept("0x") || accept("0X")) base = 16;
  std::int64_t value = 0;
  const std::size_t firstDigit = at_;
  for (; at_ < text_.size() && continuesName(text_[at_]); ++at_) {
    const auto c = static_cast<unsigned char>(text_[at_]);
    const int digit = std::isdigit(c) != 0    ? c - '0'
                      : std::isxdigit(c) != 0 ? std::tolower(c) - 'a' + 10
                                              : base;
    if (digit >= base)
      fail(position, "not a number; expected decimal digits or 0x and hexadecimal digits");
    if (__builtin_mul_overflow(value, base, &value) ||
        __builtin_add_overflow(value, digit, &value)) {
      fail(position, "the number does not fit; expected at most 9223372036854775807");
    }
  }
  if (at_ == firstDigit) fail(position, "no digits behind 0x; expected a hexadecimal number");
  const std::size_t node = add(Kind::Constant, nullptr, position, {});
  nodes_[node].value = value;
  return node;
}

std::size_t ExpressionParser::word() {
  const std::size_t position = at_;
  const std::size_t close = text_.find('\'', at_ + 1);
  if (close == std::string_view::npos)
    fail(position, "a word without an end; expected ' behind it");
  at_ = close + 1;
  return addName(std::string(text_.substr(position, at_ - position)), position);
}

std::string ExpressionParser::identifier() {
  skipSpace();
  const std::size_t start = at_;
  if (at_ == text_.size() || !startsName(text_[at_])) fail(at_, "no name here; expected a name");
  while (at_ < text_.size() && continuesName(text_[at_])) ++at_;
  return std::string(text_.substr(start, at_ - start));
}

std::size_t ExpressionParser::nameOrCall() {
  const std::size_t position = at_;
  const std::string name = identifier();
  if (accept("(")) return call(name, position);
  return addName(name, position);
}

std::size_t ExpressionParser::call(const std::string& name, std::size_t position) {
  constexpr std::array<std::string_view, 5> kOfNames = {"count", "width", "height", "bits",
                                                        "edges"};
  if (std::find(kOfNames.begin(), kOfNames.end(), name) != kOfNames.end()) {
    const std::string what = identifier();
    expect(')');
    return addName(name + "(" + what + ")", position);
  }
  const auto* const function = std::find_if(kFunctions.begin(), kFunctions.end(),
                                            [&](const Function& one) { return one.name == name; });
  if (function == kFunctions.end()) {
    fail(position, "unknown function '" + name +
                       "'; expected min, max, abs, sqrt, count, width, height, bits or edges");
  }
  std::vector<std::size_t> operands = {conditional()};
  while (operands.size() < function->operands) {
    expect(',');
    operands.push_back(conditional());
  }
  expect(')');
  return add(Kind::Computed, function->compute, position, std::move(operands));
}

std::size_t ExpressionParser::add(Kind kind, Expression::Compute compute, std::size_t position,
                                  std::vector<std::size_t> operands) {
  if (nodes_.size() >= kMaxNodes)
    fail(position, "the expression is too long; expected 1000 terms or less");
  nodes_.push_back({kind, 0, "", compute, std::move(operands), position});
  return nodes_.size() - 1;
}

std::size_t ExpressionParser::addName(std::string name, std::size_t position) {
  const std::size_t node = add(Kind::Name, nullptr, position, {});
  nodes_[node].name = std::move(name);
  return node;
}

void ExpressionParser::skipSpace() {
  while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
}

bool ExpressionParser::accept(std::string_view symbol) {
  skipSpace();
  if (text_.substr(at_, symbol.size()) != symbol) return false;
  at_ += symbol.size();
  return true;
}

void ExpressionParser::expect(char symbol) {
  if (!accept(std::string_view(&symbol, 1))) {
    fail(at_, std::string("the expression goes on otherwise; expected '") + symbol + "'");
  }
}

void ExpressionParser::fail(std::size_t position, const std::string& what) const {
  SourceLocation where = where_;
  if (where.column != 0) where.column += position;
  throw InputError(where, what);
}

}  // namespace fermata::launch
