// The reader of rtl_costs.csv, and the rows that a mapping text selects.
#include <fermata/platforms/program/cost/mapping_costs.h>

#include "tests/support/refusals.h"
#include "tests/support/temporary_folder.h"

using namespace fermata;
using namespace fermata::platforms;

namespace {

const std::string kHeader =
    "block,setting,gives,address_bits,lanes,cells,gate_equivalents,register_equivalents,area_um2,"
    "delay_ns,energy_random_fj,energy_stream_fj,energy_glitches_fj,energy_clock_fj\n";
const std::string kRow =
    "ami,modulus=33 form=fast corner=exact,bank,32,1,9,20.5,0,492,1.5,70,,80,0\n";

CostTable tableOf(const std::string& text) {
  const test::TemporaryFolder folder;
  folder.put("mine.csv", text);
  return CostTable((folder / "mine.csv").string());
}

void refusesTable(const std::string& text, const std::string& said) {
  test::refuses([&] { tableOf(text); }, "mine.csv", said);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(cost_table)

BOOST_AUTO_TEST_CASE(a_row_is_read) {
  const CostTable table = tableOf(kHeader + kRow);
  BOOST_TEST_REQUIRE(table.rows().size() == 1U);
  const BlockCost& row = table.rows().front();
  BOOST_TEST(row.block == "ami");
  BOOST_TEST(row.addressBits == 32U);
  BOOST_TEST(row.gates == 20.5);
  BOOST_TEST(row.delay == 1.5);
  BOOST_TEST(!row.energyInOrder.has_value());
  BOOST_TEST(row.energyGlitches.value() == 80);
}

BOOST_AUTO_TEST_CASE(a_damaged_table_is_refused_where_it_is_damaged) {
  refusesTable("", "mine.csv:1: an empty table; expected block,setting,");
  refusesTable("block,gates\n", "mine.csv:1: another header; expected block,setting,");
  refusesTable(kHeader + "ami,33\n", "mine.csv:2: the row has 2 fields; expected 14");
  refusesTable(kHeader + kRow + kRow, "mine.csv:3: a second row of this block");
  std::string wrong = kRow;
  wrong.replace(wrong.find("20.5"), 4, "many");
  refusesTable(kHeader + wrong, "mine.csv:2:51: 'many' is no cost; expected a number");
  wrong.replace(wrong.find("many"), 4, "-1");
  refusesTable(kHeader + wrong, "'-1' is no cost");
  wrong = kRow;
  wrong.replace(wrong.find(",1,9"), 2, ",0");
  refusesTable(kHeader + wrong, "no lanes; expected 1 or more");
}

BOOST_AUTO_TEST_CASE(a_mapping_gets_the_rows_that_serve_its_memory) {
  const CostTable& table = CostTable::ours();
  const auto rows = [&](const std::string& text, std::uint32_t words) {
    return priced(table, text, {32, words}).rows;
  };
  BOOST_TEST(rows("ami 33", 12288).size() == 4U);  // two widths, with and without the row
  BOOST_TEST(rows("ami 33", 65536).size() == 2U);
  BOOST_TEST(rows("seznec 33", 65536).size() == 1U);
  BOOST_TEST(rows("seznec 33", 65536).front().gives == "bank");
  const auto pairs = rows("pairs 3,4,0^5,1^6,2^7", 12288);
  BOOST_TEST_REQUIRE(pairs.size() == 4U);
  BOOST_TEST(pairs[0].block == "pairs");
  BOOST_TEST(pairs[2].block == "row-select");
  BOOST_TEST(rows("ami 64", 12288).front().gates == 0);
  BOOST_TEST(rows("mod 32", 12288).front().block == "wires");
  BOOST_TEST(rows("fixed-xor", 12288).front().setting == "banks=32 digit=5");
  BOOST_TEST(rows("matrix 0x21,0x42,4,8,16", 12288).front().cells == 2);
  BOOST_TEST(rows("crossbar banks=32", 12288).size() == 1U);
  BOOST_TEST(rows("lock-unit lanes=4", 12288).size() == 2U);
}

BOOST_AUTO_TEST_CASE(what_the_table_lacks_is_refused_with_what_it_has) {
  const CostTable& table = CostTable::ours();
  BOOST_CHECK_EXCEPTION(
      priced(table, "ami 65", {}), InputError,
      test::saysOnly("mapping 'ami 65': no block of this modulus with form=fast corner=exact in "
                     "the table; expected a modulus of 31, 33 to 63"));
  test::refusesAll(
      {
          {"ami 33 corner=all-ones", "corner=exact, or form=array"},
          {"pad row=32 words=1", "a layout in software"},
          {"regions at=10 | mod 32 | mod 32", "expected a mapping of"},
          {"xor k1=99 k2=5 mask=1", "mapping 'xor k1=99 k2=5 mask=1':"},
          {"crosbar", "crossbar"},
          {"crossbar banks=31", "expected banks=32, banks=33, banks=64, or crossbar alone"},
      },
      [&](const std::string& text) { priced(table, text, {}); });
}

BOOST_AUTO_TEST_CASE(a_function_of_gates_is_a_share_of_the_tree) {
  const CostTable& table = CostTable::ours();
  const BlockCost whole = costOfXors(table, 31, 5);
  BOOST_TEST(whole.gates == table.one("parity", "inputs=32").gates);
  BOOST_TEST(whole.delay == table.one("parity", "inputs=32").delay);
  BOOST_TEST(costOfXors(table, 0, 0).gates == 0);
  BOOST_TEST(costOfXors(table, 0, 0).delay == 0);
}

BOOST_AUTO_TEST_SUITE_END()
