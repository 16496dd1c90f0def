// Pages of layouts: every cell is the element that a lane asks of a bank, and the pass that brings
// it, counted here anew.
#include <fstream>
#include <map>
#include <regex>
#include <set>

#include "tests/support/program.h"

using namespace fermata::test;

namespace {

struct Cell {
  unsigned lane, bank, pass;
  std::string shown, whole;  ///< names of the element
  bool operator<(const Cell& other) const {
    return std::tie(lane, bank, pass, shown, whole) <
           std::tie(other.lane, other.bank, other.pass, other.shown, other.whole);
  }
  bool operator==(const Cell& other) const { return !(*this < other) && !(other < *this); }
};

/// Returns the cells of each picture of a page, in order.
std::vector<std::set<Cell>> picturesOf(const std::string& page) {
  std::vector<std::set<Cell>> pictures;
  std::istringstream lines(page);
  const std::regex row("<tr><th scope=\"row\">(\\d+)</th>(.*)</tr>");
  const std::regex cell(
      "<td( class=\"(first|late)\" title=\"([^\"]*); pass (\\d+)\")?>([^<]*)(<sub>(\\d+)</sub>)?"
      "</td>");
  for (std::string line; std::getline(lines, line);) {
    if (has(line, "<table class=\"lanes\">")) pictures.emplace_back();
    std::smatch found;
    if (!std::regex_match(line, found, row)) continue;
    const auto lane = static_cast<unsigned>(std::stoul(found[1]));
    const std::string cells = found[2];
    unsigned bank = 0;
    for (std::sregex_iterator at(cells.begin(), cells.end(), cell), end; at != end; ++at, ++bank) {
      if ((*at)[5].length() == 0) continue;
      const auto pass = static_cast<unsigned>(std::stoul((*at)[4]));
      BOOST_TEST((pass > 1) == ((*at)[2] == "late"));
      BOOST_TEST((*at)[7].str() == (pass > 1 ? (*at)[4].str() : ""));
      pictures.back().insert({lane, bank, pass, (*at)[5], (*at)[3]});
    }
  }
  return pictures;
}

/// Returns the picture of lanes `first` to `first + 7` of a tile of 64 halves per row, of which
/// each lane reads 16 bytes of a row: `swizzled` as Swizzle<3,3,3>, `more` unused halves behind a
/// row.
std::set<Cell> quarterOf(unsigned column, bool swizzled, unsigned more) {
  std::map<unsigned, std::vector<unsigned>> delivered;
  std::set<Cell> cells;
  for (unsigned row = 0; row < 8; ++row) {
    for (unsigned word = 0; word < 4; ++word) {
      const unsigned element = row * 64 + column * 8 + word * 2;
      const unsigned index = swizzled ? element ^ ((element >> 3) & 0x38) : element;
      const unsigned place = (index + index / 64 * more) / 2, bank = place % 32;
      std::vector<unsigned>& words = delivered[bank];
      words.push_back(place);
      const std::string at = "(" + std::to_string(row) + "," + std::to_string(column) + ")";
      const std::string behind = word == 0 ? "" : "+" + std::to_string(2 * word);
      cells.insert({column * 8 + row, bank, static_cast<unsigned>(words.size()),
                    word == 0 ? at : behind, at + behind + ", element " + std::to_string(element)});
    }
  }
  return cells;
}

/// Returns the page of a search of layouts on sm_80, by its options.
std::string pageOf(const Folder& folder, const std::string& options) {
  runProgram("search --platform sm_80 " + options + " --html page.html", folder.path).ok();
  return readFile(folder.path / "page.html");
}

}  // namespace

BOOST_AUTO_TEST_SUITE(layout_page)

