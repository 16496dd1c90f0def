// Messages about input of extreme size.
#include <fermata/platforms/program/caught.h>
#include <fermata/platforms/program/error_text.h>
#include <new>
#include "tests/support/program.h"

using namespace fermata;
using namespace fermata::platforms;
using namespace fermata::test;

namespace {

template <class Act>
Caught caughtFrom(Act act) {
  try {
    act();
  } catch (...) {
    return caught();
  }
  return {};
}

const char* const kNumbers[] = {"run gtx480 stride --budget",
                                "search --platform gtx480 stride --budget",
                                "search --platform gtx480 stride --effort",
                                "search --platform gtx480 stride --weights",
                                "search --platform gtx480 stride --max-banks",
                                "search --platform gtx480 stride --banks",
                                "search --platform gtx480 stride --words",
                                "map 'mod 32' --words",
                                "map 'mod 32' --banks",
                                "softhash transpose 'perm k=1' --words",
                                "softhash transpose 'perm k=1' --banks"};

/// Positions of a user's text, marked by V.
const char* const kTexts[] = {"V",
                              "run V stride",
                              "run gtx480 V",
                              "run gtx480 V.toml",
                              "run gtx480 V.csv",
                              "run V",
                              "check V",
                              "run gtx480 stride --wave V.vcd --timeline /a.vcd",
                              "run gtx480 stride --set V",
                              "run gtx480 stride --set V=1",
                              "run gtx480 stride --set scratchpad.indexer=V",
                              "run gtx480 stride --set scratchpad.latency=V",
                              "run gtx480 stride --param V=1",
                              "run gtx480 stride --param stride=V",
                              "run gtx480 pattern-random --param ctas=V",
                              "run gtx480 stride --budget V",
                              "run gtx480 stride --record V.csv",
                              "run gtx480 stride --record V",
                              "run gtx480 stride --out V",
                              "run gtx480 transpose --software-hash V",
                              "map V",
                              "map 'mod 32' --warp V",
                              "search V",
                              "search --platform gtx480 stride --class V",
                              "search --platform gtx480 stride --method V",
                              "search --access V",
                              "study V",
                              "softhash transpose V"};

}  // namespace

BOOST_AUTO_TEST_SUITE(words)

BOOST_DATA_TEST_CASE(a_number_that_does_not_fit_is_refused, bdata::make(kNumbers), command) {
  for (const char* number :
       {"0", "-1", "99999999999999999999999", "1e99", "0x10", "1.5", "x", ""}) {
    const Outcome outcome = runProgram(std::string(command) + " '" + number + "'").refused();
    const std::string expected =
        "it is '" + std::string(number) + "'; expected a whole number from 1 to ";
    outcome.says(expected);
    BOOST_TEST(outcome.text.size() < 300U);
  }
}

BOOST_AUTO_TEST_CASE(a_number_is_decimal) {
  BOOST_TEST(runProgram("map 'mod 32' --words 0096 --csv").text ==
             runProgram("map 'mod 32' --words 96 --csv").text);
  runProgram("search --platform gtx480 stride --seed 0").ok();
  runProgram("search --platform gtx480 stride --seed -1").refused();
}

BOOST_DATA_TEST_CASE(a_long_text_is_not_repeated_whole, bdata::make(kTexts), command) {
  std::string arguments = command;
  arguments.replace(arguments.find('V'), 1, std::string(100000, 'v'));
  const Outcome outcome =
      runProgram(arguments).refused("fermata: error: ", " bytes left out) ... ");
  BOOST_TEST(outcome.text.size() < 2500U);
}

BOOST_AUTO_TEST_CASE(a_readable_text_keeps_its_ends_and_its_lines) {
  BOOST_TEST(readable("short\ttext\nof two lines") == "short\ttext\nof two lines");
  BOOST_TEST(readable("\x1b[31mred\r") == "?[31mred?");
  const std::string word = readable("bad 'b" + std::string(1000, 'x') + "e'; expected a word");
  BOOST_TEST(word.substr(0, 10) == "bad 'bxxxx");
  BOOST_TEST(has(word, "xe'; expected a word"));
  BOOST_TEST(word.size() < 300U);
  std::string line;
  for (unsigned i = 0; i < 10000; ++i) line += "word ";
  const std::string cut = readable("first\n" + line + "; expected less");
  BOOST_TEST(cut.substr(0, 11) == "first\nword ");
  BOOST_TEST(has(cut, "; expected less"));
  BOOST_TEST(cut.size() < 2200U);
}

// A multi-byte character is kept or dropped as a whole.
BOOST_AUTO_TEST_CASE(a_readable_text_cuts_no_character) {
  for (unsigned shift = 0; shift < 4; ++shift) {
    std::string text(shift, 'a');
    for (unsigned i = 0; i < 300; ++i) text += "\xe2\x82\xac";
    const std::string cut = readable(text);
    std::size_t whole = shift;
    while (cut.compare(whole, 3, "\xe2\x82\xac") == 0) whole += 3;
    BOOST_TEST(cut.compare(whole, 4, " ...") == 0);
    BOOST_TEST(cut.substr(cut.rfind(' ') + 1).size() % 3 == 0U);
  }
}

BOOST_AUTO_TEST_CASE(memory_that_runs_out_is_said_in_words) {
  const Caught none = caughtFrom([] { throw std::bad_alloc(); });
  BOOST_TEST(!none.badInput);
  BOOST_TEST(has(none.what, "more memory than there is"));
  const Caught large = caughtFrom([] {
    std::vector<int> many;
    many.reserve(many.max_size() + 1);
  });
  BOOST_TEST(large.what == none.what);
}

BOOST_AUTO_TEST_SUITE_END()
