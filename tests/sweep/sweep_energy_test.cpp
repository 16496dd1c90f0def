// A sweep with prices books energy: each point has the energy of a separate run.
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
  folder.run("prices = \"fermi-40nm\"\n").ok();
  runProgram("run gtx480 transpose --power fermi-40nm --quiet --out out", folder.path).ok();
  const auto run = linesOf(readFile(folder.path / "out" / "runs.csv"));
  BOOST_TEST(folder.rows().at(0) == "point,prices,mapping," + run.at(0));
  BOOST_TEST(folder.rows().at(1) == "0,fermi-40nm,mod 32," + run.at(1));
  BOOST_TEST(has(readFile(folder.path / "d" / "merged" / "schema.csv"), "runs.csv,energy_nj,"));
}

BOOST_AUTO_TEST_CASE(without_prices_there_is_no_column_of_energy) {
  const Priced folder;
  folder.run("").ok();
  BOOST_TEST(!has(folder.rows().at(0), "energy"));
}

// A price table of equal name with other contents makes another sweep.
BOOST_AUTO_TEST_CASE(the_key_holds_the_bytes_of_the_table) {
  const Priced folder;
  runProgram("prices", folder.path).says("fermi-40nm");
  std::string table = readFile(fs::path(FERMATA_SOURCE_DIR) / "platforms/energy/fermi-40nm.toml");
  folder.write("my.toml", table);
  folder.run("prices = \"my.toml\"\n").ok();
  folder.write("my.toml", table + "\n# another\n");
  folder.run("prices = \"my.toml\"\n").refused();
}

BOOST_AUTO_TEST_CASE(an_unknown_table_is_refused_before_anything_runs) {
  const Priced folder;
  folder.run("prices = \"gold\"\n")
      .refused("s.toml:4:10: axis 'prices': unknown table of prices 'gold'");
  BOOST_TEST(!fs::exists(folder.path / "d"));
}

BOOST_AUTO_TEST_SUITE_END()
