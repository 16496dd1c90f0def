// Inputs of 128 bits of assembly become two of 64.
#include <boost/test/unit_test.hpp>

#include <string>

#include <fermata/platforms/program/cc/source_wide_operands.h>

namespace {

using fermata::platforms::withWideOperands;

/// Returns an operand that holds the high half of an expression.
std::string high(const std::string& value) {
  return ", \"l\"((unsigned long long)((unsigned __int128)(" + value + ") >> 64))";
}
std::string low(const std::string& value) {
  return "\"l\"((unsigned long long)(" + value + "))";
}

}  // namespace

BOOST_AUTO_TEST_SUITE(source_wide_operands)

BOOST_AUTO_TEST_CASE(inputs_become_two) {
  BOOST_TEST(withWideOperands("asm volatile(\"st.b128 [%0], %1;\" :: \"l\"(p), \"q\"(v));") ==
             "asm volatile(\"{ .reg .b128 fermata_q1; mov.b128 fermata_q1, {%1, %2}; st.b128 [%0], "
             "fermata_q1; }\" :: \"l\"(p), " +
                 low("v") + high("v") + ");");
  // Others behind it keep their numbers; the statement may have several literals and clobbers.
  BOOST_TEST(
      withWideOperands("asm(\"a %0, %1;\"\n\"b %10, %2;\" : \"=r\"(x) : \"q\"(f(1, 2)), \"r\"(y) : "
                       "\"memory\");") ==
      "asm(\"{ .reg .b128 fermata_q1; mov.b128 fermata_q1, {%1, %3}; a %0, "
      "fermata_q1;\"\n\"b %10, %2; }\" : \"=r\"(x) : " +
          low("f(1, 2)") + ", \"r\"(y)" + high("f(1, 2)") + " : \"memory\");");
}

BOOST_AUTO_TEST_CASE(others_stay) {
  for (const std::string source :
       {"asm(\"st.b64 [%0], %1;\" :: \"l\"(p), \"l\"(v)); f(\"q\");",
        "asm(\"ld.b128 %0, [%1];\" : \"=q\"(v) : \"q\"(p));",
        "asm(\"st.b128 [%0], %[v];\" :: \"l\"(p), [v] \"q\"(v));", "asm(\"q\""})
    BOOST_TEST(withWideOperands(source) == source);
}

BOOST_AUTO_TEST_SUITE_END()
