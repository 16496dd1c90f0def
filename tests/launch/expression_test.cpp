#include <fermata/stimuli/launch/expression.h>

#include "tests/launch/support.h"

namespace fermata::launch {
namespace {

const Scope kScope = {{"n", 128}, {"tile", 32}, {"k", -3}, {"count(in)", 77}};

std::int64_t evaluate(const std::string& text) {
  return Expression::parse(text, {"f.toml", 3, 10}).evaluate(kScope);
}

BOOST_AUTO_TEST_SUITE(expression)

BOOST_AUTO_TEST_CASE(follows_the_precedence_of_c) {
  const std::vector<std::pair<std::string, std::int64_t>> cases = {
      {"42", 42},
      {"0x1F", 31},
      {" n / tile ", 4},
      {"1 + 2 * 3", 1 + 2 * 3},
      {"(1 + 2) * 3", 9},
      {"10 - 4 - 3", 3},
      {"100 / 7 / 2", 7},
      {"-7 / 2", -7 / 2},
      {"-7 % 3", -7 % 3},
      {"7 % -3", 7 % -3},
      {"1 << 2 + 1", 8},
      {"-16 >> 2", -4},
      {"1 | 6 & 3 ^ 8", 1 | ((6 & 3) ^ 8)},
      {"3 < 4 == 1", 1},
      {"n >= 128 && tile != 32 || k < 0", 1},
      {"2 <= 1", 0},
      {"5 > 4", 1},
      {"!n", 0},
      {"!!n", 1},
      {"~0", -1},
      {"- -5", 5},
      {"abs(k) + min(3, 2) + max(n, tile)", 3 + 2 + 128},
      {"count(in) * 2", 154},
      {"count( in )", 77},
      {"n == 128 ? 1 : 0 ? 2 : 3", 1},
      {"0 ? 1 / 0 : 9", 9},
      {"0 && 1 / 0", 0},
      {"1 || 1 / 0", 1},
      {"9223372036854775807", INT64_MAX},
      {"-9223372036854775807 - 1", INT64_MIN},
      {"(-9223372036854775807 - 1) % -1", 0},
  };
  for (const auto& [text, expected] : cases) BOOST_TEST(evaluate(text) == expected, text);
}

BOOST_AUTO_TEST_CASE(values_of_many_numbers_are_those_of_each) {
  const std::vector<std::string> texts = {"7",
                                          "i",
                                          "-i * 3 + 2",
                                          "i <= 5 ? -2 * i : i % 3 == 0 ? 4 : 0",
                                          "i > 3 && i < 9 || !i",
                                          "min(i, 4) << 1"};
  for (const std::string& text : texts) {
    const Expression expression = Expression::parse(text, {});
    const std::vector<std::int64_t> values = expression.evaluateEach("i", -2, 12);
    BOOST_TEST_REQUIRE(values.size() == 12U, text);
    for (std::int64_t k = 0; k < 12; ++k)
      BOOST_TEST(values[static_cast<std::size_t>(k)] == expression.evaluate({{"i", k - 2}}), text);
  }
}

BOOST_AUTO_TEST_CASE(many_numbers_have_no_values_where_a_part_has_none) {
  const Expression guarded = Expression::parse("i == 0 ? 0 : 6 / i", {});
  BOOST_TEST(guarded.evaluateEach("i", 0, 3).empty());
  BOOST_TEST(guarded.evaluateEach("i", 1, 3).size() == 3U);
  BOOST_TEST(Expression::parse("n", {}).evaluateEach("i", 0, 3).empty());
}

BOOST_AUTO_TEST_CASE(refuses_what_is_no_expression) {
  const std::vector<Refusal> cases = {
      {"", "f.toml:3:10: the expression ends early"},
      {"1 +", "f.toml:3:13: the expression ends early"},
      {"1 2", "f.toml:3:12: unexpected '2'"},
      {"(1", "expected ')'"},
      {"1 ? 2", "expected ':'"},
      {"a.b", "f.toml:3:11: unexpected '.b'"},
      {"$", "unexpected '$'"},
      {"12ab", "not a number"},
      {"0x", "no digits behind 0x"},
      {"9223372036854775808", "does not fit"},
      {"cbrt(8)",
       "unknown function 'cbrt'; expected min, max, abs, sqrt, count, width, height, bits or "
       "edges"},
      {"sqrt(n - 129)", "the root of -1; expected 0 or more"},
      {"'grey", "f.toml:3:10: a word without an end"},
      {"1 + 'grey'", "f.toml:3:14: unknown name ''grey'' in the expression"},
      {"width(", "no name here"},
      {"min(1)", "expected ','"},
      {"count(4)", "no name here"},
      {"m + 1",
       "f.toml:3:10: unknown name 'm' in the expression; expected one of count(in), k, n, tile"},
      {"1 / (n - 128)", "f.toml:3:12: division by zero"},
      {"1 % 0", "division by zero"},
      {"1 << 64", "shift by 64; expected 0 to 63"},
      {"1 >> -1", "shift by -1"},
      {"9223372036854775807 + 1", "overflow"},
      {"9223372036854775807 * 2", "overflow"},
      {"1 << 63", "overflow"},
      {"(-9223372036854775807 - 1) / -1", "overflow"},
      {"-(-9223372036854775807 - 1)", "overflow"},
      {"abs(-9223372036854775807 - 1)", "overflow"},
      {std::string(200, '('), "nested too deeply"},
      {std::string(200, '-') + "1", "nested too deeply"},
      {"1" + std::string(100, '?'), "expected a number"},
  };
  refusesAll(cases, [&](const std::string& text) { evaluate(text); });
  std::string sum = "1";
  for (int i = 0; i < 2000; ++i) sum += " + 1";
  refuses([&] { evaluate(sum); }, "too long");
}

BOOST_AUTO_TEST_CASE(binding_replaces_known_names_only) {
  const auto formula = Expression::parse("i * n + k", {}).bind({{"n", 10}, {"k", 4}});
  for (std::int64_t i = 0; i < 5; ++i) BOOST_TEST(formula.evaluate({{"i", i}}) == i * 10 + 4);
  refuses([&] { formula.evaluate({}); }, "unknown name 'i'");
}

BOOST_AUTO_TEST_CASE(names_take_values_in_braces) {
  const auto value = [](const std::string& text) { return Text{text, {}}.in(kScope); };
  BOOST_TEST(value("transpose_{tile}_{n / tile}") == "transpose_32_4");
  BOOST_TEST(value("plain") == "plain");
  BOOST_TEST(value("{{{tile}}}") == "{32}");
  BOOST_TEST(value("a{{b}}c") == "a{b}c");
  for (const char* text : {"a{n", "a}b", "{", "a{}b", "{x}", "{{}"}) refusal([&] { value(text); });
}

BOOST_AUTO_TEST_CASE(roots_are_rounded_down) {
  for (const std::int64_t root : {1, 2, 3, 181, 65535, 1 << 20}) {
    const std::int64_t square = root * root;
    BOOST_TEST(evaluate("sqrt(" + std::to_string(square) + ")") == root);
    BOOST_TEST(evaluate("sqrt(" + std::to_string(square - 1) + ")") == root - 1);
    BOOST_TEST(evaluate("sqrt(" + std::to_string(square + 2 * root) + ")") == root);
  }
  BOOST_TEST(evaluate("sqrt(0)") == 0);
  BOOST_TEST(evaluate("sqrt(9223372036854775807)") == 3037000499);
}

BOOST_AUTO_TEST_CASE(words_have_numbers_of_their_own) {
  Scope scope;
  scope["n"] = 1;
  scope.setWord("colour", "red");
  scope.setWord("colour", "blue");
  scope.setWord("other", "red");
  const auto valueOf = [&](const std::string& text) {
    return Expression::parse(text, {"f.toml", 1, 1}).evaluate(scope);
  };
  BOOST_TEST(valueOf("colour == 'blue'") == 1);
  BOOST_TEST(valueOf("colour == 'red'") == 0);
  BOOST_TEST(valueOf("other == 'red' && other != colour") == 1);
  BOOST_TEST((Text{"{colour}_{other}_{n}", {}}.in(scope) == "blue_red_1"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace fermata::launch
