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
  unsigned lane, bank, element, pass;
  bool operator<(const Cell& other) const {
    return std::tie(lane, bank, element, pass) <
           std::tie(other.lane, other.bank, other.element, other.pass);
  }
  bool operator==(const Cell& other) const { return !(*this < other) && !(other < *this); }
};

/// Returns the cells of each picture of a page, in order.
std::vector<std::set<Cell>> picturesOf(const std::string& page) {
  std::vector<std::set<Cell>> pictures;
  std::istringstream lines(page);
  const std::regex row("<tr><th scope=\"row\">(\\d+)</th>(.*)</tr>");
  const std::regex cell(
      "<td( class=\"(first|late)\")?( title=\"pass (\\d+)\")?>(\\d*)(<sub>(\\d+)</sub>)?</td>");
  for (std::string line; std::getline(lines, line);) {
    if (has(line, "<table class=\"lanes\">")) pictures.emplace_back();
    std::smatch found;
    if (!std::regex_match(line, found, row)) continue;
    const auto lane = static_cast<unsigned>(std::stoul(found[1]));
    const std::string cells = found[2];
    unsigned bank = 0;
    for (std::sregex_iterator at(cells.begin(), cells.end(), cell), end; at != end; ++at, ++bank) {
      if ((*at)[5].length() == 0) continue;
      const bool late = (*at)[2] == "late";
      BOOST_TEST(late == (*at)[7].matched);
      BOOST_TEST((*at)[7].str() == (*at)[4].str());
      pictures.back().insert({lane, bank, static_cast<unsigned>(std::stoul((*at)[5])),
                              late ? static_cast<unsigned>(std::stoul((*at)[7])) : 1});
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
      cells.insert({column * 8 + row, bank, element, static_cast<unsigned>(words.size())});
    }
  }
  return cells;
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
    BOOST_TEST(pictures[0].count({lane, 0, 32 * lane, lane + 1}) == 1U);
    BOOST_TEST(pictures[1].count({lane, lane, 32 * lane, 1}) == 1U);
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
