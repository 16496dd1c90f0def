// Texts in gnuplot scripts: gnuplot prints the text as meant and executes none of it.
#include <fermata/results/gnuplot.h>

#include "tests/support/temporary_folder.h"
#include "tests/support/test.h"

using namespace fermata;
using results::gnuplotText;

BOOST_AUTO_TEST_SUITE(gnuplot)

BOOST_AUTO_TEST_CASE(a_text_is_quoted) {
  BOOST_TEST(gnuplotText("") == "\"\"");
  BOOST_TEST(gnuplotText("it's") == "\"it's\"");
  BOOST_TEST(gnuplotText("a \"b\" \\n") == "\"a \\\"b\\\" \\\\n\"");
  BOOST_TEST(gnuplotText("a\nb") == "\"a b\"");
  BOOST_TEST(gnuplotText("`ls`") == "\"\\`ls\\`\"");
}

BOOST_AUTO_TEST_CASE(gnuplot_reads_the_same_text) {
  const test::TemporaryFolder folder;
  const std::string texts[] = {"plain",         "it's \"quoted\"", "C:\\new\\table",
                               "`touch run`",   "\\`touch run`",   "$(touch run) @x #y",
                               "{/Symbol a}_1", "100 % of %g",     "\"; system \"touch run\"; \""};
  std::string script = "set print '-'\n";
  for (const std::string& text : texts) script += "print " + gnuplotText(text) + "\n";
  folder.put("texts.gp", script);
  const std::string command =
      "cd '" + folder.path().string() + "' && '" FERMATA_GNUPLOT "' texts.gp 2>&1";
  FILE* const pipe = popen(command.c_str(), "r");
  BOOST_TEST_REQUIRE(pipe != nullptr);
  std::string said;
  for (int c = 0; (c = std::fgetc(pipe)) != EOF;) said += static_cast<char>(c);
  BOOST_TEST(pclose(pipe) == 0);
  std::string expected;
  for (const std::string& text : texts) expected += text + "\n";
  BOOST_TEST(said == expected);
  BOOST_TEST(folder.entries() == 1U);
}

BOOST_AUTO_TEST_SUITE_END()
