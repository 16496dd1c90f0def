// Columns and files that `--power` adds to a run, as spelled; all others stay unchanged.
#include "tests/energy/result_files.h"

using namespace fermata::test;

namespace {

using Names = std::vector<std::string>;

const Names kIdentity{"workload", "parameters", "platform", "changes"};
const Names kEnergy{"component",         "action",        "each", "count", "energy_low_fj",
                    "energy_nominal_fj", "energy_high_fj"};
const Names kPower{"window_start",  "window_end",        "component",
                   "watts",         "watts_low",         "watts_high",
                   "energy_low_fj", "energy_nominal_fj", "energy_high_fj"};
const Names kRuns{"energy_nj",
                  "energy_low_nj",
                  "energy_high_nj",
                  "average_power_mw",
                  "energy_per_warp_instruction_pj",
                  "energy_delay_nj_us",
                  "replay_energy_nj"};
const Names kInstructions{"energy_low_fj", "energy_nominal_fj", "energy_high_fj"};

Names joined(Names names, const Names& more) {
  names.insert(names.end(), more.begin(), more.end());
  return names;
}

ResultTable table(const Folder& folder, const std::string& file) {
  return ResultTable(folder.path / file);
}

/// Checks that the second table has the columns of the first and then `more`, with equal cells in
/// the columns of the first.
void checkMore(const ResultTable& without, const ResultTable& with, const Names& more) {
  BOOST_TEST(with.names() == joined(without.names(), more), tt::per_element());
  BOOST_TEST_REQUIRE(with.size() == without.size());
  for (std::size_t row = 0; row < with.size(); ++row) {
    const Names& cells = without.row(row);
    BOOST_TEST(std::equal(cells.begin(), cells.end(), with.row(row).begin()));
  }
}

const std::string kRun = "run fermi-ami nw transpose --param n=64 --quiet ";

}  // namespace

BOOST_AUTO_TEST_SUITE(energy_columns)

BOOST_AUTO_TEST_CASE(prices_add_columns_and_change_none) {
  const Folder folder;
  runProgram(kRun + "--out a", folder.path).ok();
  runProgram(kRun + "--out b --power fermi-40nm", folder.path).ok();
  Names files;
  for (const auto& entry : fs::directory_iterator(folder.path / "a"))
    files.push_back(entry.path().filename().string());
  std::sort(files.begin(), files.end());
  BOOST_TEST(files == (Names{"accesses.csv", "banks.csv", "bound.csv", "instructions.csv",
                             "runs.csv", "schema.csv", "sources.csv"}),
             tt::per_element());
  checkMore(table(folder, "a/runs.csv"), table(folder, "b/runs.csv"), kRuns);
  checkMore(table(folder, "a/instructions.csv"), table(folder, "b/instructions.csv"),
            kInstructions);
  BOOST_TEST(readFile(folder.path / "a/banks.csv") == readFile(folder.path / "b/banks.csv"));
  BOOST_TEST(table(folder, "b/energy.csv").names() == joined(kIdentity, kEnergy),
             tt::per_element());
  BOOST_TEST(table(folder, "b/power.csv").names() == joined(kIdentity, kPower), tt::per_element());
  BOOST_TEST(has(readFile(folder.path / "b/power.gp"), "set multiplot layout 2,1 title \"Power "));
  // without a folder, the terminal shows the energy
  runProgram("run gtx480 scan --param n=3000 --power fermi-40nm", folder.path)
      .ok("energy nJ", "pJ/warp instruction");
  BOOST_TEST(!fs::exists(folder.path / "energy.csv"));
}

