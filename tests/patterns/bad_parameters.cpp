// Unknown patterns and parameters, bad values, and their error messages.
#include <fermata/stimuli/patterns/patterns.h>

#include "tests/support/refusals.h"

using namespace fermata;

namespace {

struct Bad {
  const char* pattern;
  std::map<std::string, std::string> parameters;
  const char* what;
  const char* expected;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(bad_parameters)

BOOST_AUTO_TEST_CASE(are_refused_with_what_would_be_right) {
  const std::vector<Bad> table{
      {"stride", {}, "unknown pattern 'stride'", "genindex, pattern-stride"},
      {"genindex", {{"ways", "4"}}, "unknown parameter 'ways'", "way, stride, repeat, threads"},
      {"genindex", {{"operation", "store"}}, "unknown parameter 'operation'", "way"},
      {"genindex", {{"way", "33"}}, "way='33'", "0 to 32"},
      {"genindex", {{"way", "-1"}}, "way='-1'", "0 to 32"},
      {"genindex", {{"way", ""}}, "way=''", "whole number"},
      {"genindex", {{"way", "4x"}}, "way='4x'", "whole number"},
      {"genindex", {{"repeat", "0"}}, "repeat='0'", "from 1"},
      {"genindex", {{"threads", "1025"}}, "threads='1025'", "1 to 1024"},
      {"genindex", {{"threads", "0"}}, "threads='0'", "1 to 1024"},
      {"genindex", {{"ctas", "99999999999999999999"}}, "ctas=", "whole number"},
      {"genindex", {{"stride", "1048576"}}, "elements 0 to 32505856", "0 to 1048575"},
      {"genindex", {{"fill", "yes"}}, "fill='yes'", "0 to 1"},
      {"genindex", {{"compute", "-1"}}, "compute='-1'", "0 to 1024"},
      {"pattern-stride", {{"stride", "-1"}}, "elements -31 to 0", "all from 0"},
      {"pattern-stride", {{"bytes", "3"}}, "bytes='3'", "4, 8, 16"},
      {"pattern-stride", {{"operation", "swap"}}, "operation='swap'", "load, store, atomic"},
      {"pattern-stride", {{"operation", "atomic"}, {"bytes", "8"}}, "bytes=8", "bytes=4"},
      {"pattern-stride",
       {{"operation", "store"}, {"dependent", "1"}},
       "dependent=1",
       "operation=load"},
      {"pattern-stride",
       {{"operation", "atomic"}, {"form", "count"}, {"dependent", "1"}},
       "form=count",
       "another form"},
      {"pattern-stride", {{"sum", "1"}, {"operation", "store"}}, "sum=1", "expected loads"},
      {"pattern-stride", {{"sum", "1"}, {"dependent", "1"}}, "dependent=1", "expected loads"},
      {"pattern-stride", {{"form", "count"}}, "operation=load", "operation=atomic"},
      {"pattern-stride", {{"operation", "atomic"}, {"form", "spin"}}, "form=spin", "plain|count"},
      {"pattern-stride", {{"operation", "atomic"}, {"form", "wide"}}, "bytes=4", "bytes=8"},
      {"pattern-block", {{"cols", "0"}}, "cols='0'", "from 1"},
      {"pattern-block", {{"width", "0"}}, "width='0'", "1 to 1024"},
      {"pattern-block", {{"o0", "-1"}}, "elements -16", "all from 0"},
      {"pattern-random", {{"words", "0"}}, "words='0'", "1 to 1048576"},
      {"pattern-random", {{"seed", "-3"}}, "seed='-3'", "whole number"},
      {"pattern-conflict", {{"degree", "33"}}, "degree='33'", "1 to 32"},
      {"pattern-conflict", {{"degree", "2"}, {"banks", "8"}}, "needs 16 banks", "at least"},
      {"pattern-walk", {{"step", "-1"}}, "step='-1'", "0 to 134217728"},
      {"pattern-walk", {{"words", "0"}}, "words='0'", "1 to 134217728"},
      {"pattern-walk",
       {{"ctas", "100000"}, {"cta_apart", "4096"}},
       "the walks of 100000 CTAs",
       "fewer ctas"},
      {"pattern-broadcast", {{"distinct", "0"}}, "distinct='0'", "1 to 32"},
  };
  for (const Bad& bad : table) {
    BOOST_TEST_CONTEXT(bad.what)
    test::refuses([&] { patterns::openPattern(bad.pattern, bad.parameters); }, bad.what,
                  bad.expected);
  }
}

BOOST_AUTO_TEST_CASE(the_list_is_what_opens) {
  BOOST_TEST(patterns::listPatterns().size() == 7U);
  for (const auto& entry : patterns::listPatterns()) {
    BOOST_TEST(!entry.description.empty());
    std::map<std::string, std::string> all;
    for (const auto& parameter : entry.parameters) {
      BOOST_TEST(!parameter.description.empty());
      BOOST_TEST(all.emplace(parameter.name, parameter.defaultValue).second);
    }
    BOOST_CHECK_NO_THROW(patterns::openPattern(entry.name, {}));
    BOOST_CHECK_NO_THROW(patterns::openPattern(entry.name, all));
  }
}

BOOST_AUTO_TEST_SUITE_END()
