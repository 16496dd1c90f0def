// Recursive descent over the text of an expression; used only by Expression::parse.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <fermata/stimuli/launch/expression.h>

namespace fermata::launch {

class ExpressionParser {
 public:
  ExpressionParser(std::string_view text, const SourceLocation& where)
      : text_(text), where_(where) {}
  /// Returns the nodes in evaluation order, the root last. Throws InputError.
  std::vector<Expression::Node> parse();

 private:
  std::size_t conditional();
  std::size_t binary(unsigned level);
  std::size_t unary();
  std::size_t primary();
  std::size_t number();
  std::size_t nameOrCall();
  std::size_t word();
  std::size_t call(const std::string& name, std::size_t position);
  std::string identifier();

  std::size_t add(Expression::Kind kind, Expression::Compute compute, std::size_t position,
                  std::vector<std::size_t> operands);
  std::size_t addName(std::string name, std::size_t position);
  void skipSpace();
  bool accept(std::string_view symbol);
  void expect(char symbol);
  [[noreturn]] void fail(std::size_t position, const std::string& what) const;

  static constexpr std::size_t kMaxNodes = 1000;
  static constexpr unsigned kMaxDepth = 64;

  std::string_view text_;
  SourceLocation where_;
  std::size_t at_ = 0;
  unsigned depth_ = 0;
  std::vector<Expression::Node> nodes_;
};

}  // namespace fermata::launch