BOOST_AUTO_TEST_CASE(the_schema_describes_every_column_with_prices) {
  const Folder folder;
  const std::string run = "run gtx480 scan --param n=3000 --quiet ";
  runProgram(run + "--out a", folder.path).ok();
  runProgram(run + "--out b --power fermi-40nm", folder.path).ok();
  const std::string before = readFile(folder.path / "a/schema.csv");
  for (const char* word : {"energy", "power", "watts"}) BOOST_TEST(!has(before, word), word);
  const ResultTable schema = table(folder, "b/schema.csv");
  std::map<std::string, Names> columns;
  for (std::size_t row = 0; row < schema.size(); ++row) {
    const std::string& name = schema.cell(row, "column");
    columns[schema.cell(row, "file")].push_back(name);
    const std::string& unit = schema.cell(row, "unit");
    const std::size_t mark = name.rfind('_');
    BOOST_TEST(schema.cell(row, "description").size() > 10U, name);
    const std::string end = mark == std::string::npos ? name : name.substr(mark + 1);
    const std::map<std::string, std::string> units{
        {"fj", "fJ"}, {"nj", "nJ"}, {"mw", "mW"}, {"watts", "W"}, {"us", "nJ us"}};
    if (units.count(end) != 0) BOOST_TEST(unit == units.at(end), name);
  }
  for (const char* file : {"runs.csv", "instructions.csv", "banks.csv", "energy.csv", "power.csv",
                           "sources.csv", "bound.csv", "accesses.csv"})
    BOOST_TEST(columns[file] == table(folder, std::string("b/") + file).names(), tt::per_element());
  BOOST_TEST(columns.size() == 9U);  // with the schema itself
}

BOOST_AUTO_TEST_CASE(replays_take_energy_only_where_there_are_some) {
  const Folder folder;
  const auto replays = [&](const std::string& platform) {
    runProgram("run " + platform + " nw --param n=64 --power fermi-40nm --quiet --out out",
               folder.path)
        .ok();
    const ResultTable runs = table(folder, "out/runs.csv");
    const double retries =
        runs.cell(0, "replays").empty() ? 0 : runs.real(0, "replays") + runs.real(0, "squashes");
    const double nanojoules = runs.real(0, "replay_energy_nj");
    BOOST_TEST(nanojoules >= 35e-3 * retries);  // 35 pJ of each, plus their register reads
    BOOST_TEST(nanojoules < runs.real(0, "energy_nj"));
    return nanojoules;
  };
  BOOST_TEST(replays("fermi-ami") > 0.0);
  BOOST_TEST(replays("fermi-ami --set ami=ideal --set l1.divergence=wait") == 0.0);
  BOOST_TEST(replays("gtx480") == 0.0);
}

BOOST_AUTO_TEST_CASE(tables_of_prices_are_listed_and_shown_for_a_platform) {
  const Outcome list = runProgram("prices").ok();
  for (const char* name : {"ami-32nm ", "fermi-40nm "}) list.says("\n" + std::string(name));
  const auto row = [](const std::string& arguments, const std::string& begin) {
    const Outcome shown = runProgram("prices " + arguments).ok();
    for (const std::string& line : linesOf(shown.text)) {
      std::string words;
      std::istringstream in(line);
      for (std::string word; in >> word;) words += (words.empty() ? "" : " ") + word;
      if (words.rfind(begin, 0) == 0) return words.substr(begin.size());
    }
    return std::string();
  };
  BOOST_TEST(row("fermi-40nm", "scratchpad read ") == "0.98 1.408 4.287 pJ/word");
  BOOST_TEST(row("fermi-40nm", "crossbar wire ") == "0.01 0.077 0.438 pJ/word and pitch");
  BOOST_TEST(row("fermi-40nm", "scratchpad leakage ") ==
             "12 43.2 106.8 mW, all of them relative only");
  BOOST_TEST(row("fermi-40nm", "l1 read ").empty());
  BOOST_TEST(row("fermi-40nm", "issue clock ").empty());
  BOOST_TEST(row("fermi-40nm gtx480 --set power.clock_gating=false", "issue clock ") ==
             "0 11.4 114 pJ/cycle, all of them relative only");
  BOOST_TEST(row("fermi-40nm gtx480-caches", "l1 read ") == "1.131 1.626 4.95 pJ/word");
  BOOST_TEST(row("fermi-40nm gtx480 --set 'scratchpad.indexer=ami 33'", "indexer index ") ==
             "0.067 0.278 0.42 pJ/lane's word");
  runProgram("prices fermi").refused();
  runProgram("prices fermi-40nm no-such").refused();
}

BOOST_AUTO_TEST_SUITE_END()
