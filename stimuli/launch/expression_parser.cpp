#include <fermata/stimuli/launch/expression_parser.h>

#include <algorithm>
#include <array>
#include <cctype>

namespace fermata::launch {
namespace {

using Operation = Expression::Operation;

struct BinaryOperator {
  std::string_view symbol;
  Operation operation;
  unsigned level;  ///< a higher level binds tighter
};

// A symbol must stand before its own prefixes: the first match is taken.
constexpr std::array<BinaryOperator, 18> kOperators = {{
    {"||", Operation::Or, 0},
    {"&&", Operation::And, 1},
    {"==", Operation::Equal, 5},
    {"!=", Operation::NotEqual, 5},
    {"<<", Operation::ShiftLeft, 7},
    {">>", Operation::ShiftRight, 7},
    {"<=", Operation::LessEqual, 6},
    {">=", Operation::GreaterEqual, 6},
    {"<", Operation::Less, 6},
    {">", Operation::Greater, 6},
    {"|", Operation::BitOr, 2},
    {"^", Operation::BitXor, 3},
    {"&", Operation::BitAnd, 4},
    {"+", Operation::Add, 8},
    {"-", Operation::Subtract, 8},
    {"*", Operation::Multiply, 9},
    {"/", Operation::Divide, 9},
    {"%", Operation::Remainder, 9},
}};
constexpr unsigned kLevels = 10;

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
    result = add(Operation::Select, position, result, yes, no);
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
    left = add(found->operation, position, left, right);
  }
}

std::size_t ExpressionParser::unary() {
  skipSpace();
  const std::size_t position = at_;
  if (++depth_ > kMaxDepth)
    fail(at_, "the expression is nested too deeply; expected 64 levels or less");
  std::size_t result = 0;
  if (accept("-")) {
    result = add(Operation::Negate, position, unary());
  } else if (accept("!")) {
    result = add(Operation::Not, position, unary());
  } else if (accept("~")) {
    result = add(Operation::Complement, position, unary());
  } else {
    result = primary();
  }
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
  const std::size_t node = add(Operation::Constant, position);
  nodes_[node].value = value;
  return node;
}

std::size_t ExpressionParser::word() {
  const std::size_t position = at_;
  const std::size_t close = text_.find('\'', at_ + 1);
  if (close == std::string_view::npos)
    fail(position, "a word without an end; expected ' behind it");
  const std::size_t node = add(Operation::Name, position);
  nodes_[node].name = text_.substr(position, close + 1 - position);
  at_ = close + 1;
  return node;
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
  const std::size_t node = add(Operation::Name, position);
  nodes_[node].name = name;
  return node;
}

std::size_t ExpressionParser::call(const std::string& name, std::size_t position) {
  constexpr std::array<std::string_view, 5> kOfNames = {"count", "width", "height", "bits",
                                                        "edges"};
  if (std::find(kOfNames.begin(), kOfNames.end(), name) != kOfNames.end()) {
    const std::string what = identifier();
    expect(')');
    const std::size_t node = add(Operation::Name, position);
    nodes_[node].name = name + "(" + what + ")";
    return node;
  }
  if (name == "abs" || name == "sqrt") {
    const std::size_t operand = conditional();
    expect(')');
    return add(name == "abs" ? Operation::Absolute : Operation::SquareRoot, position, operand);
  }
  if (name != "min" && name != "max") {
    fail(position, "unknown function '" + name +
                       "'; expected min, max, abs, sqrt, count, width, height, bits or edges");
  }
  const Operation operation = name == "min" ? Operation::Minimum : Operation::Maximum;
  const std::size_t first = conditional();
  expect(',');
  const std::size_t second = conditional();
  expect(')');
  return add(operation, position, first, second);
}

std::size_t ExpressionParser::add(Operation operation, std::size_t position, std::size_t a,
                                  std::size_t b, std::size_t c) {
  if (nodes_.size() >= kMaxNodes)
    fail(position, "the expression is too long; expected 1000 terms or less");
  Expression::Node node;
  node.operation = operation;
  node.operands[0] = a;
  node.operands[1] = b;
  node.operands[2] = c;
  node.position = position;
  nodes_.push_back(std::move(node));
  return nodes_.size() - 1;
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