BOOST_AUTO_TEST_CASE(cells_are_what_lanes_ask_of_banks) {
  const Folder folder;
  const std::string search =
      "search --platform sm_80 --layout '(8,4):(64,8)' --atom ldmatrix.x4 --element 2 --vector 16 "
      "--html page.html";
  BOOST_REQUIRE(runProgram(search, folder.path).code == 0);
  const std::string page = readFile(folder.path / "page.html");
  const std::vector<std::set<Cell>> pictures = picturesOf(page);
  BOOST_REQUIRE(pictures.size() == 12U);  // four matrices: before, with a swizzle, padded
  for (unsigned matrix = 0; matrix < 4; ++matrix) {
    BOOST_TEST((pictures[matrix] == quarterOf(matrix, false, 0)));
    BOOST_TEST((pictures[4 + matrix] == quarterOf(matrix, true, 0)));
    BOOST_TEST((pictures[8 + matrix] == quarterOf(matrix, false, 8)));
  }
  for (const char* part :
       {"(8,4):(64,8), ldmatrix.x4</code>: 32 passes for 4 lane groups",
        "(8,4):(64,8), ldmatrix.x4</code>: 4 passes for 4 lane groups", "28 conflicts.",
        "0 of 28 conflicts left", "among 71 mappings: conflict-free", "cute::Swizzle&lt;3,3,3&gt;",
        "SwizzledSharedLayout(vec=8, per_phase=1, max_phase=8)", "leading dimension 72, not 64",
        "Warp 0, lanes 8-15: 8 passes"})
    BOOST_TEST(has(page, part), part);
  for (const char* outside : {"http://", "https://", "<script", "src="})
    BOOST_TEST(!has(page, outside), outside);
  BOOST_REQUIRE(runProgram(search, folder.path).code == 0);
  BOOST_TEST(readFile(folder.path / "page.html") == page);
}

BOOST_AUTO_TEST_CASE(a_mapping_is_drawn_beside_the_modulus) {
  const Folder folder;
  BOOST_REQUIRE(
      runProgram("map 'xor k1=0 k2=5 mask=31' --warp 'stride 32' --html page.html", folder.path)
          .code == 0);
  const std::vector<std::set<Cell>> pictures = picturesOf(readFile(folder.path / "page.html"));
  BOOST_REQUIRE(pictures.size() == 2U);
  for (unsigned lane = 0; lane < 32; ++lane) {
    const std::string word = std::to_string(32 * lane);
    BOOST_TEST(pictures[0].count({lane, 0, lane + 1, word, "word " + word}) == 1U);
    BOOST_TEST(pictures[1].count({lane, lane, 1, word, "word " + word}) == 1U);
  }
}

// A modulus of 33 banks stands beside 32 of them.
BOOST_AUTO_TEST_CASE(other_numbers_of_banks_have_a_before) {
  const Folder folder;
  BOOST_REQUIRE(runProgram("map 'ami 33' --warp 'stride 32' --html page.html", folder.path).code ==
                0);
  const std::string page = readFile(folder.path / "page.html");
  BOOST_TEST(has(page, "Before: <code>mod 32</code>"));
  BOOST_TEST(has(page, "stride 32</code>: 32 passes for 1 lane group"));
  BOOST_TEST(has(page, "stride 32</code>: 1 pass for 1 lane group"));
  BOOST_TEST(picturesOf(page).size() == 2U);
}

// Elements narrower than a word have their own coordinates. A layout of one mode has numbers.
BOOST_AUTO_TEST_CASE(elements_have_the_coordinates_of_their_layout) {
  const Folder folder;
  const std::string bytes =
      pageOf(folder, "--layout '(4,(2,4)):(1,(4,8))' --atom ld.8 --element 1");
  BOOST_TEST(picturesOf(bytes).at(0).count({13, 3, 1, "(1,3)", "(1,3), element 13"}) == 1U);
  const std::string line = pageOf(folder, "--layout 32:2 --atom ld.32");
  BOOST_TEST(picturesOf(line).at(0).count({17, 2, 2, "34", "element 34"}) == 1U);
  const std::string cube = pageOf(folder, "--layout '(2,4,4):(1,2,8)' --atom ld.32");
  BOOST_TEST(picturesOf(cube).at(0).count({29, 29, 1, "(1,2,3)", "(1,2,3), element 29"}) == 1U);
  const std::string array =
      pageOf(folder, "--access 'threads=16x2 cols=16 matrix=0,1,1,0 offset=0,0'");
  BOOST_TEST(picturesOf(array).at(0).count({19, 17, 2, "(3,1)", "(3,1), word 49"}) == 1U);
}

// A lane of a matrix instruction reads neighbours of a row, each an element of the layout.
BOOST_AUTO_TEST_CASE(elements_of_an_operand_have_coordinates_each) {
  const Folder folder;
  runProgram(
      "search --platform mi300 --layout '(32,8):(64,1)' --atom mfma.32x32x8 --element 2 --html "
      "page.html",
      folder.path)
      .ok();
  std::set<std::string> names;
  const std::vector<std::set<Cell>> pictures = picturesOf(readFile(folder.path / "page.html"));
  for (const Cell& cell : pictures.at(0)) names.insert(cell.whole);
  BOOST_TEST(names.count("(3,0), element 192") == 1U);
  BOOST_TEST(names.count("(3,2), element 194") == 1U);
}

