// Manual pages say what the help says, and troff takes them.
#include "tests/support/program.h"

using namespace fermata::test;

namespace {

/// Returns the commands that the help lists.
std::vector<std::string> commandNames() {
  const std::string help = runProgram("--help").ok().text;
  std::vector<std::string> names;
  std::istringstream lines(help.substr(help.find("Subcommands:\n")));
  std::string line;
  for (std::getline(lines, line); std::getline(lines, line) && !line.empty();) {
    std::istringstream words(line);
    words >> names.emplace_back();
  }
  return names;
}

/// Returns a page as plain text on one line, its words as the help spells them.
std::string read(const fs::path& page) {
  const std::string text =
      runShell("man -l -E ascii -P cat '" + page.string() + "' | col -b").ok().text;
  std::istringstream words(text);
  std::string line;
  for (std::string word; words >> word;) line += word + " ";
  return line;
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(manual, Folder)

BOOST_AUTO_TEST_CASE(each_command_has_a_page_with_its_options) {
  runProgram("manual pages", path).ok();
  const bool hasMan = runShell("command -v man && command -v col").code == 0;
  if (!hasMan) BOOST_TEST_MESSAGE("skipped: man and col (Debian: man-db, bsdextrautils)");
  for (const std::string& name : commandNames()) {
    const fs::path page = path / "pages" / ("fermata-" + name + ".1");
    BOOST_TEST_REQUIRE(fs::exists(page), page.string());
    if (!hasMan) continue;
    const std::string text = read(page);
    BOOST_TEST(has(text, "fermata-" + name + " - "), text);
    BOOST_TEST(has(text, "SYNOPSIS"));
    BOOST_TEST(has(text, "EXAMPLES"), name);
    const std::string help = runProgram(name + " --help").ok().text;
    std::istringstream words(help.substr(help.find("Options:")));
    for (std::string word; words >> word && word != "Examples:";) {
      if (word.rfind("--", 0) == 0 && word.size() > 2)
        BOOST_TEST(has(text, word.substr(0, word.find_first_of(",.:;)='"))), name + ": " + word);
    }
  }
  BOOST_TEST(has(readFile(path / "pages" / "fermata.1"), ".BR fermata\\-run (1) ,"));
}

BOOST_AUTO_TEST_CASE(troff_has_no_warning) {
  runProgram("manual pages", path).ok();
  if (runShell("command -v groff").code != 0) {
    BOOST_TEST_MESSAGE("skipped: groff is not installed");
    return;
  }
  for (const auto& page : fs::directory_iterator(path / "pages")) {
    const Outcome outcome =
        runShell("groff -man -Tutf8 -ww -z '" + page.path().string() + "'").ok();
    BOOST_TEST(outcome.text.empty(), outcome.text);
  }
}

BOOST_AUTO_TEST_SUITE_END()
