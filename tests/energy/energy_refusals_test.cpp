// Runs with prices that are refused: exit code of bad input, place of the error, and no result
// lost.
#include "tests/energy/price_text.h"
#include "tests/energy/result_files.h"

using namespace fermata::test;

namespace {

/// Returns prices for all actions of a kernel on gtx480 except the wire.
std::string withoutWire() {
  std::string text;
  for (const char* name :
       {"issue.instruction", "crossbar.clock", "agu.address", "indexer.index", "scratchpad.read",
        "scratchpad.write", "register_file.read", "register_file.write"})
    text += price(name, {"1", "2", "4"}, "pJ");
  return text;
}

const std::string kScan = "run gtx480 scan --param n=3000 --quiet --out out ";

}  // namespace

BOOST_FIXTURE_TEST_SUITE(energy_refusals, Folder)

BOOST_AUTO_TEST_CASE(a_missing_price_is_refused_when_the_files_are_written) {
  write("mine.toml", withoutWire());
  const Outcome outcome = runProgram(
                              "run gtx480 scan reduction --param n=3000 --window 100 --quiet --out "
                              "out --power mine.toml",
                              path)
                              .refused();
  const ResultTable energy(path / "out" / "energy.csv");
  std::string count;
  for (std::size_t row = energy.size(); row-- != 0;) {
    const bool wire = energy.cell(row, "action") == "wire";
    for (const char* column : {"energy_low_fj", "energy_nominal_fj", "energy_high_fj"})
      BOOST_TEST(energy.cell(row, column).empty() == wire);
    if (wire) count = energy.cell(row, "count");
  }
  // at the last price of the component; for the first run
  BOOST_TEST(outcome.text ==
             "fermata: error: mine.toml:12:1: no price for crossbar.wire, which happened " + count +
                 " times in scan; expected a [[price]] with component = \"crossbar\", action = "
                 "\"wire\" (of each: word and pitch)\n");
  const ResultTable runs(path / "out" / "runs.csv");
  BOOST_TEST(runs.size() == 2U);
  for (std::size_t row = 0; row < runs.size(); ++row) {
    BOOST_TEST(runs.integer(row, "cycles") > 0U);
    for (const char* column :
         {"energy_nj", "energy_low_nj", "energy_high_nj", "average_power_mw",
          "energy_per_warp_instruction_pj", "energy_delay_nj_us", "replay_energy_nj"})
      BOOST_TEST(runs.cell(row, column).empty(), column);
  }
  const ResultTable instructions(path / "out" / "instructions.csv");
  std::size_t without = 0;
  for (std::size_t row = 0; row < instructions.size(); ++row) {
    const std::string& opcode = instructions.cell(row, "opcode");
    const bool empty = instructions.cell(row, "energy_nominal_fj").empty();
    BOOST_TEST(empty == has(opcode, ".shared"), opcode);
    if (empty) ++without;
  }
  BOOST_TEST(without > 0U);
  BOOST_TEST(ResultTable(path / "out" / "power.csv").size() > 0U);
  BOOST_TEST(has(readFile(path / "out" / "power.gp"), "plot "));
}

// The table has no price of the component: the place is that of the table's last price.
BOOST_AUTO_TEST_CASE(all_missing_prices_are_named) {
  write("mine.toml", price("agu.leakage", {"1", "2", "4"}, "nW") +
                         price("issue.instruction", {"1", "2", "4"}, "pJ"));
  runProgram(kScan + "--power mine.toml", path)
      .refused("mine.toml:12:1: no price for register_file.read, which happened ",
               "; nor for register_file.write, agu.address, indexer.index, crossbar.wire, "
               "scratchpad.read, scratchpad.write; expected a [[price]]");
}

BOOST_AUTO_TEST_CASE(bad_tables_and_options_write_nothing) {
  write("negative.toml", price({{"low", "-1"}}));
  write("twice.toml", price() + price());
  write("broken.toml", "[[price]]\ncomponent = \n");
  write("empty.toml", "");
  write("tiny.toml", price({{"low", "0.0001"}}));
  write("good.toml", price());
  fs::create_directory(path / "folder.toml");
  const std::pair<std::string, std::string> all[] = {
      {"--power negative.toml", "negative.toml:4:7: 'low' of issue.instruction is no price;"},
      {"--power twice.toml", "twice.toml:12:1: another price of issue.instruction stands in line"},
      {"--power broken.toml", "broken.toml:2:"},
      {"--power empty.toml", "empty.toml: the file has no price; expected [[price]]"},
      {"--power tiny.toml", "tiny.toml:1:1: the price of issue.instruction is less than a femto"},
      {"--power folder.toml", "'folder.toml' is a folder; expected a table of prices in TOML"},
      {"--power none.toml", "none.toml: cannot be read; expected a table of prices in TOML"},
      {"--power none", "unknown table of prices 'none'; expected one of ami-32nm, fermi-40nm"},
      {"--power ''", "it is empty; expected a table of prices"},
      {"--power", "--power"},
      {"--power good.toml --window 0", "it is '0'; expected a whole number from 1 to "},
      {"--power good.toml --window -5", "--window"},
      {"--power good.toml --window 1.5", "it is '1.5'; expected a whole number from 1 to "},
      {"--power good.toml --window 18446744073709551616", "expected a whole number from 1 to "},
      {"--window 100", "--window requires --power"},
      {"--set power.clock_gating=false",
       "power.clock_gating = false has no effect, for no energy is booked; expected --power"},
      {"--set power.clock_gating=off --power good.toml", "power.clock_gating"},
      {"--set power.clock_gating=false --power good.toml",
       "good.toml: no price of a clock, but power.clock_gating is off; expected a [[price]]"}};
  for (const auto& [arguments, says] : all) {
    runProgram(kScan + arguments, path).refused(says);
    BOOST_TEST(!fs::exists(path / "out"), arguments);
  }
}

// A DRAM cycle is 100000 core cycles, so the core waits long.
BOOST_AUTO_TEST_CASE(a_run_of_too_many_windows_is_refused) {
  const std::string run =
      "run gtx480-caches scan --param n=1000 --set clock.frequency_mhz=100000 "
      "--set dram.frequency_mhz=1 --set dram.latency=10000 --set run.stall_limit=0 --quiet "
      "--out out --power fermi-40nm "
      "--window ";
  runProgram(run + "1", path)
      .refused("a run has more than 262144 windows of 1 cycles; expected a longer window");
  BOOST_TEST(!fs::exists(path / "out"));
  runProgram(run + "1000000", path).ok();
}

BOOST_AUTO_TEST_SUITE_END()
