#include <fermata/stimuli/launch/expression.h>

#include <algorithm>
#include <limits>
#include <utility>

#include <fermata/stimuli/launch/expression_parser.h>

namespace fermata::launch {
namespace {

std::string listNames(const Scope& scope) {
  std::string text;
  for (const auto& [name, value] : scope) text += (text.empty() ? "" : ", ") + name;
  return text.empty() ? "a number" : "one of " + text;
}

}  // namespace

void Scope::setWord(const std::string& name, const std::string& word) {
  // Number words as they come. A word keeps its number wherever it stands, whatever the number is.
  const std::string quoted = "'" + word + "'";
  if (find(quoted) == end()) {
    std::int64_t number = 0;
    for (const auto& [known, value] : *this) number += known.front() == '\'' ? 1 : 0;
    (*this)[quoted] = number;
  }
  (*this)[name] = at(quoted);
  words[name] = word;
}

Expression::Expression(std::int64_t value, SourceLocation where)
    : nodes_(1), where_(std::move(where)) {
  nodes_[0].value = value;
}

Expression Expression::parse(std::string_view text, const SourceLocation& where) {
  Expression expression(0, where);
  expression.nodes_ = ExpressionParser(text, where).parse();
  return expression;
}

std::int64_t Expression::evaluate(const Scope& scope) const {
  return evaluateNode(nodes_.size() - 1, scope);
}

Expression Expression::bind(const Scope& scope) const {
  Expression bound = *this;
  for (Node& node : bound.nodes_) {
    if (node.operation != Operation::Name) continue;
    const auto found = scope.find(node.name);
    if (found == scope.end()) continue;
    node.operation = Operation::Constant;
    node.value = found->second;
  }
  return bound;
}

void Expression::requireNames(const Scope& known) const {
  for (const Node& node : nodes_) {
    if (node.operation == Operation::Name) lookUp(node, known);
  }
}

std::int64_t Expression::lookUp(const Node& node, const Scope& scope) const {
  const auto found = scope.find(node.name);
  if (found == scope.end()) {
    fail(node, "unknown name '" + node.name + "' in the expression; expected " + listNames(scope));
  }
  return found->second;
}

std::int64_t Expression::evaluateNode(std::size_t index, const Scope& scope) const {
  const Node& node = nodes_[index];
  switch (node.operation) {
    case Operation::Constant:
      return node.value;
    case Operation::Name:
      return lookUp(node, scope);
    case Operation::Select:
      return evaluateNode(node.operands[evaluateNode(node.operands[0], scope) != 0 ? 1 : 2], scope);
    case Operation::And:
      return evaluateNode(node.operands[0], scope) != 0 &&
             evaluateNode(node.operands[1], scope) != 0;
    case Operation::Or:
      return evaluateNode(node.operands[0], scope) != 0 ||
             evaluateNode(node.operands[1], scope) != 0;
    case Operation::Not:
      return evaluateNode(node.operands[0], scope) == 0;
    case Operation::Complement:
      return ~evaluateNode(node.operands[0], scope);
    case Operation::Negate: {
      Node subtraction = node;
      subtraction.operation = Operation::Subtract;
      return binary(subtraction, 0, evaluateNode(node.operands[0], scope));
    }
    case Operation::Absolute: {
      const std::int64_t value = evaluateNode(node.operands[0], scope);
      if (value == std::numeric_limits<std::int64_t>::min()) fail(node, "overflow of 64 bits");
      return value < 0 ? -value : value;
    }
    case Operation::SquareRoot:
      return squareRoot(node, evaluateNode(node.operands[0], scope));
    default:
      return binary(node, evaluateNode(node.operands[0], scope),
                    evaluateNode(node.operands[1], scope));
  }
}

std::int64_t Expression::squareRoot(const Node& node, std::int64_t value) const {
  if (value < 0) fail(node, "the root of " + std::to_string(value) + "; expected 0 or more");
  std::int64_t root = 0;
  for (std::int64_t bit = std::int64_t{1} << 31; bit != 0; bit >>= 1) {
    const std::int64_t tried = root | bit;
    if (tried <= value / tried) root = tried;
  }
  return root;
}

std::int64_t Expression::binary(const Node& node, std::int64_t a, std::int64_t b) const {
  std::int64_t result = 0;
  bool overflow = false;
  switch (node.operation) {
    case Operation::Add:
      overflow = __builtin_add_overflow(a, b, &result);
      break;
    case Operation::Subtract:
      overflow = __builtin_sub_overflow(a, b, &result);
      break;
    case Operation::Multiply:
      overflow = __builtin_mul_overflow(a, b, &result);
      break;
    case Operation::Divide:
    case Operation::Remainder:
      if (b == 0) fail(node, "division by zero");
      if (b == -1) {
        overflow = __builtin_sub_overflow(0, a, &result);
        if (node.operation == Operation::Remainder) return 0;
      } else {
        result = node.operation == Operation::Divide ? a / b : a % b;
      }
      break;
    case Operation::ShiftLeft:
    case Operation::ShiftRight:
      if (b < 0 || b > 63) fail(node, "shift by " + std::to_string(b) + "; expected 0 to 63");
      if (node.operation == Operation::ShiftRight) return a >> b;
      overflow = b == 63 ? a != 0 : __builtin_mul_overflow(a, std::int64_t{1} << b, &result);
      break;
    case Operation::Less:
      return a < b;
    case Operation::LessEqual:
      return a <= b;
    case Operation::Greater:
      return a > b;
    case Operation::GreaterEqual:
      return a >= b;
    case Operation::Equal:
      return a == b;
    case Operation::NotEqual:
      return a != b;
    case Operation::BitAnd:
      return a & b;
    case Operation::BitXor:
      return a ^ b;
    case Operation::BitOr:
      return a | b;
    case Operation::Minimum:
      return std::min(a, b);
    case Operation::Maximum:
      return std::max(a, b);
    default:
      break;
  }
  if (overflow) fail(node, "overflow of 64 bits");
  return result;
}

void Expression::fail(const Node& node, const std::string& what) const {
  SourceLocation where = where_;
  if (where.column != 0) where.column += node.position;
  throw InputError(where, what);
}

std::string Text::substitute(const Scope& scope, bool evaluates) const {
  const std::string_view text = pattern;
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t open = text.find_first_of("{}", at);
    result += text.substr(at, open - at);
    if (open == std::string_view::npos) break;
    if (open + 1 < text.size() && text[open + 1] == text[open]) {
      result += text[open];
      at = open + 2;
      continue;
    }
    const std::size_t close = text.find('}', open);
    if (text[open] == '}' || close == std::string_view::npos) {
      throw InputError(where, "unbalanced brace in '" + pattern +
                                  "'; expected {expression}, or {{ and }} for braces");
    }
    SourceLocation inner = where;
    if (inner.column != 0) inner.column += open + 2;  // behind the quote and the brace
    const Expression value = Expression::parse(text.substr(open + 1, close - open - 1), inner);
    value.requireNames(scope);
    const auto word = scope.words.find(text.substr(open + 1, close - open - 1));
    if (word != scope.words.end()) {
      result += word->second;
    } else if (evaluates) {
      result += std::to_string(value.evaluate(scope));
    }
    at = close + 1;
  }
  return result;
}

}  // namespace fermata::launch