BOOST_AUTO_TEST_CASE(one_kind_is_chosen_and_the_best_comes_first) {
  const Folder folder;
  const std::string page =
      pageOf(folder, "--layout '(8,4):(64,8)' --atom ldmatrix.x4 --element 2 --class all,swizzle");
  const std::regex choice(
      "<label><input type=\"radio\" name=\"kind\" id=\"kind-(\\w+)\"( checked)?> [^<]*<code>([^<]*)"
      "</code>: (\\d+) of 28 conflicts left</label>");
  std::vector<std::string> kinds;
  for (std::sregex_iterator at(page.begin(), page.end(), choice), end; at != end; ++at) {
    const std::string kind = (*at)[1];
    BOOST_TEST((*at)[2].matched == kinds.empty());
    kinds.push_back(kind);
    BOOST_TEST(has(page, "body:has(#kind-" + kind + ":checked) .kind-" + kind), kind);
    BOOST_TEST(has(page, "<section class=\"kind kind-" + kind + "\">"), kind);
  }
  BOOST_TEST(kinds == (std::vector<std::string>{"swizzle", "padding", "hash", "modulus"}),
             boost::test_tools::per_element());
  const std::string hardware = pageOf(
      folder, "--access 'threads=32 cols=32 matrix=0,1,0,0 offset=0,0' --class ami,padding,perm");
  BOOST_TEST(has(hardware, "id=\"kind-hash\" checked"));
}

BOOST_AUTO_TEST_CASE(groups_that_are_not_drawn_are_counted) {
  const Folder folder;
  const std::string shown = pageOf(folder, "--layout '(32,16):(1,32)' --atom ld.32 --class tma");
  BOOST_TEST(!has(shown, "not drawn"));
  const std::string one = pageOf(folder, "--layout '(32,17):(1,32)' --atom ld.32 --class tma");
  BOOST_TEST(has(one, "<p class=\"how\">1 more lane group is not drawn.</p>"));
  const std::string many = pageOf(folder, "--layout '(32,64):(1,32)' --atom ld.32 --class tma");
  BOOST_TEST(has(many, "<p class=\"how\">48 more lane groups are not drawn.</p>"));
  BOOST_TEST(picturesOf(many).size() == 32U);  // 16 before, 16 after
  BOOST_TEST(has(many, "<details><summary>15 more lane groups</summary>"));
}

BOOST_AUTO_TEST_CASE(texts_are_escaped) {
  const Folder folder;
  folder.write("a<b&\"c.toml", "base = \"sm_80\"\n");
  runProgram("search --platform './a<b&\"c.toml' --layout 32:2 --atom ld.32 --html page.html",
             folder.path)
      .ok();
  const std::string page = readFile(folder.path / "page.html");
  BOOST_TEST(has(page, "a&lt;b&amp;&quot;c"));
  BOOST_TEST(!has(page, "a<b"));
}

BOOST_AUTO_TEST_CASE(the_file_is_opened_before_the_search_and_appears_after_it) {
  const Folder folder;
  const std::string wrong = "search --platform sm_80 --layout '32:' --atom ld.32 --html ";
  runProgram(wrong + "nowhere/page.html", folder.path).says("nowhere/page.html");
  runProgram(wrong + "nowhere/page.html", folder.path).lacks("layout '32:'");
  runProgram(wrong + "page.html", folder.path).says("layout '32:'");
  BOOST_TEST(fs::is_empty(folder.path));
  folder.write("page.html", "older");
  runProgram(wrong + "page.html", folder.path).says("layout '32:'");
  BOOST_TEST(readFile(folder.path / "page.html") == "older");
}

BOOST_AUTO_TEST_CASE(what_has_no_lanes_is_refused) {
  const Folder folder;
  runProgram("search transpose --param tile=16 --platform gtx480 --html page.html", folder.path)
      .says("--html draws lanes, which only layouts and matrices have; expected --layout");
  BOOST_TEST(!fs::exists(folder.path / "page.html"));
  runProgram("map 'ami 33' --html page.html", folder.path).says("--warp");
  runProgram("map 'ami 33' --warp 'stride 2' --html nowhere/page.html", folder.path)
      .says("nowhere/page.html");
}

BOOST_AUTO_TEST_SUITE_END()
