// The language of the tree keeps its rules, and the rules find what they should.
#include "tests/structure/voice.h"
#include "tests/support/test.h"

namespace {

using namespace fermata::test;

bool isForeign(const fs::path& folder) {
  const std::string name = folder.filename().string();
  return name == "build" || name == "node_modules" || name == ".git" || name == "out";
}

/// Applies the rule to each file of the tree that ends so.
void checkFiles(const std::vector<std::string>& endings,
                Findings (*rule)(const std::string&, std::string_view)) {
  const fs::path root = FERMATA_SOURCE_DIR;
  std::size_t files = 0;
  for (auto it = fs::recursive_directory_iterator(root); it != fs::recursive_directory_iterator();
       ++it) {
    if (it->is_directory() && isForeign(it->path())) it.disable_recursion_pending();
    const std::string ending = it->path().extension().string();
    if (std::find(endings.begin(), endings.end(), ending) == endings.end()) continue;
    if (!it->is_regular_file()) continue;
    ++files;
    std::ifstream in(it->path());
    std::ostringstream text;
    text << in.rdbuf();
    for (const std::string& finding : rule(fs::relative(it->path(), root).string(), text.str()))
      BOOST_ERROR(finding);
  }
  BOOST_TEST(files > 20U);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(voice)

BOOST_AUTO_TEST_CASE(comments_name_their_subject) {
  checkFiles({".h", ".cpp", ".inl"}, &riddles);
}

BOOST_AUTO_TEST_CASE(pages_have_no_walls) {
  checkFiles({".md"}, &walls);
}

BOOST_AUTO_TEST_CASE(riddles_are_found) {
  const std::string source =
      "// What a file is.\n"
      "int a;  ///< of a unit\n"
      "int b;  ///< Of a unit\n"
      "/// Returns a.\n"
      "/// That is the second line.\n"
      "///\n"
      "/// Those begin a paragraph.\n"
      "const char* c = \"// What is a text\";  // fine\n"
      "int d = 1'000;  // Whose\n"
      "/// Officers are no word of the list.\n"
      "char e = '\"';  // Which\n";
  const Findings found = riddles("f.h", source);
  BOOST_REQUIRE(found.size() == 5U);
  for (const auto& [k, line] :
       {std::pair{0, "f.h:1 "}, {1, "f.h:3 "}, {2, "f.h:7 "}, {3, "f.h:9 "}, {4, "f.h:11 "}})
    BOOST_TEST(found[static_cast<std::size_t>(k)].rfind(line, 0) == 0U,
               found[static_cast<std::size_t>(k)]);
}

BOOST_AUTO_TEST_CASE(walls_are_found) {
  const auto words = [](std::size_t count) {
    std::string text;
    for (std::size_t i = 0; i < count; ++i) text += "word ";
    return text;
  };
  BOOST_TEST(walls("p.md", words(90) + "\n\n" + words(90) + "\n").empty());
  BOOST_TEST(walls("p.md", words(50) + "\n" + words(41) + "\n").size() == 1U);
  BOOST_TEST(walls("p.md", "- " + words(60) + "\n- " + words(60) + "\n").empty());
  BOOST_TEST(walls("p.md", "```\n" + words(200) + "\n```\n\n    " + words(200) + "\n").empty());
  BOOST_TEST(walls("p.md", "| " + words(40) + "| " + words(41) + "|\n").size() == 1U);
}

BOOST_AUTO_TEST_SUITE_END()
