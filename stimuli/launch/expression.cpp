#include <fermata/stimuli/launch/expression.h>

#include <fmt/format.h>

#include <utility>

#include <fermata/stimuli/launch/expression_parser.h>
#include <fermata/stimuli/refuse.h>

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

std::int64_t Expression::evaluate(const Scope& scope, std::int64_t least, std::int64_t greatest,
                                  const std::string& what) const {
  const std::int64_t value = evaluate(scope);
  if (value >= least && value <= greatest) return value;
  const std::string range = greatest == INT64_MAX ? fmt::format("at least {}", least)
                                                  : fmt::format("{} to {}", least, greatest);
  throw InputError(where_, fmt::format("{} is {}; expected {}", what, value, range));
}

Expression Expression::bind(const Scope& scope) const {
  Expression bound = *this;
  for (Node& node : bound.nodes_) {
    if (node.kind != Kind::Name) continue;
    const auto found = scope.find(node.name);
    if (found == scope.end()) continue;
    node.kind = Kind::Constant;
    node.value = found->second;
  }
  return bound;
}

void Expression::requireNames(const Scope& known) const {
  for (const Node& node : nodes_) {
    if (node.kind == Kind::Name) lookUp(node, known);
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
  const auto operand = [&](std::size_t i) { return evaluateNode(node.operands[i], scope); };
  switch (node.kind) {
    case Kind::Constant:
      return node.value;
    case Kind::Name:
      return lookUp(node, scope);
    case Kind::And:
      return operand(0) != 0 && operand(1) != 0;
    case Kind::Or:
      return operand(0) != 0 || operand(1) != 0;
    case Kind::Select:
      return operand(operand(0) != 0 ? 1 : 2);
    case Kind::Computed:
      break;
  }
  const std::int64_t a = operand(0);
  const std::int64_t b = node.operands.size() > 1 ? operand(1) : 0;
  try {
    return node.compute(a, b);
  } catch (const Failure& failure) {
    fail(node, failure.what);
  }
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
      refuse(where,
             "unbalanced brace in '{}'; expected {{expression}}, or {{{{ and }}}} for braces",
             pattern);
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
