// Integer expressions of launch files: sizes and scalars over parameters and loop variables.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <fermata/stimuli/input_error.h>

namespace fermata::launch {

/// Names that an expression may use, and their values. `count(b)` is the name of the element count
/// of buffer b, `width(p)` of the width of image p, `'word'` of the number that stands for a word.
struct Scope : std::map<std::string, std::int64_t, std::less<>> {
  using map::map;

  /// Gives the name the number of the word, and the word in texts.
  void setWord(const std::string& name, const std::string& word);

  /// Of names whose value is a word: what `{name}` of a text stands for.
  std::map<std::string, std::string, std::less<>> words;
};

/// An expression in signed 64-bit arithmetic, with the operators and the precedence of C:
/// ?: || && | ^ & == != < <= > >= << >> + - * / % unary - ! ~, parentheses, decimal and 0x numbers,
/// names, words in single quotes, and the functions min(a, b), max(a, b), abs(a), sqrt(a),
/// count(buffer), width(image), height(image), bits(image), edges(image). Division truncates
/// towards zero, and so does the root. Overflow, division by zero, roots of what is negative and
/// shifts out of 0..63 are errors.
class Expression {
 public:
  /// A constant.
  explicit Expression(std::int64_t value = 0, SourceLocation where = {});
  /// Throws InputError; `where` is the place of the first character of `text`.
  static Expression parse(std::string_view text, const SourceLocation& where);

  /// Throws InputError at the place of the expression.
  std::int64_t evaluate(const Scope& scope) const;
  /// The same expression with the names that `scope` knows replaced by their values: faster to
  /// evaluate often.
  Expression bind(const Scope& scope) const;
  /// Throws InputError if the expression uses a name that `known` does not hold.
  void requireNames(const Scope& known) const;

  const SourceLocation& where() const { return where_; }

  enum class Operation : std::uint8_t {
    Constant,
    Name,
    Negate,
    Not,
    Complement,
    Absolute,
    SquareRoot,
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    ShiftLeft,
    ShiftRight,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    NotEqual,
    BitAnd,
    BitXor,
    BitOr,
    And,
    Or,
    Minimum,
    Maximum,
    Select,
  };
  /// A node of the tree; operands are indices of nodes that stand before it.
  struct Node {
    Operation operation = Operation::Constant;
    std::int64_t value = 0;
    std::string name;
    std::size_t operands[3] = {0, 0, 0};
    std::size_t position = 0;  ///< in the text
  };

 private:
  std::int64_t evaluateNode(std::size_t index, const Scope& scope) const;
  std::int64_t squareRoot(const Node& node, std::int64_t value) const;
  std::int64_t lookUp(const Node& node, const Scope& scope) const;
  std::int64_t binary(const Node& node, std::int64_t a, std::int64_t b) const;
  [[noreturn]] void fail(const Node& node, const std::string& what) const;

  std::vector<Node> nodes_;  ///< the last one is the root
  SourceLocation where_;
};

/// A text with expressions in it, for names that depend on parameters: each {expression} stands for
/// its value, the name of a word alone for the word; {{ and }} stand for braces.
struct Text {
  std::string pattern;
  SourceLocation where;  ///< of the value in the file: its opening quote

  bool empty() const { return pattern.empty(); }
  /// Throws InputError: what an expression throws, or a brace without its partner.
  std::string in(const Scope& scope) const { return substitute(scope, true); }
  /// Throws InputError when the syntax is wrong or a name is none of `known`.
  void check(const Scope& known) const { substitute(known, false); }

 private:
  std::string substitute(const Scope& scope, bool evaluates) const;
};

}  // namespace fermata::launch
