// fermata map: its output and its refusals.
#include <iostream>

#include <fermata/models/indexing/families.h>
#include <fermata/platforms/program/cli.h>
#include <fermata/platforms/program/cli_map.h>

#include "tests/support/refusals.h"

namespace fermata::platforms {

AddCommand addMapCommand;

namespace {

using test::has;

std::string print(const MapRequest& request) {
  std::ostringstream out;
  printMap(request, out);
  return out.str();
}

MapRequest request(const std::string& text, std::uint32_t words, const std::string& warp = "",
                   bool csv = false) {
  MapRequest result;
  result.text = text;
  result.words = words;
  result.warp = warp;
  result.rows.csv = csv;
  return result;
}

void refuses(const MapRequest& bad, const std::string& said) {
  test::refuses([&] { print(bad); }, said);
}

void parse(std::vector<std::string> arguments) {
  CLI::App app;
  Invocation invocation;
  addMapCommand(app, invocation);
  std::reverse(arguments.begin(), arguments.end());
  app.parse(arguments);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(map_command)

BOOST_AUTO_TEST_CASE(csv_has_one_row_a_word) {
  BOOST_TEST(print(request("ami 6", 8, "", true)) ==
             "word,bank,row\n0,0,0\n1,1,0\n2,2,0\n3,3,0\n4,4,0\n5,5,0\n6,0,1\n7,1,1\n");
  const std::string all = print(request("fixed-xor", 12288, "", true));
  BOOST_TEST(std::count(all.begin(), all.end(), '\n') == 12289);
  BOOST_TEST(has(all, "\n12287,0,383\n"));
}

BOOST_AUTO_TEST_CASE(the_table_of_ami_6) {
  const std::string table = print(request("ami 6", 24));
  BOOST_TEST(has(table, "ami 6: 24 words on 6 banks of 4 rows\n"));
  BOOST_TEST(has(table, "row |  0  1  2  3  4  5  bank\n"));
  BOOST_TEST(has(table, "  0 |  0  1  2  3  4  5\n"));
  BOOST_TEST(has(table, "  3 | 18 19 20 21 22 23\n"));
  BOOST_TEST(!has(table, "shown:"));
}

BOOST_AUTO_TEST_CASE(large_tables_are_cut_and_say_so) {
  BOOST_TEST(has(print(request("mod 32", 12288)), "shown: rows 0 to 15 of 384 (--csv"));
  const std::string wide = print(request("mod 4096", 1U << 31));
  BOOST_TEST(has(wide, "rows 0 to 15 of 524288, banks 0 to 63 of 4096, words 0 to 1048575 of"));
  const std::string sparse = print(request("seznec 6", 23));
  BOOST_TEST(has(sparse, "  3 |  6  7 14 15 22  .\n"));
}

BOOST_AUTO_TEST_CASE(a_warp_shows_its_lanes_by_bank_and_the_degree) {
  const std::string text = print(request("xor k1=0 k2=5 mask=7", 12288, "stride 32"));
  BOOST_TEST(has(text, "   1       4  1:32 9:288 17:544 25:800\n"));
  BOOST_TEST(has(text, "conflict degree 4: 32 distinct words in 8 banks take 4 passes\n"));
  const std::string one = print(request("mod 32", 64, "words 5,5"));
  BOOST_TEST(has(one, "conflict degree 1: 1 distinct word in 1 bank takes 1 pass\n"));
}

BOOST_AUTO_TEST_CASE(a_warp_as_csv) {
  BOOST_TEST(print(request("mod 32", 128, "words 0,32,65", true)) ==
             "lane,word,bank,row\n0,0,0,0\n1,32,0,1\n2,65,1,2\n");
}

BOOST_AUTO_TEST_CASE(refusals_name_the_text_and_the_column) {
  refuses(request("mod 33", 64), "mapping 'mod 33':5: ");
  refuses(request("ami 31 corner=all-ones", 64),
          "mapping 'ami 31 corner=all-ones': the uncorrected adder");
  refuses(request("mod 32", 64, "stride 32"), "warp 'stride 32':8: lane 31");
  MapRequest contradiction = request("ami 33", 64);
  contradiction.banks = 32;
  refuses(contradiction, "expected no --banks, or --banks 33");
  contradiction.banks = 33;
  BOOST_CHECK_NO_THROW(print(contradiction));
}

BOOST_AUTO_TEST_CASE(without_a_text_it_lists_the_families) {
  std::ostringstream out;
  printFamilies({}, out);
  const std::string list = out.str();
  BOOST_TEST(has(list, "\nxor k1=A k2=B mask=C "));
  const auto lines = static_cast<std::size_t>(std::count(list.begin(), list.end(), '\n'));
  BOOST_TEST(lines == indexing::families().size() + 2);  // under two lines of headings
  for (const indexing::Family& family : indexing::families()) {
    BOOST_TEST(has(list, std::string("\n") + family.syntax + " "));
    BOOST_TEST(has(list, std::string("  ") + family.description + "\n"));
  }
  std::ostringstream printed;
  std::streambuf* const standard = std::cout.rdbuf(printed.rdbuf());
  parse({"map"});
  std::cout.rdbuf(standard);
  BOOST_TEST(printed.str() == list);
}

BOOST_AUTO_TEST_CASE(bad_options_are_parse_errors) {
  const std::vector<std::vector<std::string>> bad = {
      {"map", "mod 32", "--csv", "--json"},
      {"map", "--banks", "32"},
      {"map", "--words", "32"},
      {"map", "--warp", "stride 1"},
      {"map", "mod 32", "--banks", "0"},
      {"map", "mod 32", "--banks", "4097"},
      {"map", "mod 32", "--words", "0"},
      {"map", "mod 32", "--words", "-1"},
      {"map", "mod 32", "--words", "many"},
      {"map", "mod 32", "--warp", ""},
      {"map", "mod 32", "33"},
  };
  for (const auto& arguments : bad) {
    BOOST_TEST_CONTEXT(arguments.back()) BOOST_CHECK_THROW(parse(arguments), CLI::ParseError);
  }
  for (const char* text : {"", "mod 33"}) BOOST_CHECK_THROW(parse({"map", text}), InputError);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::platforms
