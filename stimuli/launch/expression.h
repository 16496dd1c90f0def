// Integer expressions of launch files: sizes and scalars over parameters and loop variables.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <fermata/stimuli/input_error.h>

namespace fermata::launch {

/// Names that an expression may use, and their values. `count(b)` names the element count of buffer
/// b, `width(p)` the width of image p, `'word'` the number that stands for a word.
struct Scope : std::map<std::string, std::int64_t, std::less<>> {
  using map::map;

  /// Sets the name to the number of the word, and to the word itself where texts use the name.
  void setWord(const std::string& name, const std::string& word);

  /// Values of the names that hold a word; `{name}` in a text stands for that word.
  std::map<std::string, std::string, std::less<>> words;
};

/// An expression in signed 64-bit arithmetic, with the operators and the precedence of C: ?: || &&
/// | ^ & == != < <= > >= << >> + - * / % unary - ! ~, parentheses, decimal and 0x numbers, names,
/// words in single quotes, and the functions min(a, b), max(a, b), abs(a), sqrt(a), count(buffer),
/// width(image), height(image), bits(image), edges(image). Division and square root truncate
/// towards zero. Overflow, division by zero, the root of a negative number and shifts outside 0..63
/// are errors.
class Expression {
 public:
  /// Makes a constant.
  explicit Expression(std::int64_t value = 0, SourceLocation where = {});
  /// Parses `text`; `where` is the place of its first character. Throws InputError.
  static Expression parse(std::string_view text, const SourceLocation& where);

  /// Returns the value. Throws InputError at the place of the expression.
  std::int64_t evaluate(const Scope& scope) const;
  /// Returns the values for `name` = first, first + 1 and so on, `count` of them; an empty list:
  /// some part has no value there, although the expression may have one. Faster than evaluate().
  /// Precondition: `name` is the only name in the expression.
  std::vector<std::int64_t> evaluateEach(std::string_view name, std::int64_t first,
                                         std::size_t count) const;
  /// Returns the value of `what`. Throws InputError, too, unless it is between `least` and
  /// `greatest`.
  std::int64_t evaluate(const Scope& scope, std::int64_t least, std::int64_t greatest,
                        const std::string& what) const;
  /// Returns the expression with the names that `scope` knows replaced by their values, which is
  /// faster to evaluate often.
  Expression bind(const Scope& scope) const;
  /// Throws InputError if the expression uses a name that `known` does not hold.
  void requireNames(const Scope& known) const;

  const SourceLocation& where() const { return where_; }

  /// Computes a value of one or two operands. Throws Failure.
  using Compute = std::int64_t (*)(std::int64_t a, std::int64_t b);
  struct Failure {
    std::string what;
  };
  /// `And` and `Or` evaluate their second operand only if it matters, `Select` only one of two.
  enum class Kind : std::uint8_t { Constant, Name, Computed, And, Or, Select };
  /// A node of the tree; operands are indices of nodes that stand before it.
  struct Node {
    Kind kind = Kind::Constant;
    std::int64_t value = 0;
    std::string name;
    Compute compute = nullptr;
    std::vector<std::size_t> operands;
    std::size_t position = 0;  ///< offset in the text
  };

 private:
  std::int64_t evaluateNode(std::size_t index, const Scope& scope) const;
  std::int64_t lookUp(const Node& node, const Scope& scope) const;
  [[noreturn]] void fail(const Node& node, const std::string& what) const;

  std::vector<Node> nodes_;  ///< the last one is the root
  SourceLocation where_;
};

/// A text with expressions in it, for names that depend on parameters. Each {expression} stands for
/// its value; a name alone whose value is a word stands for that word. {{ and }} stand for braces.
struct Text {
  std::string pattern;
  SourceLocation where;  ///< place of the value in the file: its opening quote

  bool empty() const { return pattern.empty(); }
  /// Returns the text with its expressions evaluated. Throws InputError if an expression does, or
  /// for a brace without its partner.
  std::string in(const Scope& scope) const { return substitute(scope, true); }
  /// Throws InputError if the syntax is wrong or a name is not in `known`.
  void check(const Scope& known) const { substitute(known, false); }

 private:
  std::string substitute(const Scope& scope, bool evaluates) const;
};

}  // namespace fermata::launch
