// Worked examples of papers: layouts, degrees and choices of searches, beside their claims.
#include <fermata/platforms/program/study/study_examples.h>
#include "tests/study/support.h"

using namespace fermata;
using namespace fermata::platforms;
using namespace fermata::platforms::test;

namespace {

const std::string kExamples = kHead + "kind = 'examples'\n";
const std::string kClaim = "[[example]]\nclaim = 'seznec.fig2'\n";

ComparedFigure exampleOf(const std::string& text) {
  return compareExamples(readStudy(kExamples + kClaim + text)).at(0);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(study_examples)

BOOST_AUTO_TEST_CASE(of_papers_are_what_they_print) {
  for (const char* name : {"seznec-figures", "xor-examples"}) {
    const auto figures = compareExamples(openStudy(name));
    BOOST_TEST(!figures.empty());
    for (const ComparedFigure& figure : figures) {
      if (figure.ours) {
        BOOST_TEST(*figure.ours == figure.published.value(), figure.id);
      } else {
        BOOST_TEST(figure.oursText == figure.text, figure.id);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(draw_a_layout_by_row) {
  BOOST_TEST(exampleOf("of = 'layout'\nmapping = 'ami 3'\nwords = 7\n").oursText ==
             "0 1 2 | 3 4 5 | 6 . .");
  BOOST_TEST(exampleOf("of = 'layout'\nmapping = 'fixed-xor'\nbanks = 2\nwords = 4\n").oursText ==
             "0 1 | 3 2");
}

BOOST_AUTO_TEST_CASE(count_the_worst_access) {
  BOOST_TEST(
      exampleOf("of = 'degree'\nmapping = 'mod 8'\naccesses = ['stride 1', 'words 0,8,17']\n")
          .ours.value() == 4.0);
  BOOST_TEST(
      exampleOf("of = 'degree'\nmapping = 'mod 8'\naccesses = ['words 0,8,17']\n").ours.value() ==
      2.0);
  BOOST_TEST(
      exampleOf(
          "of = 'degree'\nmapping = 'mod 32'\naccesses = ['threads=4 cols=1 matrix=0,0,0,16']\n")
          .ours.value() == 2.0);
}

BOOST_AUTO_TEST_CASE(say_whether_texts_differ) {
  std::ostringstream out;
  printFigures({exampleOf("of = 'layout'\nmapping = 'ami 5'\nwords = 20\n")}, out);
  BOOST_TEST(has(out.str(), "differs"));
  std::ostringstream same;
  printFigures({exampleOf("of = 'layout'\nmapping = 'seznec 5'\nwords = 20\n")}, same);
  BOOST_TEST(!has(same.str(), "differs"));
}

BOOST_AUTO_TEST_CASE(are_refused_with_their_place) {
  const std::string head = kExamples + kClaim;
  refuses(kHead + "kind = 'facts'\n" + kClaim, "4:1: an example; expected kind = \"examples\"");
  refuses(head + "of = 'colour'\n", "unknown figure 'colour'");
  refuses(head + "of = 'layout'\n", "an example lacks 'mapping'");
  refuses(head + "of = 'degree'\nmapping = 'mod 32'\n", "no 'accesses'");
  refuses(head + "of = 'candidates'\naccesses = ['stride 4']\n", "lacks 'search'");
  refuses(head + "of = 'address_bits'\naccesses = ['stride 4']\nsearch = 'xor.pruned'\n",
          "it does not choose single address bits; expected bits.METHOD");
  refuses(head + "of = 'layout'\nmapping = 'mod 4'\nwords = 0\n", "'words' is 0; expected 1 to");
  refuses(head + "of = 'layout'\nmapping = 'mod 4'\nsize = 3\n", "unknown key 'size'");
  const std::string said = messageOf([] { exampleOf("of = 'layout'\nmapping = 'mod 3'\n"); });
  BOOST_TEST(begins(said, "mine.toml:4:1: "), said);
}

BOOST_AUTO_TEST_SUITE_END()
