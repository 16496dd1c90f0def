#include <fermata/stimuli/launch/expression.h>

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
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

using Values = std::vector<std::int64_t>;

/// Sets `into` to the values of a node, from those of its operands. Returns false if one has none.
bool computeEach(const Expression::Node& node, const Values& a, const Values& b, const Values& c,
                 Values& into) {
  using Kind = Expression::Kind;
  const auto each = [&](auto value) {
    for (std::size_t i = 0; i < into.size(); ++i) into[i] = value(i);
    return true;
  };
  if (node.kind == Kind::And) return each([&](std::size_t i) { return a[i] != 0 && b[i] != 0; });
  if (node.kind == Kind::Or) return each([&](std::size_t i) { return a[i] != 0 || b[i] != 0; });
  if (node.kind == Kind::Select)
    return each([&](std::size_t i) { return a[i] != 0 ? b[i] : c[i]; });
  const bool one = node.operands.size() == 1;
  try {
    return each([&](std::size_t i) { return node.compute(a[i], one ? 0 : b[i]); });
  } catch (const Expression::Failure&) {
    return false;
  }
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

std::vector<std::int64_t> Expression::evaluateEach(std::string_view name, std::int64_t first,
                                                   std::size_t count) const {
  std::vector<std::vector<std::int64_t>> values(nodes_.size());
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    const Node& node = nodes_[n];
    values[n].assign(count, node.value);
    if (node.kind == Kind::Constant) continue;
    if (node.kind == Kind::Name) {
      if (node.name != name) return {};
      std::iota(values[n].begin(), values[n].end(), first);
      continue;
    }
    const auto operand = [&](std::size_t o) -> const std::vector<std::int64_t>& {
      return values[node.operands[std::min(o, node.operands.size() - 1)]];
    };
    if (!computeEach(node, operand(0), operand(1), operand(2), values[n])) return {};
  }
  return values.back();
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
