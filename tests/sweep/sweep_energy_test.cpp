// A sweep with prices books energy: each point has the energy of a separate run.
#include <boost/test/unit_test.hpp>

#include "tests/support/program.h"

using namespace fermata::test;

namespace {

struct Priced : Folder {
  Outcome run(const std::string& base) const {
    write("s.toml", "[base]\nplatform = \"gtx480\"\nworkload = \"transpose\"\n" + base +
                        "[axes]\nmapping = [\"mod 32\", \"ami 33\"]\n");
    return runProgram("sweep run s.toml d", path);
  }
  std::vector<std::string> rows() const {
    return linesOf(readFile(path / "d" / "merged" / "runs.csv"));
  }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(sweep_energy)

BOOST_AUTO_TEST_CASE(a_row_has_the_energy_of_a_run_by_hand) {
  const Priced folder;
  const Outcome outcome = folder.run("prices = \"fermi-40nm\"\n");
  BOOST_TEST_REQUIRE(outcome.code == 0, outcome.text);
  BOOST_TEST_REQUIRE(
      runProgram("run gtx480 transpose --power fermi-40nm --quiet --out out", folder.path).code ==
      0);
  const auto run = linesOf(readFile(folder.path / "out" / "runs.csv"));
  BOOST_TEST(folder.rows().at(0) == "point,prices,mapping," + run.at(0));
  BOOST_TEST(folder.rows().at(1) == "0,fermi-40nm,mod 32," + run.at(1));
  BOOST_TEST(has(readFile(folder.path / "d" / "merged" / "schema.csv"), "runs.csv,energy_nj,"));
}

BOOST_AUTO_TEST_CASE(without_prices_there_is_no_column_of_energy) {
  const Priced folder;
  const Outcome outcome = folder.run("");
  BOOST_TEST_REQUIRE(outcome.code == 0, outcome.text);
  BOOST_TEST(!has(folder.rows().at(0), "energy"));
}

// A price table of equal name with other contents makes another sweep.
BOOST_AUTO_TEST_CASE(the_key_holds_the_bytes_of_the_table) {
  const Priced folder;
  const Outcome shown = runProgram("prices", folder.path);
  BOOST_TEST_REQUIRE(has(shown.text, "fermi-40nm"));
  std::string table =
      readFile(std::filesystem::path(FERMATA_SOURCE_DIR) / "platforms/energy/fermi-40nm.toml");
  folder.write("my.toml", table);
  BOOST_TEST_REQUIRE(folder.run("prices = \"my.toml\"\n").code == 0);
  folder.write("my.toml", table + "\n# another\n");
  const Outcome again = folder.run("prices = \"my.toml\"\n");
  BOOST_TEST(again.code == 2, again.text);
}

BOOST_AUTO_TEST_CASE(an_unknown_table_is_refused_before_anything_runs) {
  const Priced folder;
  const Outcome outcome = folder.run("prices = \"gold\"\n");
  BOOST_TEST(outcome.code == 2);
  BOOST_TEST(has(outcome.text, "s.toml:4:10: axis 'prices': unknown table of prices 'gold'"),
             outcome.text);
  BOOST_TEST(!std::filesystem::exists(folder.path / "d"));
}

BOOST_AUTO_TEST_SUITE_END()
